#include "tensor_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "tensor_plan.hpp"

namespace benchctl::cuda {

namespace {

std::unique_ptr<Prepared> make_best(DeviceProblem& problem, Narrow kind) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_tensor'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& device = problem.context().info();
  const TensorProduct product =
      plan_best_tensor(problem.spec(), kind, size,
                       {device.architecture, device.compute_units, device.limits.local_memory_bytes},
                       plugin_directory() / "kernels/cuda");
  auto prepared =
      std::make_unique<PreparedKernel>(problem, product.plan, std::vector<TensorView>{}, product.overlaps);
  prepared->add_note("tiling", product.tiling);
  if (product.repacked.any()) prepared->add_note("repacked", to_text(product.repacked));
  return prepared;
}

}  // namespace

std::unique_ptr<Prepared> make_tensor_tf32_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_best(problem, Narrow::tf32);
}

std::unique_ptr<Prepared> make_tensor_bf16_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  return make_best(problem, Narrow::bf16);
}

}  // namespace benchctl::cuda
