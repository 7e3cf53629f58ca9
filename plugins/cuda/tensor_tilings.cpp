#include "tensor_tilings.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/planned_arguments.hpp"
#include "repacked_rows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace benchctl::cuda {

namespace {

/// What a tile takes per step of k, in ps, on a multiprocessor of its own and where others come before and
/// behind, or beside it.
struct Times {
  std::uint64_t alone;
  std::uint64_t among_others;
};

struct Row {
  TensorTiling tiling;
  Times whole;   ///< rows of A and B begin with one of the sectors of 32 bytes that memory is read in
  Times within;  ///< they begin anywhere
};

/// Measured 2026-11-23 on an H100 80GB HBM3 (132 multiprocessors, nvcc 13.0) at 12 sizes from 1024 to
/// 8192. Large tiles read less of shared memory per operation; which one is quickest depends on how well
/// tiles of its size fill the multiprocessors. Small ones are at rest between slabs when they are alone.
constexpr std::array<Row, 7> bf16_rows{{
    {{128, 256, 4, 64}, {18200, 18200}, {19500, 19500}},
    {{96, 256, 4, 64}, {14500, 14700}, {15500, 18400}},
    {{128, 128, 3, 64}, {9400, 9700}, {10600, 12600}},
    {{96, 128, 4, 64}, {7700, 7500}, {10600, 10900}},
    {{64, 128, 4, 64}, {5700, 5500}, {8000, 8800}},
    {{64, 64, 4, 64}, {4200, 3500}, {6200, 6300}},
    {{64, 32, 8, 64}, {3100, 2300}, {3600, 4100}},
}};
constexpr std::array<Row, 7> tf32_rows{{
    {{128, 256, 4, 32}, {39500, 39500}, {40500, 40500}},
    {{96, 256, 4, 32}, {34300, 34300}, {35500, 35500}},
    {{128, 128, 3, 32}, {21500, 20300}, {21500, 20900}},
    {{96, 128, 4, 32}, {18700, 16600}, {18700, 17200}},
    {{128, 64, 4, 32}, {14100, 12800}, {14100, 13500}},
    {{64, 64, 4, 32}, {9000, 7700}, {9000, 8000}},
    {{64, 32, 8, 32}, {6100, 5000}, {6100, 5200}},
}};
constexpr std::string_view measured = "sm_90a";

/// Where tiles are shared out evenly: to begin one tile more, to leave sums for another block and to add
/// them up, ps; and a step's time, in parts of what it takes elsewhere.
constexpr std::uint64_t sharing = 11'000'000;
constexpr double evenly = 1.07;
/// Each tile is long enough for two parts.
constexpr std::uint64_t least_sum = 512;

std::span<const Row> rows_of(Narrow kind) {
  if (kind == Narrow::bf16) return bf16_rows;
  return tf32_rows;
}

std::uint64_t tiles(const ProductSize& size, const TensorTiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

std::uint64_t shared_bytes(Narrow kind, const TensorTiling& tiling) {
  return std::uint64_t{tiling.stages} * (tiling.tile_m + tiling.tile_n) * tiling.depth *
         element_bytes(kind);
}

/// As many stages as there is room for, up to those that were measured.
TensorTiling that_fits(Narrow kind, TensorTiling tiling, std::uint64_t most_bytes) {
  while (tiling.stages > 2 && shared_bytes(kind, tiling) > most_bytes) --tiling.stages;
  return tiling;
}

/// The largest copies, in bytes, that rows of so many elements begin at multiples of.
std::uint64_t copied_at_once(Narrow kind, std::uint64_t row) {
  std::uint64_t bytes = 16;
  while (row * element_bytes(kind) % bytes != 0) bytes /= 2;
  return bytes;
}

/// Where copies are of less than 16 bytes: of a product's time, how much longer it takes. Measured on an
/// H100 at six sizes from 1001 to 4095; of copies of 2 bytes in small tiles.
double slowdown(Narrow kind, const ProductSize& size) {
  switch (std::min(copied_at_once(kind, size.k), copied_at_once(kind, size.n))) {
    case 2:
      return 10;
    case 4:
      return 1.6;
    case 8:
      return 1.3;
    default:
      return 1;
  }
}

const Times& times_of(Narrow kind, const ProductSize& size, const Row& row) {
  const bool whole = size.k * element_bytes(kind) % 32 == 0 && size.n * element_bytes(kind) % 32 == 0;
  return whole ? row.whole : row.within;
}

/// Until the multiprocessor that gets most tiles is done.
std::uint64_t expected_time(std::uint64_t tile_count, std::uint64_t k, const Times& times,
                            std::uint64_t compute_units) {
  const std::uint64_t most = ceil_div(tile_count, compute_units);
  return most == 1 ? k * times.alone : most * k * times.among_others;
}

/// The same where as many blocks as there are multiprocessors share out the tiles evenly.
std::uint64_t expected_time_evenly(std::uint64_t tile_count, std::uint64_t k, const Times& times,
                                   std::uint64_t compute_units) {
  const double all = evenly * static_cast<double>(tile_count * k * times.alone);
  return sharing + static_cast<std::uint64_t>(all / static_cast<double>(compute_units));
}

/// Whether there are more tiles than multiprocessors, each long enough for parts. Where compilers have
/// registers for that.
bool shares_out(Narrow kind, const ProductSize& size, const TensorTiling& tiling,
                const ProductDevice& device) {
  const bool has_room =
      tiling.tile_m <= 96 || (kind == Narrow::bf16 && tiling.tile_m * tiling.tile_n == 32768);
  return has_room && device.architecture == measured && size.k >= least_sum &&
         tiles(size, tiling) > device.compute_units;
}

}  // namespace

std::vector<gpu::Ranked<TensorTiling>> rank_tensor_tilings(Narrow kind, const ProductDevice& device,
                                                           const ProductSize& size, std::size_t most) {
  std::vector<gpu::Ranked<TensorTiling>> found;
  const double slower = slowdown(kind, size);
  const auto add = [&](const TensorTiling& tiling, std::uint64_t ps) {
    // The narrowest tiles copy most per operation.
    const double narrow = slower > 1 && tiling.tile_n == 32 ? 1.3 : 1;
    found.push_back({tiling, static_cast<double>(ps) / 1000 * slower * narrow});
  };
  for (const Row& row : rows_of(kind)) {
    TensorTiling tiling = that_fits(kind, row.tiling, device.shared_bytes);
    if (shared_bytes(kind, tiling) > device.shared_bytes) continue;
    const Times& times = times_of(kind, size, row);
    const std::uint64_t count = tiles(size, tiling);
    const std::uint64_t steps = ceil_div(size.k, tiling.depth) * tiling.depth;
    add(tiling, expected_time(count, steps, times, device.compute_units));
    if (!shares_out(kind, size, tiling, device)) continue;
    tiling.workers = 1;
    add(tiling, expected_time_evenly(count, steps, times, device.compute_units));
  }
  if (found.empty()) found.push_back({rows_of(kind).back().tiling, 0});
  return gpu::rank(std::move(found), most, gpu::never_alike);
}

TensorTiling choose_tensor_tiling(Narrow kind, const ProductDevice& device, const ProductSize& size) {
  return rank_tensor_tilings(kind, device, size, 1).front().form;
}

KernelPlan plan_tensor(const ProblemSpec& problem, Narrow kind, const ProductSize& size,
                       const TensorTiling& tiling, std::uint64_t compute_units,
                       const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks =
      tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units);
  const std::uint64_t parts = tiling.workers == 0 ? 0 : blocks;
  const std::uint32_t warp_m = tiling.tile_n == 32 ? tiling.tile_m / 4 : std::min(tiling.tile_m / 2, 64U);
  const std::uint32_t warp_n = tiling.tile_n >= 128 ? 64 : 32;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f32, std::max<std::uint64_t>(4, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor.cu").lexically_normal().string();
  launch.entry = "matmul_tensor";
  launch.defines = {{"TF32", kind == Narrow::bf16 ? "0" : "1"},
                    {"TERMS", "1"},
                    {"TILE_M", std::to_string(tiling.tile_m)},
                    {"TILE_N", std::to_string(tiling.tile_n)},
                    {"WARP_M", std::to_string(warp_m)},
                    {"WARP_N", std::to_string(warp_n)},
                    {"STAGES", std::to_string(tiling.stages)},
                    {"DEPTH", std::to_string(tiling.depth)},
                    {"EVEN", tiling.workers == 0 ? "0" : "1"},
                    {"SPLITS", "1"},
                    {"BAND", "8"},
                    {"A_BYTES", std::to_string(copied_at_once(kind, size.k))},
                    {"B_BYTES", std::to_string(copied_at_once(kind, size.n))}};
  launch.block = {std::uint64_t{tiling.tile_m} / warp_m * (tiling.tile_n / warp_n) * 32, 1, 1};
  launch.grid = {blocks, 1, 1};
  launch.shared_bytes = shared_bytes(kind, tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const TensorTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + ", " +
         number(tiling.stages) + " stages" +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::cuda
