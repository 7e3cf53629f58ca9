#include "strip_forms.hpp"

#include "skinny_forms.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>

namespace benchctl::opencl {

namespace {

/// Columns of one strip of C.
constexpr std::uint64_t one_strip = 64;

/// Beside CUDA's times, at 303 sizes on an H100: by how much later kernels start and end, ns. Where there
/// are several strips, and rows of neither A nor B begin with packs, the loop takes longer, too.
double starting_later(const ProductSize& size) {
  return size.n > one_strip && size.n % 4 != 0 && size.k % 4 != 0 ? 1500 : 800;
}

/// NVIDIA's compiler makes three groups of 32 rows with slabs of 64 fit with a limit of registers only.
constexpr double three_take = 1.05;

gpu::StripDevice strip_device(const ProductSize& size, const ProductDevice& device) {
  return {device.compute_units, device.local_bytes, starting_later(size), three_take};
}

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(size, strip_device(size, device));
}

/// Columns with which a tile of `register_tiled` would be empty for the most part.
constexpr std::uint64_t most_narrow = 32;

/// As many as an instruction can name: that is no limit.
constexpr std::uint64_t most_registers = 255;

/// Of an NVIDIA multiprocessor's, as many as its resident groups leave each work-item.
std::uint64_t registers(const StripForm& form) {
  return std::min(most_registers, 65536 / (form.threads() * form.resident) / 8 * 8);
}

}  // namespace

StripForm choose_strips(const ProductSize& size, const ProductDevice& device) {
  const gpu::ChosenStrips strips = chosen(size, device);
  if (strips.expected_ns == 0) {
    throw Failure(
        FailureKind::unsupported,
        "no form of strips has room in " + std::to_string(device.local_bytes) + " bytes of local memory");
  }
  return strips.form;
}

std::vector<gpu::Ranked<StripForm>> rank_strips(const ProductSize& size, const ProductDevice& device,
                                                std::size_t most) {
  return gpu::rank_strips(size, strip_device(size, device), most);
}

bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  if (!device.cp_async) return false;
  const gpu::ChosenStrips strips = chosen(size, device);
  if (strips.expected_ns == 0) return false;
  if (size.n <= most_narrow) return true;
  const std::uint64_t units = device.compute_units;
  const double others_ns = skinny_pays(size, device)
                               ? expected_ns(size, choose_skinny(size, sizeof(float), units), units)
                               : choose_tiling(device, size).expected_ns;
  return strips.expected_ns < others_ns;
}

KernelPlan plan_strips(const ProblemSpec& problem, const ProductSize& size, const StripForm& form,
                       bool cp_async, const std::filesystem::path& kernels) {
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_strips.cl").lexically_normal().string();
  launch.entry = "matmul_strips";
  KernelPlan plan = gpu::plan_strips(problem, size, form, std::move(launch));
  auto& defines = plan.launches.front().defines;
  defines["ASYNC"] = cp_async ? "1" : "0";
  defines["ONE_STRIP"] = size.n <= form.tile_n() ? "1" : "0";
  // Without a limit the kernel tells the size of its groups instead, which is quicker: 4096 × 32 ×
  // 4096 35.4 µs, 36.2 with.
  if (cp_async && registers(form) < most_registers) {
    defines["REGISTERS"] = std::to_string(registers(form));
  }
  return plan;
}

}  // namespace benchctl::opencl
