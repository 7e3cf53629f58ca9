#include "product_tilings.hpp"

#include "gpu/planned_arguments.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace benchctl::opencl {

namespace {

/// What a compute unit computes with a tiling while one, two, three and four of its groups are on it,
/// GFLOP/s, as far as that many fit; 0 behind the last. Only their ratios matter.
struct Row {
  ProductTiling tiling;
  std::array<double, 4> reached;
  /// Where as many groups per compute unit share out the tiles evenly, and what they reach; 0 where that
  /// does not pay.
  std::uint32_t workers = 0;
  double evenly = 0;
};

/// Slabs by cp.async. Measured 2026-11-22 on an H200 and, in slices, on an H100 (driver 580) by
/// configs/limits/opencl_gpu_tilings.toml, fitted to the times of sizes from 256 to 4096. Groups in slices
/// have a compute unit for themselves. Of two rows of a tile in slices the first needs more local memory
/// than drivers report. The largest tiles shared out evenly: on an H100, from 1999 to 4096.
constexpr std::array<Row, 9> rows_of_packs{{
    {{128, 256, 8, 16, 8, 4, 4, Along::rows}, {399, 0, 0, 0}, 1, 404},
    {{64, 128, 16, 8, 8, 3, 2, Along::rows}, {340, 367, 378, 382}, 3, 390},
    {{64, 64, 16, 8, 4, 3, 4, Along::rows}, {300, 335, 350, 350}},
    {{32, 64, 16, 4, 4, 4, 1, Along::rows}, {262, 280, 300, 310}},
    {{64, 128, 16, 8, 8, 3, 2, Along::columns, 1, 3}, {370, 0, 0, 0}},
    {{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 3}, {355, 0, 0, 0}},
    {{64, 64, 16, 8, 4, 3, 2, Along::rows, 1, 4}, {336, 0, 0, 0}},
    {{64, 64, 8, 8, 4, 2, 1, Along::rows, 1, 4}, {330, 0, 0, 0}},
    {{32, 64, 8, 8, 4, 3, 1, Along::rows, 1, 4}, {343, 0, 0, 0}},
}};

/// The same where rows of B begin anywhere.
constexpr std::array<Row, 11> rows_from_within{{
    {{128, 256, 8, 16, 8, 3, 2, Along::columns}, {376, 0, 0, 0}},
    {{128, 256, 8, 16, 8, 4, 4, Along::columns}, {371, 0, 0, 0}, 1, 387},
    {{128, 256, 8, 16, 8, 3, 4, Along::columns}, {371, 0, 0, 0}, 1, 384},
    {{64, 128, 16, 8, 8, 3, 2, Along::columns}, {320, 348, 362, 360}, 3, 371},
    {{64, 64, 16, 8, 4, 3, 4, Along::squares_4}, {279, 306, 318, 319}},
    {{32, 64, 16, 4, 4, 4, 1, Along::rows}, {240, 250, 263, 275}},
    {{64, 128, 16, 8, 8, 3, 2, Along::squares_2, 1, 3}, {340, 0, 0, 0}},
    {{64, 128, 8, 8, 8, 2, 1, Along::squares_2, 1, 3}, {325, 0, 0, 0}},
    {{64, 64, 16, 8, 4, 3, 4, Along::squares_4, 1, 3}, {312, 0, 0, 0}},
    {{64, 64, 8, 8, 4, 2, 1, Along::squares_4, 1, 4}, {290, 0, 0, 0}},
    {{32, 64, 8, 4, 4, 3, 1, Along::rows, 1, 4}, {297, 0, 0, 0}},
}};

/// Few tiles with long sums: one group per compute unit, in slices, each tile in parts for several groups.
/// GFLOP/s of a compute unit, and how long it takes beside that until slabs come as they are used, ns;
/// fitted to 51 times of 11 sizes from 1000x128x4000 to 64x64x65536 on an H100.
struct SlicedRow {
  ProductTiling tiling;
  double reached;
  double beginning_ns = 0;
};

constexpr std::array<SlicedRow, 5> sliced_of_packs{{
    {{64, 64, 16, 8, 8, 4, 2, Along::rows, 1, 6}, 386, 5300},
    {{64, 128, 16, 8, 8, 3, 2, Along::rows, 1, 3}, 405, 4100},
    {{64, 64, 16, 8, 4, 3, 2, Along::rows, 1, 4}, 351, 2100},
    {{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 3}, 371, 2300},
    {{64, 64, 8, 8, 4, 2, 1, Along::rows, 1, 4}, 301},
}};

constexpr std::array<SlicedRow, 4> sliced_from_within{{
    {{64, 128, 16, 8, 8, 3, 2, Along::squares_2, 1, 3}, 335},
    {{64, 64, 16, 8, 4, 3, 2, Along::squares_4, 1, 4}, 322},
    {{64, 128, 8, 8, 8, 2, 1, Along::squares_2, 1, 3}, 316},
    {{64, 64, 8, 8, 4, 2, 1, Along::squares_4, 1, 4}, 307},
}};

/// Products of a strip of C, up to so many rows: B is what takes time, and only parts of k occupy the
/// device. As in CUDA, where they were chosen at 32×4096×4096 and 32×4001×4001.
constexpr std::uint64_t most_few_rows = 32;
constexpr ProductTiling few_rows{32, 128, 16, 8, 4, 4, 1, Along::rows};
constexpr ProductTiling few_rows_within{32, 128, 16, 8, 4, 4, 1, Along::squares_4};

/// Through registers: two groups of 64×128 on a compute unit, as far as tiles go.
constexpr ProductTiling through_registers{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 1, 0, false};
constexpr ProductTiling through_registers_small{32, 64, 8, 4, 4, 2, 1, Along::rows, 1, 1, 0, false};

/// To start and end a kernel, ns; to wait for the last part of a tile and to add up each of them, ns, and
/// to write and read the parts, bytes per ns.
constexpr double starting_ns = 3500;
constexpr double joining_ns = 1300;
constexpr double joining_part_ns = 230;
constexpr double joining_bytes_per_ns = 5700;
/// To add up a group's slices, ns.
constexpr double joining_slices_ns = 500;
/// Where parts of slices are joined in groups: to wait for the last of a group, ns, and to add up a part
/// of a tile, ns per byte.
constexpr double joining_group_ns = 1100;
constexpr double joining_group_ns_per_byte = 0.0165;
/// Parts that one group adds up all: the kernel's.
constexpr std::uint64_t most_of_group = 6;
/// Parts of a tile, and steps of k of one slice of a part.
constexpr std::uint64_t most_sliced_parts = 64;
constexpr std::uint64_t shortest_sliced = 128;
/// Where a row of tiles is one tile, A is read but once, and slabs of 8 steps, 32 bytes of a row of A, take
/// so much longer: 4096 × 64 × 4096 66 us, and not 53.
constexpr std::uint32_t shortest_depth = 8;
constexpr double read_once = 1.29;
/// Steps of k of a slice at least: shorter ones lost to parts of the grid, 8.35 to 7.45 us at 333.
constexpr std::uint64_t shortest_slice = 96;
/// Where groups share out tiles evenly: to begin one tile more and to join the two parts of one, ns.
constexpr double sharing_ns = 9000;
/// Shorter sums were not measured so.
constexpr std::uint64_t shortest_shared = 256;

/// Local memory of a group as NVIDIA's OpenCL has it.
constexpr std::uint64_t reported_bytes = 49152;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// Of all slabs of all slices. Columns of A are followed by four elements, which keep its slab free of
/// conflicts, unless it is swizzled; rows of B by four where they are copied from within.
std::uint64_t stage_bytes(const ProductSize& size, const ProductTiling& tiling, bool swizzled) {
  const std::uint64_t a_pitch = tiling.tile_m + (swizzled ? 0 : 4);
  const bool within = tiling.async && size.n % 4 != 0 && tiling.thread_m >= 8;
  const std::uint64_t b_pitch = tiling.tile_n + (within ? 4 : 0);
  return std::uint64_t{tiling.slices} * tiling.stages * tiling.depth * (a_pitch + b_pitch) * sizeof(float);
}

/// Where there is room for the slabs but not for the padding.
bool is_swizzled(const ProductSize& size, const ProductTiling& tiling) {
  return stage_bytes(size, tiling, false) > reported_bytes &&
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

/// A part has four slabs at least. The largest tiles come whole: in parts they were not measured.
std::uint64_t most_splits(const ProductSize& size, const ProductTiling& tiling) {
  if (tiling.thread_m * tiling.thread_n > 64) return 1;
  return std::clamp<std::uint64_t>(size.k / (4 * tiling.depth), 1, 16);
}

/// As far as the table and registers go, which depend on parts.
std::uint64_t most_at_a_time(const Row& row, const ProductTiling& tiling, const ProductSize& size) {
  const auto measured =
      static_cast<std::uint64_t>(std::ranges::find(row.reached, 0.0) - row.reached.begin());
  return std::min(measured, 65536 / (registers(tiling, size) * items(tiling) * tiling.slices));
}

/// Until the compute unit that gets most groups is done, ns. It takes as many at a time as fit.
double expected_ns(const ProductSize& size, const ProductTiling& tiling, const Row& row,
                   std::uint64_t compute_units) {
  if (tiling.workers > 0) {
    const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
    return starting_ns + sharing_ns +
           static_cast<double>(tiles(size, tiling)) * operations /
               (row.evenly * static_cast<double>(compute_units));
  }
  const std::uint64_t groups = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const auto time_of = [&](std::uint64_t some_groups, std::uint64_t together) {
    const double operations =
        2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / tiling.splits;
    return static_cast<double>(some_groups) * operations / row.reached.at(together - 1);
  };
  const std::uint64_t most = most_at_a_time(row, tiling, size);
  const std::uint64_t rest = groups % most;
  const double computing_ns = time_of(groups - rest, most) + (rest > 0 ? time_of(rest, rest) : 0);
  const bool waits = size.n <= tiling.tile_n && tiling.depth <= shortest_depth;
  double ns = starting_ns + computing_ns * (waits ? read_once : 1);
  if (tiling.slices > 1) ns += joining_slices_ns;
  if (tiling.splits == 1) return ns;
  const double bytes = 8.0 * static_cast<double>(size.m) * static_cast<double>(size.n);
  return ns + joining_ns +
         static_cast<double>(tiling.splits) * (joining_part_ns + bytes / joining_bytes_per_ns);
}

/// Whether each compute unit gets one group at most, with slices that are long enough: slices of more
/// groups were not measured.
bool takes_slices(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  return tiles(size, tiling) <= compute_units && tiling.slices * shortest_slice <= size.k;
}

/// Whether there are more tiles than groups that share them out.
bool takes_workers(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  return tiling.workers > 0 && tiles(size, tiling) > tiling.workers * compute_units &&
         size.k >= shortest_shared;
}

/// To join the parts that slices of several groups have added up, as the kernel does it, ns.
double joining_sliced_parts(const ProductTiling& tiling) {
  std::uint64_t groups = 1;
  while (tiling.splits > most_of_group && groups * groups < tiling.splits) ++groups;
  const std::uint64_t added = ceil_div(tiling.splits, groups) + (groups > 1 ? groups : 0);
  const double bytes = static_cast<double>(added * tiling.tile_m * tiling.tile_n) * sizeof(float);
  return (groups > 1 ? 2 : 1) * joining_group_ns + bytes * joining_group_ns_per_byte;
}

/// The quickest of those in slices of several groups that all run at once.
ChosenTiling quickest_sliced(const ProductSize& size, const ProductDevice& device) {
  ChosenTiling best{};
  const std::span<const SlicedRow> rows = size.n % 4 == 0 ? std::span<const SlicedRow>(sliced_of_packs)
                                                          : std::span<const SlicedRow>(sliced_from_within);
  for (const SlicedRow& row : rows) {
    ProductTiling tiling = row.tiling;
    if (stage_bytes(size, tiling, false) > device.local_bytes) continue;
    const std::uint64_t most = std::min({size.k / (shortest_sliced * tiling.slices), most_sliced_parts,
                                         device.compute_units / tiles(size, tiling)});
    for (tiling.splits = 2; tiling.splits <= most; ++tiling.splits) {
      const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
      const double ns = starting_ns + row.beginning_ns + operations / tiling.splits / row.reached +
                        joining_slices_ns + joining_sliced_parts(tiling);
      if (best.expected_ns == 0 || ns < best.expected_ns) best = {tiling, ns};
    }
  }
  return best;
}

/// The quickest of all rows, in any number of parts, or shared out evenly, or in slices of several groups.
ChosenTiling quickest(const ProductSize& size, const ProductDevice& device) {
  const std::uint64_t compute_units = device.compute_units;
  ChosenTiling best{};
  const auto consider = [&](const ProductTiling& tiling, const Row& row) {
    const double ns = expected_ns(size, tiling, row, compute_units);
    if (best.expected_ns == 0 || ns < best.expected_ns) best = {tiling, ns};
  };
  const std::span<const Row> rows =
      size.n % 4 == 0 ? std::span<const Row>(rows_of_packs) : std::span<const Row>(rows_from_within);
  for (const Row& row : rows) {
    ProductTiling tiling = row.tiling;
    if (stage_bytes(size, tiling, is_swizzled(size, tiling)) > device.local_bytes) continue;
    if (tiling.slices > 1) {
      if (takes_slices(size, tiling, compute_units)) consider(tiling, row);
      continue;
    }
    for (; tiling.splits <= most_splits(size, tiling); ++tiling.splits) consider(tiling, row);
    tiling.splits = 1;
    tiling.workers = row.workers;
    if (takes_workers(size, tiling, compute_units)) consider(tiling, row);
  }
  const ChosenTiling in_slices = quickest_sliced(size, device);
  const bool pays = in_slices.expected_ns > 0 && in_slices.expected_ns < best.expected_ns;
  return pays ? in_slices : best;
}

/// Two groups are to run on every compute unit: they wait for memory.
ProductTiling tiling_of_few_rows(const ProductSize& size, std::uint64_t compute_units) {
  ProductTiling tiling = size.n % 4 == 0 ? few_rows : few_rows_within;
  tiling.splits = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * compute_units / tiles(size, tiling), 1, most_splits(size, tiling)));
  return tiling;
}

}  // namespace

std::string_view to_string(Along along) {
  constexpr std::array<std::string_view, 4> names{"rows", "columns", "squares_2", "squares_4"};
  return names.at(static_cast<std::size_t>(along));
}

ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size) {
  if (device.cp_async) {
    if (size.m <= most_few_rows) return {tiling_of_few_rows(size, device.compute_units), 0};
    return quickest(size, device);
  }
  const bool enough = tiles(size, through_registers) >= device.compute_units;
  return {enough ? through_registers : through_registers_small, 0};
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t groups =
      tiling.workers == 0 ? tile_count : std::min(tile_count, tiling.workers * compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? groups
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
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
                    {"EVEN", tiling.workers == 0 ? "0" : "1"},
                    {"SWIZZLED", swizzled ? "1" : "0"},
                    {"ALONG", std::to_string(static_cast<int>(tiling.along))},
                    {"BEFORE", std::to_string(size.n % 4)}};
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
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", " +
         (tiling.async ? number(tiling.stages) + " stages, " + number(tiling.portions) + " portions"
                       : "through registers") +
         ", along " + std::string(to_string(tiling.along)) + ", " + number(tiling.splits) + " parts" +
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "") +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::opencl
