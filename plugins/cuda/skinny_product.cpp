#include "skinny_product.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "skinny_forms.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_skinny(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_skinny'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const SkinnyForm form =
      choose_skinny(size, shape.type == DType::f64 ? 8 : 4, problem.context().info().compute_units);
  auto prepared = std::make_unique<PreparedKernel>(
      problem, plan_skinny(problem.spec(), form, plugin_directory() / "kernels/cuda"));
  prepared->add_note("form", to_text(form));
  return prepared;
}

}  // namespace benchctl::cuda
