#include "fed_f64_tilings.hpp"

#include "gpu/planned_arguments.hpp"
#include "tensor_f64_tilings.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace benchctl::cuda {

namespace {

/// Times of a tile, by whether the copy engine can be used, in the unit of those of tensor_f64; 0: not
/// taken.
struct Row {
  FedF64Tiling tiling;
  std::uint64_t even;
  std::uint64_t odd;
  std::uint64_t most_rounds;  ///< tiles that a multiprocessor may get; 0: any number
};

/// Measured on an H100 with 132 multiprocessors (nvcc 13.0). Tilings: tile_m, tile_n, warp_m, warp_n,
/// depth, stages, feeders, slices, resident, later. Where rows are odd, tiles that follow each other on a
/// multiprocessor are as quick in tensor_f64, several blocks of which fit.
constexpr std::array<Row, 9> rows{{
    {{64, 64, 16, 32, 16, 6, 1, 1, 2}, 159, 0, 0},
    {{96, 64, 48, 32, 16, 5, 4, 1, 2, 1}, 235, 0, 0},
    {{96, 128, 48, 32, 16, 6, 4, 1, 1, 1}, 460, 0, 2},
    {{128, 128, 64, 32, 16, 6, 4, 1, 1, 1}, 625, 0, 0},
    {{64, 128, 16, 32, 16, 6, 1}, 312, 0, 1},
    {{32, 32, 16, 16, 32, 6, 4, 2}, 0, 55, 1},
    {{48, 64, 24, 32, 16, 8, 4, 2}, 0, 119, 2},
    {{64, 64, 16, 32, 32, 5, 8}, 0, 142, 1},
    {{64, 128, 32, 32, 16, 6, 4}, 0, 286, 1},
}};
/// Tiles in parts, for small C and long sums, whose blocks all run at once, one on a multiprocessor:
/// picoseconds of a step of k. Measured on an H100 (nvcc 13.0) at 61 sizes, most of them drawn at random.
struct RowOfParts {
  FedF64Tiling tiling;
  double step_ps;
};
constexpr std::array<RowOfParts, 2> rows_of_parts{{
    {{32, 32, 16, 16, 32, 6, 4, 2}, 7800},
    {{32, 64, 16, 32, 32, 6, 4, 2}, 14100},
}};
constexpr double starting_ns = 2300;
constexpr double joining_ns = 1700;
constexpr double joining_ns_of_byte = 0.016;  ///< of all parts of a tile, which one block adds up
constexpr double ps_of_unit = 128;            ///< of the times of `rows`, for a step of k
constexpr double least_gain = 1.1;            ///< expected, for parts to be taken
constexpr std::uint64_t least_steps_of_part = 64;
constexpr std::uint64_t most_parts = 24;
constexpr std::uint64_t most_strip_rows = 32;
/// Of each tile of so few rows: where fewer run at once tensor_f64 is as quick.
constexpr std::uint64_t least_parts_of_strip = 6;

/// Of k; shorter sums were not measured.
constexpr std::uint64_t least_depth = 256;
constexpr std::string_view measured = "sm_90a";

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, const FedF64Tiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// Slabs, and two barriers for each.
std::uint64_t shared_bytes(const FedF64Tiling& tiling) {
  return tiling.stages * (std::uint64_t{8} * tiling.depth * (tiling.tile_m + tiling.tile_n) + 16);
}

/// With one block on a multiprocessor.
double expected_ns_of_parts(const ProductSize& size, const RowOfParts& row, std::uint64_t splits) {
  const FedF64Tiling& tiling = row.tiling;
  const std::uint64_t steps = ceil_div(ceil_div(size.k, tiling.depth), splits) * tiling.depth;
  const std::uint64_t bytes = std::uint64_t{8} * tiling.tile_m * tiling.tile_n * splits;
  return starting_ns + static_cast<double>(steps) * row.step_ps / 1000 + joining_ns +
         static_cast<double>(bytes) * joining_ns_of_byte;
}

/// The quickest way in parts, if it is quicker than `least_ns`.
std::optional<FedF64Tiling> choose_parts(const ProductDevice& device, const ProductSize& size,
                                         double least_ns) {
  std::optional<FedF64Tiling> best;
  for (const RowOfParts& row : rows_of_parts) {
    // Of few rows the smallest tiles alone.
    if (size.m <= most_strip_rows && best) break;
    if (shared_bytes(row.tiling) > device.shared_bytes) continue;
    const std::uint64_t most = std::min(
        {most_parts, device.compute_units / tiles(size, row.tiling), size.k / least_steps_of_part});
    for (std::uint64_t splits = 2; splits <= most; ++splits) {
      const double ns = expected_ns_of_parts(size, row, splits);
      if (ns >= least_ns) continue;
      least_ns = ns;
      best = row.tiling;
      best->splits = static_cast<std::uint32_t>(splits);
    }
  }
  return best;
}

/// Where C has few rows tensor_f64 has tiles of 32×64 in up to 16 parts, which is as quick unless there are
/// few columns, too: then half as many columns in a tile keep more multiprocessors busy.
std::optional<FedF64Tiling> choose_parts_of_strip(const ProductDevice& device, const ProductSize& size) {
  if (tiles(size, rows_of_parts.front().tiling) * least_parts_of_strip > device.compute_units) {
    return std::nullopt;
  }
  return choose_parts(device, size, std::numeric_limits<double>::max());
}

}  // namespace

bool rows_suit_copy_engine(const ProductSize& size) { return size.k % 2 == 0 && size.n % 2 == 0; }

std::optional<FedF64Tiling> choose_fed_f64_tiling(const ProductDevice& device, const ProductSize& size) {
  if (device.architecture != measured || size.k < least_depth) return std::nullopt;
  if (size.m <= most_strip_rows) return choose_parts_of_strip(device, size);
  std::optional<FedF64Tiling> best;
  std::uint64_t least = expected_time_of_tensor_f64(device, size);
  for (const Row& row : rows) {
    const std::uint64_t cost = rows_suit_copy_engine(size) ? row.even : row.odd;
    const std::uint64_t blocks = ceil_div(tiles(size, row.tiling), device.compute_units);
    if (cost == 0 || shared_bytes(row.tiling) > device.shared_bytes) continue;
    if ((row.most_rounds > 0 && blocks > row.most_rounds) || blocks * cost >= least) continue;
    least = blocks * cost;
    best = row.tiling;
  }
  const double whole_ns = starting_ns + static_cast<double>(least * size.k) * ps_of_unit / 1000;
  const std::optional<FedF64Tiling> parts = choose_parts(device, size, whole_ns / least_gain);
  return parts ? parts : best;
}

KernelPlan plan_fed_f64(const ProblemSpec& problem, const ProductSize& size, const FedF64Tiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t warps = tiling.tile_m / tiling.warp_m * (tiling.tile_n / tiling.warp_n);
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  PlannedLaunch launch;
  launch.source = (kernels / "matmul_tensor_f64_fed.cu").lexically_normal().string();
  launch.entry = "matmul_tensor_f64_fed";
  launch.defines = {
      {"TILE_M", number(tiling.tile_m)},     {"TILE_N", number(tiling.tile_n)},
      {"WARP_M", number(tiling.warp_m)},     {"WARP_N", number(tiling.warp_n)},
      {"DEPTH", number(tiling.depth)},       {"STAGES", number(tiling.stages)},
      {"FEEDERS", number(tiling.feeders)},   {"SLICES", number(tiling.slices)},
      {"RESIDENT", number(tiling.resident)}, {"LATER", number(tiling.later)},
      {"BAND", number(tiling.band)},         {"COPY_ENGINE", rows_suit_copy_engine(size) ? "1" : "0"},
      {"SPLITS", number(tiling.splits)}};
  launch.block = {(warps * tiling.slices + tiling.feeders) * 32, 1, 1};
  launch.grid = {tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units),
                 tiling.splits, 1};
  launch.shared_bytes = shared_bytes(tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  const std::uint64_t parts = tiling.splits > 1 ? tile_count * tiling.splits : 0;
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64, std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n), false},
      {"finished", DType::u32, tile_count, false}};
  plan.launches.push_back(std::move(launch));
  return plan;
}

BestF64Product plan_best_f64(const ProblemSpec& problem, const ProductSize& size,
                             const ProductDevice& device, const std::filesystem::path& kernels) {
  if (const std::optional<FedF64Tiling> fed = choose_fed_f64_tiling(device, size)) {
    return {plan_fed_f64(problem, size, *fed, device.compute_units, kernels), to_text(*fed)};
  }
  const TensorF64Tiling tiling = choose_tensor_f64_tiling(device, size);
  return {plan_tensor_f64(problem, size, tiling, device.compute_units, kernels), to_text(tiling)};
}

std::string to_text(const FedF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.warp_m) + "x" + number(tiling.warp_n) + ", " + number(tiling.stages) + " stages, " +
         number(tiling.feeders) + (tiling.feeders == 1 ? " feeder" : " feeders") +
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "") +
         (tiling.splits > 1 ? ", " + number(tiling.splits) + " parts" : "") +
         (tiling.later > 0 ? ", operands later" : "") +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::cuda
