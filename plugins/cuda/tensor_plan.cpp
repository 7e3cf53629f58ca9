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

/// A tiling that takes copies of the matrices in `repacked`.
TensorProduct plan_tiling(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                          const TensorTiling& tiling, const Repacked& repacked, const ProductDevice& device,
                          const std::filesystem::path& kernels) {
  // Of copies the kernel knows C's columns, which are fewer than theirs, and that rows are whole.
  KernelPlan plan = plan_tensor(problem, kind, size, tiling, device.compute_units, kernels);
  bool overlaps = false;
  if (repacked.any()) {
    add_repacking(plan, problem, kind, size, repacked, device.compute_units, kernels);
    PlannedLaunch& launch = plan.launches.back();
    const auto take_copy = [&](const std::string& matrix) {
      launch.defines[matrix + "_UNIT"] = std::to_string(row_unit(kind));
      launch.defines[matrix + "_BYTES"] = "16";
    };
    if (repacked.a) take_copy("A");
    if (repacked.b) take_copy("B");
    overlaps = take_multiprocessors_apart(launch, device);
  }
  return {to_text(tiling), repacked, overlaps, std::move(plan)};
}

}  // namespace

TensorProduct plan_best_tensor(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                               const ProductDevice& device, const std::filesystem::path& kernels) {
  return std::move(rank_tensor(problem, kind, size, device, kernels, 1).front().form);
}

std::vector<gpu::Ranked<TensorProduct>> rank_tensor(const ProblemSpec& problem, Narrow kind,
                                                    const ProductSize& size, const ProductDevice& device,
                                                    const std::filesystem::path& kernels,
                                                    std::size_t most) {
  std::vector<gpu::Ranked<TensorProduct>> products;
  // Where rows are whole, too: few tiles with long sums come in parts there.
  for (const auto& [tiling, ns] : rank_shifted_tilings(kind, device, size, most)) {
    products.push_back(
        {{to_text(kind, tiling), {}, false, plan_tensor_shifted(problem, kind, size, tiling, kernels)},
         ns});
  }
  const auto add = [&](const Repacked& repacked, double repacking_ns) {
    const ProductSize whole = with_whole_rows(kind, size, repacked);
    for (const auto& [tiling, ns] : rank_tensor_tilings(kind, device, whole, most)) {
      products.push_back(
          {plan_tiling(problem, kind, size, tiling, repacked, device, kernels), ns + repacking_ns});
    }
  };
  add({}, 0);
  if (const Repacked repacked = rows_to_repack(kind, size); repacked.any()) {
    add(repacked, static_cast<double>(expected_repacking_ps(kind, size, repacked)) / 1000);
  }
  return gpu::rank(std::move(products), most, gpu::never_alike);
}

}  // namespace benchctl::cuda
