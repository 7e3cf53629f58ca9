#include "product_tilings.hpp"

#include <algorithm>
#include <array>

namespace benchctl::opencl {

namespace {

/// What a compute unit computes with a tiling while one, two, three and four of its groups, or slices of
/// them, are on it, GFLOP/s, as far as that many fit; 0 behind the last. Only their ratios matter.
struct Rates {
  Along along;
  std::array<double, 4> reached;
};

struct RateRow {
  ProductTiling tiling;
  Rates whole;   ///< rows of B begin with 16 bytes that are copied at once
  Rates within;  ///< they begin anywhere: B is copied in smaller pieces
  /// Instructions per step of k in slabs of 8, relative to slabs of `tiling.depth`, as ptxas made them.
  double short_slabs;
  bool measured = true;
};

/// Slabs by cp.async. Measured 2026-11-22 on an H200 (driver 580), fitted to the times of 9 sizes from 256
/// to 4096 and of 4 from 333 to 1402.
constexpr std::array<RateRow, 5> rates{{
    {{128, 256, 16, 16, 8, 2, 2}, {Along::columns, {387, 0, 0, 0}}, {Along::columns, {347, 0, 0, 0}}, 1.0},
    {{64, 128, 16, 8, 8, 3, 2},
     {Along::rows, {330, 357, 385, 380}},
     {Along::rows, {289, 318, 347, 0}},
     1.02},
    {{64, 64, 16, 8, 4, 3, 4},
     {Along::columns, {311, 335, 341, 342}},
     {Along::rows, {270, 294, 318, 326}},
     1.04},
    {{32, 64, 16, 4, 4, 4, 1},
     {Along::rows, {270, 300, 317, 326}},
     {Along::rows, {230, 250, 262, 280}},
     1.10},
    // Not measured: CUDA's rates on the same GPU, whose loop has as many instructions. For slices alone.
    {{32, 64, 16, 8, 4, 4, 2},
     {Along::rows, {270, 305, 315, 345}},
     {Along::rows, {200, 225, 230, 262}},
     1.06,
     false},
}};

/// Through registers: two groups of 64×128 on a compute unit, as far as tiles go.
constexpr ProductTiling through_registers{64, 128, 8, 8, 8, 2, 1, Along::rows, 1, 1, false};
constexpr ProductTiling through_registers_small{32, 64, 8, 4, 4, 2, 1, Along::rows, 1, 1, false};

/// As under CUDA on the same GPU: to start and end a kernel, ns; to wait for the last part of a tile, ns,
/// and to write and read the parts, bytes per ns.
constexpr double starting_ns = 3500;
constexpr double joining_ns = 1650;
constexpr double joining_bytes_per_ns = 5700;
/// To add up a group's slices, ns.
constexpr double joining_slices_ns = 500;

/// Local memory of a group under NVIDIA's OpenCL.
constexpr std::uint64_t local_bytes = 49152;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

/// Of all slabs of all slices, whose columns of A are followed by `padding` elements.
std::uint64_t stage_bytes(const ProductTiling& tiling, std::uint64_t padding) {
  return std::uint64_t{tiling.slices} * tiling.stages * tiling.depth *
         (tiling.tile_m + padding + tiling.tile_n) * sizeof(float);
}

/// Padding keeps A's slab free of conflicts where there is room for it.
bool is_swizzled(const ProductTiling& tiling) { return stage_bytes(tiling, 4) > local_bytes; }

std::uint64_t items(const ProductTiling& tiling) {
  return std::uint64_t{tiling.tile_m} * tiling.tile_n / (tiling.thread_m * tiling.thread_n);
}

/// Under NVIDIA's compiler, see variants/register_tiled.cpp.
std::uint64_t registers(const ProductTiling& tiling, const ProductSize& size) {
  const std::uint64_t sums = std::uint64_t{tiling.thread_m} * tiling.thread_n;
  const bool tight = sums == 64 && tiling.along == Along::rows && tiling.splits == 1 && size.n % 4 == 0;
  const std::uint64_t words = sums + 2 * (tiling.thread_m + tiling.thread_n) +
                              2 * (8 * tiling.tile_m / items(tiling) + 1) + (tight ? 20 : 28);
  const std::uint64_t groups = std::max<std::uint64_t>(
      1, std::max<std::uint64_t>(1, 512 / words) * 128 / (items(tiling) * tiling.slices));
  return std::min<std::uint64_t>(255, 65536 / (items(tiling) * tiling.slices * groups) / 8 * 8);
}

/// A part has four slabs at least. The largest tiles come whole: in parts they were not measured.
std::uint64_t most_splits(const ProductSize& size, const ProductTiling& tiling) {
  if (tiling.thread_m * tiling.thread_n > 64) return 1;
  return std::clamp<std::uint64_t>(size.k / (4 * tiling.depth), 1, 16);
}

std::uint64_t most_at_a_time(const Rates& rates_of_tiling) {
  const auto& reached = rates_of_tiling.reached;
  return static_cast<std::uint64_t>(std::ranges::find(reached, 0.0) - reached.begin());
}

/// Until the compute unit that gets most groups is done, ns. It takes as many at a time as fit; of slices
/// it has all at once.
double expected_ns(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                   std::uint64_t compute_units) {
  const auto& reached = rates_of_tiling.reached;
  const std::uint64_t groups = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const auto time_of = [&](std::uint64_t some_groups, std::uint64_t together) {
    const double operations =
        2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / tiling.splits;
    return static_cast<double>(some_groups) * operations / reached.at(together - 1);
  };
  if (tiling.slices > 1) return starting_ns + time_of(groups, groups * tiling.slices) + joining_slices_ns;
  const std::uint64_t most = most_at_a_time(rates_of_tiling);
  const std::uint64_t rest = groups % most;
  double ns = starting_ns + time_of(groups - rest, most);
  if (rest > 0) ns += time_of(rest, rest);
  if (tiling.splits == 1) return ns;
  const double bytes = 8.0 * static_cast<double>(size.m) * static_cast<double>(size.n);
  return ns + joining_ns + static_cast<double>(tiling.splits) * bytes / joining_bytes_per_ns;
}

/// Of the padding in A's columns, what cannot be left out: packs of work-items that have one each have no
/// other order.
std::uint64_t least_padding(const ProductTiling& tiling) { return tiling.thread_m >= 8 ? 0 : 4; }

/// The tiling in so many slices, with as many stages as local memory has room for, two at least; in slabs
/// of 8 steps, copied at once, where two of the tiling's own are too much.
ProductTiling in_slices(ProductTiling tiling, std::uint32_t slices) {
  const std::uint32_t stages = tiling.stages;
  tiling.slices = slices;
  tiling.stages = 2;
  if (stage_bytes(tiling, least_padding(tiling)) > local_bytes) {
    tiling.depth = 8;
    tiling.portions = 1;
  }
  const std::uint64_t of_two = stage_bytes(tiling, 4);
  tiling.stages =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(2 * local_bytes / of_two, 2, stages));
  return tiling;
}

/// Whether all groups run at once if each has so many slices, with four slabs at least, and local memory
/// has room for their stages.
bool takes_slices(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                  std::uint64_t compute_units) {
  const std::uint64_t groups = ceil_div(tiles(size, tiling), compute_units);
  return groups * tiling.slices <= most_at_a_time(rates_of_tiling) &&
         tiling.slices <= most_splits(size, tiling) &&
         stage_bytes(tiling, least_padding(tiling)) <= local_bytes;
}

/// The quickest of all rows in any number of parts, or of slices.
ProductTiling quickest(const ProductSize& size, std::uint64_t compute_units, std::uint32_t most_slices) {
  ProductTiling best{};
  double least = 0;
  const auto consider = [&](const ProductTiling& tiling, double ns) {
    if (least > 0 && ns >= least) return;
    least = ns;
    best = tiling;
  };
  for (const RateRow& row : rates) {
    const Rates& reached = size.n % 4 == 0 ? row.whole : row.within;
    ProductTiling tiling = row.tiling;
    tiling.along = reached.along;
    for (tiling.splits = 1; row.measured && tiling.splits <= most_splits(size, tiling); ++tiling.splits) {
      consider(tiling, expected_ns(size, tiling, reached, compute_units));
    }
    tiling.splits = 1;
    for (std::uint32_t slices = 2; slices <= std::min<std::uint64_t>(most_slices, most_at_a_time(reached));
         ++slices) {
      const ProductTiling sliced = in_slices(tiling, slices);
      if (!takes_slices(size, sliced, reached, compute_units)) continue;
      const double slower = sliced.depth < tiling.depth ? row.short_slabs : 1.0;
      consider(sliced, slower * expected_ns(size, sliced, reached, compute_units));
    }
  }
  return best;
}

}  // namespace

std::string_view to_string(Along along) {
  constexpr std::array<std::string_view, 4> names{"rows", "columns", "squares_2", "squares_4"};
  return names.at(static_cast<std::size_t>(along));
}

ProductTiling choose_tiling(bool cp_async, std::uint64_t compute_units, const ProductSize& size,
                            std::uint32_t most_slices) {
  if (cp_async) return quickest(size, compute_units, most_slices);
  const bool enough = tiles(size, through_registers) >= compute_units;
  return enough ? through_registers : through_registers_small;
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t b_bytes = size.n % 4 == 0 ? 16 : size.n % 2 == 0 ? 8 : word;
  const std::uint64_t tile_count = tiles(size, tiling);
  const bool swizzled = is_swizzled(tiling);
  const auto buffer = [&](const char* name) {
    return PlannedArgument{PlannedArgument::Kind::buffer, problem.buffer_index(name).value()};
  };
  const auto scalar = [&](const char* name) {
    return PlannedArgument{PlannedArgument::Kind::scalar, problem.scalar_index(name).value()};
  };
  KernelPlan plan;
  plan.scratch = {
      {"partial", DType::f64,
       tiling.splits == 1 ? 2 : tile_count * tiling.splits * tiling.tile_m * tiling.tile_n * word / 8,
       false},
      {"finished", DType::u32, tile_count, false}};
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
                    {"SWIZZLED", swizzled ? "1" : "0"},
                    {"ALONG", std::to_string(static_cast<int>(tiling.along))},
                    {"B_WIDTH", std::to_string(b_bytes / word)},
                    {"B_BYTES", std::to_string(b_bytes)}};
  // Slabs that come through registers need more of them, and would spill.
  if (tiling.async) {
    launch.defines["PORTIONS"] = std::to_string(tiling.portions);
    launch.defines["REGISTERS"] = std::to_string(registers(tiling, size));
  }
  launch.block = {items(tiling), tiling.slices, 1};
  launch.grid = {tile_count, tiling.splits, 1};
  launch.local_bytes = stage_bytes(tiling, swizzled ? 0 : 4);
  launch.arguments = {buffer("A"),
                      buffer("B"),
                      buffer("C"),
                      {PlannedArgument::Kind::scratch, 0},
                      {PlannedArgument::Kind::scratch, 1},
                      scalar("m"),
                      scalar("n"),
                      scalar("k")};
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
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "");
}

}  // namespace benchctl::opencl
