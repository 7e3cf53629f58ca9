#include "strip_forms.hpp"

namespace benchctl::cuda {

namespace {

/// Columns with which a tile of `register_tiled` would be empty for the most part.
constexpr std::uint64_t most_narrow = 32;

gpu::StripDevice strip_device(const ProductDevice& device) {
  return {device.compute_units, device.shared_bytes};
}

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, strip_device(device));
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  return chosen(size, device).form;
}

std::vector<gpu::Ranked<StripForm>> rank_strips(const ProductSize& size, const ProductDevice& device,
                                                std::size_t most) {
  return gpu::rank_strips(size, strip_device(device), most);
}

// What it chooses of tiles and strips took, in the mean of some 1500 sizes on an H100, 1.1 % longer than
// the quickest that was tried.
bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  const gpu::ChosenStrips strips = chosen(size, device);
  if (strips.expected_ns == 0) return false;
  if (size.n <= most_narrow) return true;
  return strips.expected_ns < choose_tiling(device, size).expected_ns;
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
