#include "strip_forms.hpp"

namespace benchctl::cuda {

namespace {

/// Columns with which a tile of `register_tiled` would be empty for the most part.
constexpr std::uint64_t most_narrow = 32;
/// Columns of one strip.
constexpr std::uint64_t one_strip = 64;
/// By how much the estimate of several strips is too short where neither rows of A nor those of B begin
/// with packs.
constexpr double longer_anywhere = 1.3;

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, {device.compute_units, device.shared_bytes});
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  return chosen(size, device).form;
}

// What it chooses of tiles and strips took, in the mean of 371 sizes on an H100, 1.1 % longer than the
// quickest that was tried.
bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  const double ns = chosen(size, device).expected_ns;
  if (ns == 0) return false;
  if (size.n <= most_narrow) return true;
  const bool begins_anywhere = size.n % 4 != 0 && size.k % 4 != 0;
  const double longer = begins_anywhere && size.n > one_strip ? longer_anywhere : 1;
  return ns * longer < choose_tiling(device, size).expected_ns;
}

KernelPlan plan_strips(const ProblemSpec& problem, const ProductSize& size, const StripForm& form,
                       const std::filesystem::path& kernels) {
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_strips.cu").lexically_normal().string();
  launch.entry = "matmul_strips";
  KernelPlan plan = gpu::plan_strips(problem, size, form, std::move(launch));
  plan.launches.front().shared_bytes = plan.launches.front().local_bytes;
  return plan;
}

}  // namespace benchctl::cuda
