#include "wgmma_plan.hpp"

#include <utility>

namespace benchctl::cuda {

void leave_out_split(KernelPlan& plan) {
  const PlannedArgument a = plan.launches.front().arguments.front();
  plan.launches.erase(plan.launches.begin());
  std::vector<PlannedArgument>& arguments = plan.launches.front().arguments;
  arguments.at(0) = a;
  arguments.at(1) = a;
}

WgmmaProduct plan_best_wgmma(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                             std::uint64_t compute_units, const std::filesystem::path& kernels) {
  return std::move(rank_wgmma(problem, kind, size, compute_units, kernels, 1).front().form);
}

std::vector<gpu::Ranked<WgmmaProduct>> rank_wgmma(const ProblemSpec& problem, Narrow kind,
                                                  const ProductSize& size, std::uint64_t compute_units,
                                                  const std::filesystem::path& kernels, std::size_t most) {
  const Repacked repacked = rows_to_repack(kind, size);
  const ProductSize whole = with_whole_rows(kind, size, repacked);
  const double repacking_ns =
      repacked.any() ? static_cast<double>(expected_repacking_ps(kind, size, repacked)) / 1000 : 0;
  std::vector<gpu::Ranked<WgmmaProduct>> products;
  for (const auto& [tiling, ns] : rank_wgmma_tilings(kind, compute_units, whole, !repacked.b, most)) {
    KernelPlan plan = plan_wgmma(problem, kind, whole, tiling, compute_units, kernels);
    if (kind == Narrow::three_tf32 && !tiling.apart) leave_out_split(plan);
    if (repacked.any()) add_repacking(plan, problem, kind, size, repacked, compute_units, kernels);
    // Rows of C begin where those of B do.
    if (repacked.b) plan.launches.back().defines["C_BYTES"] = std::to_string(element_bytes(kind));
    products.push_back({{tiling, repacked, whole, std::move(plan)}, ns + repacking_ns});
  }
  return products;
}

}  // namespace benchctl::cuda
