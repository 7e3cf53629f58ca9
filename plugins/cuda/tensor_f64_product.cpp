#include "tensor_f64_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "tensor_f64_tilings.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_tensor_f64_best(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_tensor_f64'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& device = problem.context().info();
  const TensorF64Tiling tiling = choose_tensor_f64_tiling(
      {device.architecture, device.compute_units, device.limits.local_memory_bytes}, size);
  auto prepared = std::make_unique<PreparedKernel>(
      problem, plan_tensor_f64(problem.spec(), size, tiling, device.compute_units,
                               plugin_directory() / "kernels/cuda"));
  prepared->add_note("tiling", to_text(tiling));
  return prepared;
}

}  // namespace benchctl::cuda
