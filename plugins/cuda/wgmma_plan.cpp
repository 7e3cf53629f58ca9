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
  const Repacked repacked = rows_to_repack(kind, size);
  const ProductSize whole = with_whole_rows(kind, size, repacked);
  const WgmmaTiling tiling = choose_wgmma_tiling(kind, compute_units, whole, !repacked.b);
  KernelPlan plan = plan_wgmma(problem, kind, whole, tiling, compute_units, kernels);
  if (kind == Narrow::three_tf32 && !tiling.apart) leave_out_split(plan);
  if (repacked.any()) add_repacking(plan, problem, kind, size, repacked, compute_units, kernels);
  // Rows of C begin where those of B do.
  if (repacked.b) plan.launches.back().defines["C_BYTES"] = std::to_string(element_bytes(kind));
  return {tiling, repacked, whole, std::move(plan)};
}

}  // namespace benchctl::cuda
