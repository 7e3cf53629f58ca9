#include "tensor_f64_tilings.hpp"

#include "gpu/planned_arguments.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace benchctl::cuda {

namespace {

/// Times of a block, by whether k and n are even: 160 is that of one of 64×64; 0: not taken.
struct Row {
  TensorF64Tiling tiling;  ///< with spread = 1: where k or n is odd
  std::uint64_t even;
  std::uint64_t odd;
};

/// Measured on an H200 at 33 sizes from 333 to 3333 and, since pitches are congruent modulo 16, on an H100
/// at 24 from 333 to 4096, both with 132 multiprocessors (nvcc 13.0). Tilings: tile_m, tile_n, warp_m,
/// warp_n, depth, stages, spread, splits, slices, workers. Copies 8 bytes off take instructions, which are
/// in the way unless they are spread; large warps read less of shared memory, but only in slices there are
/// enough of them.
constexpr std::array<Row, 16> rows{{
    {{64, 64, 16, 32, 16, 4}, 160, 160},
    {{32, 64, 16, 32, 16, 4}, 90, 94},
    {{32, 32, 16, 16, 32, 3}, 60, 60},
    {{48, 64, 16, 32, 24, 4}, 140, 0},
    {{48, 64, 16, 32, 16, 4, 1}, 0, 128},
    {{96, 64, 16, 32, 24, 3, 1}, 250, 260},
    {{96, 128, 32, 32, 24, 3}, 490, 0},
    {{96, 128, 32, 32, 16, 4, 1}, 0, 465},
    {{64, 128, 32, 32, 16, 3, 0, 1, 2}, 0, 298},
    // Shared out evenly: quickest where the last turn of others would leave most multiprocessors idle.
    {{64, 128, 16, 32, 16, 4, 0, 1, 1, 1}, 385, 0},
    // Where no multiprocessor gets more than one block.
    {{32, 64, 16, 32, 16, 4, 0, 1, 2}, 80, 0},
    {{48, 64, 16, 32, 24, 3, 0, 1, 2}, 130, 0},
    {{48, 64, 16, 32, 16, 3, 1, 1, 2}, 0, 126},
    {{64, 64, 16, 32, 32, 3, 1}, 0, 148},
    {{32, 32, 16, 16, 32, 3, 0, 1, 2}, 0, 58},
    {{32, 32, 16, 16, 16, 3, 0, 1, 2}, 56, 0},
}};
constexpr std::size_t first_of_one_round = 10;
constexpr std::string_view measured = "sm_90a";

/// The quickest for large products with even k and n: twice the time of 64×64 for twice the tile.
constexpr TensorF64Tiling wide{64, 128, 32, 32, 16, 3, 0, 1, 1, 0, 8, 0};
constexpr TensorF64Tiling strip{32, 64, 16, 32, 16, 4};

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, const TensorF64Tiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// In shared memory, of rows of `part` doubles out of `length`: congruent to their length modulo 16, or
/// modulo 4 without `lines`, or where that asks for turned sectors and the other operand's length is odd.
std::uint64_t pitch(std::uint64_t part, std::uint64_t length, std::uint64_t other, bool lines) {
  if (!lines) return part + 2 + (length + 2) % 4;
  const std::uint64_t least = part + length % 2;
  const std::uint64_t apart = length % 8 == 0 && other % 2 != 0 ? 4 : length % 16;
  return least + (apart + 512 - least) % 16;
}

std::uint64_t shared_bytes(const ProductSize& size, const TensorF64Tiling& tiling) {
  const std::uint64_t of_a = tiling.tile_m * pitch(tiling.depth, size.k, size.n, tiling.lines != 0);
  const std::uint64_t of_b = tiling.depth * pitch(tiling.tile_n, size.n, size.k, tiling.lines != 0);
  return 8 * tiling.slices * tiling.stages * (of_a + of_b);
}

/// How many blocks the busiest multiprocessor gets.
std::uint64_t most_blocks(const ProductSize& size, const TensorF64Tiling& tiling,
                          const ProductDevice& device) {
  return ceil_div(tiles(size, tiling), device.compute_units);
}

/// Two blocks with a part of k each, of 256 steps at least, are to run on every multiprocessor: they wait
/// for B.
TensorF64Tiling of_strip(const ProductSize& size, const ProductDevice& device) {
  TensorF64Tiling tiling = strip;
  const std::uint64_t wanted = 2 * device.compute_units / ceil_div(size.n, strip.tile_n);
  tiling.splits =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::min(size.k / 256, wanted), 1, 16));
  return tiling;
}

/// Whether there are more tiles than blocks that run at once, each long enough for two parts. Where
/// compilers have registers for that.
bool shares_out(const ProductSize& size, const TensorF64Tiling& tiling, const ProductDevice& device) {
  return device.architecture == measured && size.k >= 256 &&
         tiles(size, tiling) > tiling.workers * device.compute_units;
}

struct Timed {
  TensorF64Tiling tiling;
  std::uint64_t time;
};

/// Of the rows that have a time for such a product, the one with which the busiest multiprocessor is done
/// first.
Timed quickest(const ProductSize& size, bool even, const ProductDevice& device) {
  TensorF64Tiling best = rows.front().tiling;
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t cost = even ? rows.at(i).even : rows.at(i).odd;
    TensorF64Tiling tiling = rows.at(i).tiling;
    if (even) tiling.spread = 0;
    const std::uint64_t blocks = most_blocks(size, tiling, device);
    // A slice has four slabs at least.
    const bool short_sum = tiling.slices > 1 && size.k < std::uint64_t{4} * tiling.depth * tiling.slices;
    if (cost == 0 || short_sum || shared_bytes(size, tiling) > device.shared_bytes) continue;
    if (i >= first_of_one_round && blocks > 1) continue;
    if (tiling.workers > 0 && !shares_out(size, tiling, device)) continue;
    const std::uint64_t time =
        tiling.workers > 0 ? ceil_div(tiles(size, tiling) * cost, device.compute_units) : blocks * cost;
    if (least > 0 && time >= least) continue;
    least = time;
    best = tiling;
  }
  return {best, least};
}

/// Of more rows than a strip has.
Timed choose(const ProductDevice& device, const ProductSize& size) {
  const bool even = size.k % 2 == 0 && size.n % 2 == 0;
  const std::uint64_t blocks = most_blocks(size, wide, device);
  const std::uint64_t blocks_of_square = most_blocks(size, rows.front().tiling, device);
  if (even && (blocks >= 12 || (blocks >= 4 && 2 * blocks <= blocks_of_square))) {
    return {wide, blocks * 2 * rows.front().even};
  }
  Timed timed = quickest(size, even, device);
  TensorF64Tiling& tiling = timed.tiling;
  // A block that need not look for its tile begins sooner.
  if (tiling.workers == 0 && most_blocks(size, tiling, device) == 1) tiling.band = 0;
  return timed;
}

}  // namespace

TensorF64Tiling choose_tensor_f64_tiling(const ProductDevice& device, const ProductSize& size) {
  return size.m <= strip.tile_m ? of_strip(size, device) : choose(device, size).tiling;
}

std::uint64_t expected_time_of_tensor_f64(const ProductDevice& device, const ProductSize& size) {
  return choose(device, size).time;
}

KernelPlan plan_tensor_f64(const ProblemSpec& problem, const ProductSize& size,
                           const TensorF64Tiling& tiling, std::uint64_t compute_units,
                           const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks =
      tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? blocks
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64, std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor_f64.cu").lexically_normal().string();
  launch.entry = "matmul_tensor_f64";
  launch.defines = {{"TILE_M", std::to_string(tiling.tile_m)}, {"TILE_N", std::to_string(tiling.tile_n)},
                    {"WARP_M", std::to_string(tiling.warp_m)}, {"WARP_N", std::to_string(tiling.warp_n)},
                    {"DEPTH", std::to_string(tiling.depth)},   {"STAGES", std::to_string(tiling.stages)},
                    {"SPREAD", std::to_string(tiling.spread)}, {"SPLITS", std::to_string(tiling.splits)},
                    {"SLICES", std::to_string(tiling.slices)}, {"EVEN", tiling.workers == 0 ? "0" : "1"},
                    {"BAND", std::to_string(tiling.band)},     {"LINES", std::to_string(tiling.lines)},
                    {"K_MODULO", std::to_string(size.k % 16)}, {"N_MODULO", std::to_string(size.n % 16)}};
  launch.block = {tiling.tile_m / tiling.warp_m * (tiling.tile_n / tiling.warp_n) * 32, tiling.slices, 1};
  launch.grid = {blocks, tiling.splits, 1};
  if (tiling.band == 0) launch.grid = {ceil_div(size.n, tiling.tile_n), ceil_div(size.m, tiling.tile_m), 1};
  launch.shared_bytes = shared_bytes(size, tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const TensorF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.warp_m) + "x" + number(tiling.warp_n) + ", " + number(tiling.stages) +
         " stages, copies " + (tiling.spread != 0 ? "spread" : "together") + ", " + number(tiling.splits) +
         " parts, " + number(tiling.slices) + " slices" +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "") +
         (tiling.band == 0 ? ", no bands" : "") + (tiling.lines == 0 ? ", pitches modulo 4" : "");
}

}  // namespace benchctl::cuda
