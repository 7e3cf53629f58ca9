#include "strips_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "strip_forms.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_strips(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_strips'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& device = problem.context().info();
  const StripForm form =
      choose_strips(size, {device.architecture, device.compute_units, device.limits.local_memory_bytes});
  auto prepared = std::make_unique<PreparedKernel>(
      problem, plan_strips(problem.spec(), size, form, plugin_directory() / "kernels/cuda"));
  prepared->add_note("form", to_text(form));
  return prepared;
}

}  // namespace benchctl::cuda
