#include "register_tiled_product.hpp"

#include "gpu/vector_forms.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "product_tilings.hpp"
#include "skinny_forms.hpp"
#include "skinny_product.hpp"
#include "strip_forms.hpp"
#include "strips_product.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_register_tiled_best(DeviceProblem& problem, const PrepareRequest& request) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_register_tiled'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const DeviceInfo& info = problem.context().info();
  const ProductDevice device{info.architecture, info.compute_units, info.limits.local_memory_bytes};
  if (gpu::are_vectors(size) || skinny_pays(size, device)) return make_skinny(problem, request);
  if (strips_pay(size, device)) return make_strips(problem, request);
  const ChosenTiling chosen = choose_tiling(device, size);
  const KernelPlan plan = plan_product(problem.spec(), size, chosen.tiling, device.compute_units,
                                       plugin_directory() / "kernels/cuda");
  auto prepared = std::make_unique<PreparedKernel>(problem, plan);
  prepared->add_note("tiling", to_text(chosen.tiling));
  prepared->add_note("tiling_measured_on", chosen.measured_on);
  return prepared;
}

}  // namespace benchctl::cuda
