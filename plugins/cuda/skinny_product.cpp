#include "skinny_product.hpp"

#include "gpu/vector_forms.hpp"

#include "prepared_kernel.hpp"
#include "product_shape.hpp"
#include "skinny_forms.hpp"

namespace benchctl::cuda {

std::unique_ptr<Prepared> make_skinny(DeviceProblem& problem, const PrepareRequest& /*request*/) {
  const ProductShape shape = product_shape(problem.spec(), "the kernel 'matmul_skinny'");
  const ProductSize size{static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n),
                         static_cast<std::uint64_t>(shape.k)};
  const std::filesystem::path kernels = plugin_directory() / "kernels/cuda";
  const std::uint32_t element = shape.type == DType::f64 ? 8 : 4;
  const std::uint64_t units = problem.context().info().compute_units;
  const auto prepare = [&](const KernelPlan& plan, const std::string& form) {
    auto prepared = std::make_unique<PreparedKernel>(problem, plan);
    prepared->add_note("form", form);
    return prepared;
  };
  if (gpu::are_vectors(size)) {
    const gpu::VectorForm form = gpu::choose_vectors(size, element, units);
    return prepare(gpu::plan_vectors(problem.spec(), form, kernels / "matmul_vectors.cu"), to_text(form));
  }
  const SkinnyForm form = choose_skinny(size, element, units);
  return prepare(plan_skinny(problem.spec(), form, kernels), to_text(form));
}

}  // namespace benchctl::cuda
