#include "tensor_plan.hpp"

#include <utility>

namespace benchctl::cuda {

TensorProduct plan_best_tensor(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                               const ProductDevice& device, const std::filesystem::path& kernels) {
  Repacked repacked = rows_to_repack(kind, size);
  ProductSize whole = with_whole_rows(kind, size, repacked);
  ExpectedTensorTiling chosen = expect_tensor_tiling(kind, device, whole);
  if (repacked.any()) {
    const ExpectedTensorTiling as_it_is = expect_tensor_tiling(kind, device, size);
    if (as_it_is.ps <= chosen.ps + expected_repacking_ps(kind, size, repacked)) {
      chosen = as_it_is;
      repacked = {};
      whole = size;
    }
  }
  KernelPlan plan = plan_tensor(problem, kind, whole, chosen.tiling, device.compute_units, kernels);
  if (repacked.any()) {
    add_repacking(plan, problem, kind, size, repacked, device.compute_units, kernels);
    PlannedLaunch& launch = plan.launches.back();
    if (repacked.a) launch.defines["A_UNIT"] = std::to_string(row_unit(kind));
    if (repacked.b) launch.defines["B_UNIT"] = std::to_string(row_unit(kind));
  }
  // Blocks that come while the copy still runs go where there is room, two to a multiprocessor if they are
  // small, and leave others idle: 18.8 us instead of 14 at 1001 in bf16.
  const bool overlaps = repacked.any() && 2 * plan.launches.back().shared_bytes > device.shared_bytes;
  return {chosen.tiling, repacked, overlaps, std::move(plan)};
}

}  // namespace benchctl::cuda
