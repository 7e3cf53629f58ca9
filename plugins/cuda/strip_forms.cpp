#include "strip_forms.hpp"

namespace benchctl::cuda {

namespace {

/// Columns with which a tile of `register_tiled` would be empty for the most part.
constexpr std::uint64_t most_narrow = 32;
/// Columns of one strip.
constexpr std::uint64_t one_strip = 64;
/// By how much the estimate of strips is to be shorter than that of tiles where there are several; where
/// neither rows of A nor those of B begin with packs, it is too short.
constexpr double margin_of_strips = 1.1;
constexpr double margin_anywhere = 1.43;

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, {device.compute_units, device.shared_bytes});
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  return chosen(size, device).form;
}

// Fitted to 148 sizes on an H100, of which it chooses what takes 1.6 % longer than the quicker of both, in
// the mean.
bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  const double ns = chosen(size, device).expected_ns;
  if (ns == 0) return false;
  if (size.n <= most_narrow) return true;
  const bool begins_anywhere = size.n % 4 != 0 && size.k % 4 != 0;
  const double margin = begins_anywhere ? margin_anywhere : size.n <= one_strip ? 1 : margin_of_strips;
  return ns * margin < choose_tiling(device, size).expected_ns;
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
