#include "strip_forms.hpp"

namespace benchctl::cuda {

namespace {

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, {device.compute_units, device.shared_bytes});
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  return chosen(size, device).form;
}

bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  return gpu::strips_pay(size, chosen(size, device), choose_tiling(device, size).expected_ns);
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
