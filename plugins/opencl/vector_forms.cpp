#include "vector_forms.hpp"

#include "gpu/joined_product.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

constexpr std::uint64_t pack_bytes = 16;

/// As the kernel counts them, HELD and a pack, in bytes.
std::uint64_t local_bytes(const gpu::VectorForm& form, std::uint64_t element, bool shuffles) {
  const std::uint64_t width = pack_bytes / element;
  const std::uint64_t items = std::uint64_t{32} * form.warps;
  const std::uint64_t of_warps =
      std::uint64_t{form.warps} * form.rows * (form.by_columns ? form.columns : form.lanes * width);
  const std::uint64_t without_shuffles = form.by_columns ? of_warps + items : of_warps * (32 / form.lanes);
  return ((shuffles ? of_warps : without_shuffles) / width + 1) * pack_bytes +
         (form.splits > 1 ? sizeof(std::uint32_t) : 0);
}

/// Of an NVIDIA multiprocessor's, as many as its resident groups leave each work-item.
std::uint64_t registers(const gpu::VectorForm& form) {
  return std::min<std::uint64_t>(255, 65536 / (32 * form.warps * form.resident) / 8 * 8);
}

}  // namespace

bool has_shuffles(const DeviceInfo& device) {
  return std::ranges::find(device.features, "cl_nv_compiler_options") != device.features.end();
}

KernelPlan plan_vectors(const ProblemSpec& problem, const gpu::VectorForm& form, bool shuffles,
                        const std::filesystem::path& kernels) {
  const std::uint64_t element = gpu::product_element_bytes(problem);
  KernelPlan plan = gpu::plan_vectors(problem, form, kernels / "matmul_vectors.cl");
  PlannedLaunch& launch = plan.launches.front();
  launch.defines["WIDTH"] = std::to_string(pack_bytes / element);
  launch.defines["USE_FP64"] = element == 8 ? "1" : "0";
  launch.defines["SHUFFLES"] = shuffles ? "1" : "0";
  if (shuffles) {
    launch.defines["REGISTERS"] = std::to_string(registers(form));
    // Larger groups, too, are better off with the limit than with their size, which makes NVIDIA's compiler
    // save registers, 32 for each, and so loads under way: 1 × 4096 × 1024 4.9 µs, 5.8 with.
    if (launch.block[0] > 256) launch.defines["REGISTERS_LIMITED"] = "1";
  }
  launch.local_bytes = local_bytes(form, element, shuffles);
  return plan;
}

}  // namespace benchctl::opencl
