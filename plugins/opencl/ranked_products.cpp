#include "ranked_products.hpp"

#include "skinny_forms.hpp"
#include "strip_forms.hpp"
#include "vector_forms.hpp"

#include <utility>

namespace benchctl::opencl {

namespace {

/// Of the way that is taken where none is tried.
std::string text_of_best(const ProductSize& size, const ProductDevice& device) {
  if (strips_pay(size, device)) return to_text(choose_strips(size, device));
  if (skinny_pays(size, device)) return to_text(choose_skinny(size, sizeof(float), device.compute_units));
  return to_text(choose_tiling(device, size).tiling);
}

}  // namespace

std::vector<gpu::Ranked<gpu::PlannedProduct>> rank_products(const ProblemSpec& problem,
                                                            const ProductSize& size,
                                                            const ProductDevice& device, bool has_shuffles,
                                                            const std::filesystem::path& kernels,
                                                            std::size_t most) {
  const std::uint64_t units = device.compute_units;
  if (gpu::are_vectors(size)) {
    const gpu::VectorForm form = gpu::choose_vectors(size, sizeof(float), units);
    return {{{"form", to_text(form), {}, plan_vectors(problem, form, has_shuffles, kernels)}, 0}};
  }
  gpu::ProductRanking ranking;
  for (const auto& [tiling, ns] : rank_tilings(device, size, most)) {
    ranking.add(ns, {"tiling", to_text(tiling), {}, plan_product(problem, size, tiling, units, kernels)});
  }
  for (const auto& [form, ns] : rank_strips(size, device, most)) {
    ranking.add(ns,
                {"form", to_text(form), {}, plan_strips(problem, size, form, device.cp_async, kernels)});
  }
  if (size.n <= most_skinny_columns || size.m <= most_skinny_rows) {
    for (const auto& [form, ns] : rank_skinny(size, units, most)) {
      ranking.add(ns, {"form", to_text(form), {}, plan_skinny(problem, form, kernels)});
    }
  }
  return std::move(ranking).ranked(text_of_best(size, device), most);
}

}  // namespace benchctl::opencl
