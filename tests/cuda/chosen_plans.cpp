#include "chosen_plans.hpp"

#include "fed_f64_tilings.hpp"
#include "gpu/vector_forms.hpp"
#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "ranked_products.hpp"
#include "skinny_forms.hpp"
#include "strip_forms.hpp"
#include "tensor_plan.hpp"
#include "wgmma_plan.hpp"

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

/// Of tensor_f64_best.
std::vector<ClaimedPlan> chosen_products_of_doubles(const std::string& architecture) {
  std::vector<ClaimedPlan> plans;
  for (const cuda::ProductSize& size : product_sizes) {
    const cuda::BestF64Product best =
        cuda::plan_best_f64(product_problem(size, DType::f64), size,
                            {architecture, 132, shared_bytes_of(architecture)}, kernel_folder());
    plans.push_back(
        {best.tiling + ", n = " + std::to_string(size.n) + ", k = " + std::to_string(size.k), best.plan});
  }
  return plans;
}

/// Of tensor_tf32_best and tensor_bf16_best.
std::vector<ClaimedPlan> chosen_tensor_products(const std::string& architecture) {
  std::vector<ClaimedPlan> plans;
  for (const cuda::Narrow kind : {cuda::Narrow::bf16, cuda::Narrow::tf32}) {
    for (const cuda::ProductSize& size : product_sizes) {
      const ProblemSpec problem =
          product_problem(size, kind == cuda::Narrow::bf16 ? DType::bf16 : DType::f32);
      const cuda::TensorProduct product = cuda::plan_best_tensor(
          problem, kind, size, {architecture, 132, shared_bytes_of(architecture)}, kernel_folder());
      plans.push_back(
          {product.tiling + ", n = " + std::to_string(size.n) + ", k = " + std::to_string(size.k),
           product.plan});
    }
  }
  return plans;
}

/// Of wgmma_*_best.
std::vector<ClaimedPlan> chosen_wgmma_products() {
  std::vector<cuda::ProductSize> sizes(wgmma_sizes.begin(), wgmma_sizes.end());
  sizes.insert(sizes.end(), odd_sizes.begin(), odd_sizes.end());
  std::vector<ClaimedPlan> plans;
  for (const cuda::Narrow kind : {cuda::Narrow::bf16, cuda::Narrow::tf32, cuda::Narrow::three_tf32}) {
    for (const cuda::ProductSize& size : sizes) {
      const ProblemSpec problem =
          product_problem(size, kind == cuda::Narrow::bf16 ? DType::bf16 : DType::f32);
      const cuda::WgmmaProduct product = cuda::plan_best_wgmma(problem, kind, size, 132, kernel_folder());
      plans.push_back({to_text(product.tiling) + ", n = " + std::to_string(size.n), product.plan});
    }
  }
  return plans;
}

/// What register_tiled_tuned and the others of its kind try behind what is chosen without a trial.
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
  const cuda::ProductSize odd{703, 701, 999};
  add(cuda::rank_f64(product_problem(odd, DType::f64), odd, device, kernel_folder(), most_tried),
      [](const cuda::BestF64Product& product) { return product.tiling; });
  for (const cuda::Narrow kind : {cuda::Narrow::bf16, cuda::Narrow::tf32}) {
    const ProblemSpec problem = product_problem(odd, kind == cuda::Narrow::bf16 ? DType::bf16 : DType::f32);
    add(cuda::rank_tensor(problem, kind, odd, device, kernel_folder(), most_tried),
        [](const cuda::TensorProduct& product) { return product.tiling; });
    if (architecture != "sm_90a") continue;
    add(cuda::rank_wgmma(problem, kind, odd, 132, kernel_folder(), most_tried),
        [](const cuda::WgmmaProduct& product) { return to_text(product.tiling); });
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
  add(chosen_products_of_doubles(architecture));
  add(chosen_tensor_products(architecture));
  if (architecture == "sm_90a") add(chosen_wgmma_products());
  add(tried_products(architecture));
  return plans;
}

}  // namespace benchctl::test
