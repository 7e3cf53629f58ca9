#include "chosen_plans.hpp"

#include "gpu/vector_forms.hpp"
#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "ranked_products.hpp"
#include "skinny_forms.hpp"
#include "strip_forms.hpp"

namespace benchctl::test {

namespace {

/// Of register_tiled_best.
std::vector<ClaimedPlan> chosen_products(const std::string& architecture) {
  std::vector<ClaimedPlan> plans;
  for (const cuda::ProductSize& size : product_sizes) {
    const cuda::ProductTiling tiling =
        cuda::choose_tiling({architecture, 132, shared_bytes_of(architecture)}, size).tiling;
    const ProblemSpec problem = product_problem(size, DType::f32);
    plans.push_back({to_text(tiling) + ", n = " + std::to_string(size.n),
                     cuda::plan_product(problem, size, tiling, 132, kernel_folder())});
  }
  return plans;
}

/// Of `skinny`.
std::vector<ClaimedPlan> skinny_products() {
  std::vector<ClaimedPlan> plans;
  for (const DType type : {DType::f32, DType::f64}) {
    const std::uint32_t element = type == DType::f64 ? 8 : 4;
    for (const cuda::ProductSize& size : skinny_sizes) {
      const cuda::SkinnyForm form = cuda::choose_skinny(size, element, 132);
      plans.push_back(
          {to_text(form), cuda::plan_skinny(product_problem(size, type), form, kernel_folder())});
    }
    for (const cuda::ProductSize& size : vector_sizes) {
      const gpu::VectorForm form = gpu::choose_vectors(size, element, 132);
      plans.push_back({to_text(form), gpu::plan_vectors(product_problem(size, type), form,
                                                        kernel_folder() / "matmul_vectors.cu")});
    }
  }
  return plans;
}

/// Of `strips`.
std::vector<ClaimedPlan> strip_products(const std::string& architecture) {
  std::vector<ClaimedPlan> plans;
  for (const cuda::ProductSize& size : strip_sizes) {
    const cuda::StripForm form =
        cuda::choose_strips(size, {architecture, 132, shared_bytes_of(architecture)});
    const ProblemSpec problem = product_problem(size, DType::f32);
    plans.push_back({to_text(form), cuda::plan_strips(problem, size, form, kernel_folder())});
  }
  return plans;
}

/// What register_tiled_tuned tries behind what is chosen without a trial.
std::vector<ClaimedPlan> tried_products(const std::string& architecture) {
  constexpr std::size_t most_tried = 4;
  const cuda::ProductDevice device{architecture, 132, shared_bytes_of(architecture)};
  std::vector<ClaimedPlan> plans;
  const auto add = [&](const auto& ranked, const auto& text_of) {
    for (std::size_t i = 1; i < ranked.size(); ++i) {
      plans.push_back({"tried: " + text_of(ranked[i].form), ranked[i].form.plan});
    }
  };
  for (const cuda::ProductSize& size :
       {cuda::ProductSize{679, 772, 969}, {311, 3283, 261}, {6, 1630, 1801}}) {
    add(cuda::rank_products(product_problem(size, DType::f32), size, device, kernel_folder(), most_tried),
        [](const gpu::PlannedProduct& product) { return product.text; });
  }
  return plans;
}

}  // namespace

std::vector<ClaimedPlan> chosen_plans(const std::string& architecture) {
  std::vector<ClaimedPlan> plans = chosen_products(architecture);
  const auto add = [&](const std::vector<ClaimedPlan>& more) {
    plans.insert(plans.end(), more.begin(), more.end());
  };
  add(skinny_products());
  add(strip_products(architecture));
  add(tried_products(architecture));
  return plans;
}

}  // namespace benchctl::test
