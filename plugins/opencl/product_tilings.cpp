#include "product_tilings.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"

#include "product_rates.hpp"

#include <algorithm>

namespace benchctl::opencl {

namespace {

using gpu::Along;
using gpu::Sharing;

/// Through registers: two groups of 64×128 on a compute unit, as far as tiles go.
constexpr ProductTiling through_registers{{64, 128, 8, 8, 8, 2, 1, Along::rows}, false};
constexpr ProductTiling through_registers_small{{32, 64, 8, 4, 4, 2, 1, Along::rows}, false};

/// Local memory of a group as NVIDIA's OpenCL has it.
constexpr std::uint64_t reported_bytes = 49152;

/// Of all slabs of all slices. Columns of A are followed by four elements, which keep its slab free of
/// conflicts, unless it is swizzled; rows of B by four where they are copied from within.
std::uint64_t stage_bytes(const ProductSize& size, const ProductTiling& tiling, bool swizzled) {
  const std::uint64_t a_pitch = tiling.tile_m + (swizzled ? 0 : 4);
  const bool within = tiling.async && copies_before(size, tiling) && tiling.thread_m >= 8;
  const std::uint64_t b_pitch = tiling.tile_n + (within ? 4 : 0);
  return std::uint64_t{tiling.slices} * tiling.stages * tiling.depth * (a_pitch + b_pitch) * sizeof(float);
}

/// Where there is room for the slabs but not for the padding. Rows of A change places among 32, which a
/// square of work-items has if each has eight.
bool is_swizzled(const ProductSize& size, const ProductTiling& tiling) {
  return tiling.thread_m >= 8 && tiling.tile_m >= 32 && stage_bytes(size, tiling, false) > reported_bytes &&
         stage_bytes(size, tiling, true) <= reported_bytes;
}

std::uint64_t items(const ProductTiling& tiling) {
  return std::uint64_t{tiling.tile_m} * tiling.tile_n / (tiling.thread_m * tiling.thread_n);
}

/// Under NVIDIA's compiler, see variants/register_tiled.cpp.
std::uint64_t registers(const ProductTiling& tiling, const ProductSize& size) {
  const std::uint64_t sums = std::uint64_t{tiling.thread_m} * tiling.thread_n;
  const bool tight = sums == 64 && tiling.along == Along::rows && tiling.splits == 1 && size.n % 4 == 0;
  const std::uint64_t words = sums + 2 * (tiling.thread_m + tiling.thread_n) +
                              2 * (8 * tiling.tile_m / items(tiling) + 1) + (tight ? 20 : 28) +
                              (tiling.workers > 0 ? 16 : 0);
  const std::uint64_t groups = std::max<std::uint64_t>(
      1, std::max<std::uint64_t>(1, 512 / words) * 128 / (items(tiling) * tiling.slices));
  return std::min<std::uint64_t>(255, 65536 / (items(tiling) * tiling.slices * groups) / 8 * 8);
}

/// Groups of a launch along tiles.
std::uint64_t groups_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t tile_count = tiles(size, tiling);
  if (tiling.workers == 0) return tile_count;
  const std::uint64_t pieces = tiling.workers > 1 ? ceil_div(size.k, tiling.depth) : 1;
  return std::min(tile_count * pieces, tiling.workers * compute_units);
}

}  // namespace

ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size) {
  if (device.cp_async) {
    const gpu::ChosenTiling chosen = gpu::choose_tiling(
        product_rates, {device.architecture, device.compute_units, device.local_bytes}, size);
    return {{chosen.tiling}, chosen.expected_ns};
  }
  const bool enough = tiles(size, through_registers) >= device.compute_units;
  return {enough ? through_registers : through_registers_small, 0};
}

std::vector<gpu::Ranked<ProductTiling>> rank_tilings(const ProductDevice& device, const ProductSize& size,
                                                     std::size_t most) {
  std::vector<gpu::Ranked<ProductTiling>> ranked;
  if (!device.cp_async) {
    const ProductTiling first = choose_tiling(device, size).tiling;
    const bool is_small = first.tile_n == through_registers_small.tile_n;
    ranked = {{first, 0}, {is_small ? through_registers : through_registers_small, 0}};
    ranked.resize(std::min(ranked.size(), most));
    return ranked;
  }
  const gpu::ProductDevice gpu_device{device.architecture, device.compute_units, device.local_bytes};
  for (const auto& [tiling, ns] : gpu::rank_tilings(product_rates, gpu_device, size, most)) {
    ranked.push_back({{tiling}, ns});
  }
  return ranked;
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t groups = groups_of(size, tiling, compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? groups * (tiling.workers > 1 ? 2 : 1)
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
  const Sharing sharing = sharing_of(size, tiling, compute_units);
  const bool swizzled = is_swizzled(size, tiling);
  KernelPlan plan;
  plan.scratch = {{"partial", DType::f64,
                   std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n * word / 8), false},
                  {"finished", DType::u32, tile_count * tiling.splits, false}};
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_register_tiled.cl").lexically_normal().string();
  launch.entry = "matmul_register_tiled";
  launch.defines = {{"REAL", "float"},
                    {"USE_FP64", "0"},
                    {"TILE_M", std::to_string(tiling.tile_m)},
                    {"TILE_N", std::to_string(tiling.tile_n)},
                    {"DEPTH", std::to_string(tiling.depth)},
                    {"THREAD_M", std::to_string(tiling.thread_m)},
                    {"THREAD_N", std::to_string(tiling.thread_n)},
                    {"STAGES", std::to_string(tiling.stages)},
                    {"BAND", "8"},
                    {"ASYNC", tiling.async ? "1" : "0"},
                    {"SPLITS", std::to_string(tiling.splits)},
                    {"SLICES", std::to_string(tiling.slices)},
                    {"EVEN", tiling.workers == 0         ? "0"
                             : sharing == Sharing::parts ? "3"
                                                         : "1"},
                    {"SWIZZLED", swizzled ? "1" : "0"},
                    {"ALONG", std::to_string(static_cast<int>(tiling.along))},
                    {"BEFORE", std::to_string(size.n % 4)},
                    {"WORDS", tiling.copies == gpu::Copies::words ? "1" : "0"}};
  // Slabs that come through registers need more of them, and would spill.
  if (tiling.async) {
    launch.defines["PORTIONS"] = std::to_string(tiling.portions);
    launch.defines["REGISTERS"] = std::to_string(registers(tiling, size));
  }
  launch.block = {items(tiling), tiling.slices, 1};
  launch.grid = {groups, tiling.splits, 1};
  launch.local_bytes = stage_bytes(size, tiling, swizzled);
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const ProductTiling& tiling) {
  if (tiling.async) return gpu::to_text(tiling);
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", through registers, along " +
         std::string(to_string(tiling.along));
}

}  // namespace benchctl::opencl
