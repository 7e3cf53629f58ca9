#include "tensor_plan.hpp"

#include "tensor_shifted.hpp"
#include "tensor_tilings.hpp"

#include <string>
#include <utility>

namespace benchctl::cuda {

namespace {

/// Blocks that come while the launch before still runs go where there is room, two to a multiprocessor if
/// they are small, and leave others idle: 18.8 us instead of 14.9 at 1001 in bf16. Where there is a
/// multiprocessor for each, they ask for so much shared memory that no two fit (13.7 us). True if that is
/// so.
bool take_multiprocessors_apart(PlannedLaunch& launch, const ProductDevice& device) {
  const std::uint64_t more_than_half = device.shared_bytes / 2 + 1024;
  if (launch.grid[0] <= device.compute_units && launch.shared_bytes < more_than_half) {
    launch.shared_bytes = more_than_half;
    launch.local_bytes = more_than_half;
  }
  return launch.shared_bytes >= more_than_half;
}

}  // namespace

TensorProduct plan_best_tensor(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                               const ProductDevice& device, const std::filesystem::path& kernels) {
  Repacked repacked = rows_to_repack(kind, size);
  ExpectedTensorTiling chosen = expect_tensor_tiling(kind, device, with_whole_rows(kind, size, repacked));
  if (repacked.any()) {
    chosen.ps += expected_repacking_ps(kind, size, repacked);
    const ExpectedTensorTiling as_it_is = expect_tensor_tiling(kind, device, size);
    if (as_it_is.ps <= chosen.ps) {
      chosen = as_it_is;
      repacked = {};
    }
  }
  // Where rows are whole, too: few tiles with long sums come in parts there.
  const ExpectedShiftedTiling shifted = expect_shifted_tiling(kind, device, size);
  if (shifted.ps <= chosen.ps) {
    return {to_text(kind, shifted.tiling),
            {},
            false,
            plan_tensor_shifted(problem, kind, size, shifted.tiling, kernels)};
  }
  // Of copies the kernel knows C's columns, which are fewer than theirs, and that rows are whole.
  KernelPlan plan = plan_tensor(problem, kind, size, chosen.tiling, device.compute_units, kernels);
  if (repacked.any()) {
    add_repacking(plan, problem, kind, size, repacked, device.compute_units, kernels);
    PlannedLaunch& launch = plan.launches.back();
    const auto take_copy = [&](const std::string& matrix) {
      launch.defines[matrix + "_UNIT"] = std::to_string(row_unit(kind));
      launch.defines[matrix + "_BYTES"] = "16";
    };
    if (repacked.a) take_copy("A");
    if (repacked.b) take_copy("B");
  }
  bool overlaps = false;
  if (repacked.any()) overlaps = take_multiprocessors_apart(plan.launches.back(), device);
  return {to_text(chosen.tiling), repacked, overlaps, std::move(plan)};
}

}  // namespace benchctl::cuda
