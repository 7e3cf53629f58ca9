#include "strip_forms.hpp"

namespace benchctl::cuda {

namespace {

/// Columns with which a tile of `register_tiled` would be empty for the most part.
constexpr std::uint64_t most_narrow = 32;
/// Columns of one strip.
constexpr std::uint64_t one_strip = 64;
/// By how much the estimate of several strips is too short where neither rows of A nor those of B begin
/// with packs, or not both, and threads have so many columns that registers are few.
constexpr double longer_anywhere = 1.3;
constexpr std::uint32_t many_columns = 14;

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, {device.compute_units, device.shared_bytes});
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  return chosen(size, device).form;
}

// What it chooses of tiles and strips took, in the mean of some 890 sizes on an H100, 0.6 % longer than the
// quickest that was tried.
bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  const gpu::ChosenStrips strips = chosen(size, device);
  if (strips.expected_ns == 0) return false;
  if (size.n <= most_narrow) return true;
  const int anywhere = (size.n % 4 != 0 ? 1 : 0) + (size.k % 4 != 0 ? 1 : 0);
  const bool longer =
      size.n > one_strip && anywhere + (strips.form.thread_n >= many_columns && anywhere > 0 ? 1 : 0) > 1;
  return strips.expected_ns * (longer ? longer_anywhere : 1) < choose_tiling(device, size).expected_ns;
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
