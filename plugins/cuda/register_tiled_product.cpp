#include "register_tiled_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "product_tilings.hpp"
#include "skinny_forms.hpp"
#include "skinny_product.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_register_tiled_best(DeviceProblem& problem, const PrepareRequest& request) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_register_tiled'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  if (skinny_pays(size)) return make_skinny(problem, request);
  const DeviceInfo& device = problem.context().info();
  const ChosenTiling chosen =
      choose_tiling({device.architecture, device.compute_units, device.limits.local_memory_bytes}, size);
  const KernelPlan plan = plan_product(problem.spec(), size, chosen.tiling, device.compute_units,
                                       plugin_directory() / "kernels/cuda");
  auto prepared = std::make_unique<PreparedKernel>(problem, plan);
  prepared->add_note("tiling", to_text(chosen.tiling));
  prepared->add_note("tiling_measured_on", chosen.measured_on);
  return prepared;
}

}  // namespace benchctl::cuda
