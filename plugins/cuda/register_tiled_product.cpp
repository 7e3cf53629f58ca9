#include "register_tiled_product.hpp"

#include "product_shape.hpp"
#include "product_ways.hpp"
#include "ranked_products.hpp"

namespace benchctl::cuda {

namespace {

constexpr std::size_t most_register_tiled = 8;

std::vector<gpu::Ranked<gpu::PlannedProduct>> ranked_register_tiled(const DeviceProblem& problem,
                                                                    std::size_t most) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_register_tiled'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& info = problem.context().info();
  return rank_products(problem.spec(), size,
                       {info.architecture, info.compute_units, info.limits.local_memory_bytes},
                       plugin_directory() / "kernels/cuda", most);
}

std::unique_ptr<Prepared> prepare_register_tiled(DeviceProblem& problem,
                                                 const gpu::PlannedProduct& product) {
  auto prepared = std::make_unique<PreparedKernel>(problem, product.plan);
  prepared->add_note(product.kind, product.text);
  if (!product.measured_on.empty()) prepared->add_note("tiling_measured_on", product.measured_on);
  return prepared;
}

}  // namespace

std::unique_ptr<Prepared> make_register_tiled_best(DeviceProblem& problem,
                                                   const PrepareRequest& /*request*/) {
  return prepare_register_tiled(problem, ranked_register_tiled(problem, 1).front().form);
}

std::unique_ptr<Prepared> make_register_tiled_tuned(DeviceProblem& problem,
                                                    const PrepareRequest& /*request*/) {
  const auto name = [](const gpu::PlannedProduct& product) { return product.text; };
  return gpu::quickest(product_ways(problem, ranked_register_tiled(problem, most_register_tiled), name,
                                    prepare_register_tiled));
}

}  // namespace benchctl::cuda
