#include "strip_forms.hpp"

#include "product_rates.hpp"
#include "skinny_forms.hpp"

#include <benchctl/failure.hpp>

#include <algorithm>

namespace benchctl::opencl {

namespace {

/// Where a limit of registers makes room for several groups, NVIDIA's compiler is not told the size of one:
/// 64 × 64 × 65536 24.2 us so, and 21.8 in groups of twice the size that have a compute unit each.
constexpr double limited_take = 1.03;

gpu::ChosenStrips chosen(const ProductSize& size, const ProductDevice& device) {
  return gpu::choose_strips(
      size, {device.compute_units, device.local_bytes, gpu::StripTimes::opencl, limited_take});
}

/// Columns with which a tile of `register_tiled` would be empty for the most part, and columns of one
/// strip.
constexpr std::uint64_t most_narrow = 32;
constexpr std::uint64_t one_strip = 64;
/// By how much the estimate of several strips is too short, unless C has few rows, at 25 sizes: where rows
/// of B begin with packs, where they do not, and where those of A do not either, which the estimate knows
/// of.
constexpr double packs_take = 1.12;
constexpr double from_within_take = 1.17;
constexpr double from_anywhere_take = 1.05;
/// With few rows: not at all, and by so much to be sure where B is too large for caches.
constexpr double from_memory_take = 1.1;
/// What tiles take longer than by their model per part from the tenth on, ns: one group adds up all.
constexpr double part_ns = 220;
constexpr double parts = 10;

double tiled_ns(const ChosenTiling& tiled) {
  const bool one_joins = tiled.tiling.slices == 1 && tiled.tiling.workers == 0;
  return tiled.expected_ns + (one_joins ? part_ns * std::max(0.0, tiled.tiling.splits - parts) : 0);
}

double several_take(const ProductSize& size) {
  if (size.n <= one_strip) return 1;
  const double bytes = 4.0 * static_cast<double>(size.k) * static_cast<double>(size.n);
  if (size.m <= most_few_rows) return bytes > cache_bytes ? from_memory_take : 1;
  if (size.n % 4 == 0) return packs_take;
  return size.k % 4 == 0 ? from_within_take : from_anywhere_take;
}

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

// Measured beside each other at 40 sizes.
bool strips_pay(const ProductSize& size, const ProductDevice& device) {
  if (!device.cp_async) return false;
  const gpu::ChosenStrips strips = chosen(size, device);
  if (strips.expected_ns == 0) return false;
  if (size.n <= most_narrow) return true;
  const double others_ns = skinny_pays(size)
                               ? expected_ns(size, choose_skinny(size, sizeof(float), device.compute_units))
                               : tiled_ns(choose_tiling(device, size));
  return strips.expected_ns * several_take(size) < others_ns;
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
