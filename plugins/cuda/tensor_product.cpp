#include "tensor_product.hpp"

#include "product_shape.hpp"
#include "product_ways.hpp"
#include "tensor_plan.hpp"
#include "wgmma_product.hpp"

#include <algorithm>
#include <iterator>

namespace benchctl::cuda {

namespace {

/// Of either kind of kernel.
constexpr std::size_t most_tensor = 5;

std::vector<gpu::Ranked<TensorProduct>> ranked(const DeviceProblem& problem, Narrow kind,
                                               std::size_t most) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_tensor'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& device = problem.context().info();
  return rank_tensor(problem.spec(), kind, size,
                     {device.architecture, device.compute_units, device.limits.local_memory_bytes},
                     plugin_directory() / "kernels/cuda", most);
}

std::unique_ptr<Prepared> prepare_tensor(DeviceProblem& problem, const TensorProduct& product) {
  auto prepared =
      std::make_unique<PreparedKernel>(problem, product.plan, std::vector<TensorView>{}, product.overlaps);
  prepared->add_note("tiling", product.tiling);
  if (product.repacked.any()) prepared->add_note("repacked", to_text(product.repacked));
  return prepared;
}

std::unique_ptr<Prepared> make_tensor_best(DeviceProblem& problem, Narrow kind) {
  return prepare_tensor(problem, ranked(problem, kind, 1).front().form);
}

/// By wgmma first, where the GPU has it.
std::unique_ptr<Prepared> make_tensor_tuned(DeviceProblem& problem, Narrow kind) {
  const std::vector<std::string>& features = problem.context().info().features;
  std::vector<gpu::Way> ways;
  if (std::ranges::find(features, "wgmma") != features.end()) ways = wgmma_ways(problem, kind, most_tensor);
  const auto name = [](const TensorProduct& product) { return "mma.sync " + product.tiling; };
  std::ranges::move(product_ways(problem, ranked(problem, kind, most_tensor), name, prepare_tensor),
                    std::back_inserter(ways));
  return gpu::quickest(ways);
}

}  // namespace

std::unique_ptr<Prepared> make_tensor_tf32_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_tensor_best(problem, Narrow::tf32);
}

std::unique_ptr<Prepared> make_tensor_bf16_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_tensor_best(problem, Narrow::bf16);
}

std::unique_ptr<Prepared> make_tensor_tf32_tuned(DeviceProblem& problem,
                                                 const PrepareRequest& /*request*/) {
  return make_tensor_tuned(problem, Narrow::tf32);
}

std::unique_ptr<Prepared> make_tensor_bf16_tuned(DeviceProblem& problem,
                                                 const PrepareRequest& /*request*/) {
  return make_tensor_tuned(problem, Narrow::bf16);
}

}  // namespace benchctl::cuda
