#include "product_tilings.hpp"

#include "gpu/planned_arguments.hpp"

#include "product_rates.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace benchctl::opencl {

namespace {

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

/// Where groups share out tiles evenly, as many as run at once: whether there are fewer tiles than that, so
/// that a tile has any number of parts. Largest tiles do not: in parts they lost in CUDA.
bool shares_parts(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  return tiling.workers > 1 && tiles(size, tiling) < tiling.workers * compute_units;
}

/// Groups of a launch along tiles.
std::uint64_t groups_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t tile_count = tiles(size, tiling);
  if (tiling.workers == 0) return tile_count;
  const std::uint64_t pieces = tiling.workers > 1 ? ceil_div(size.k, tiling.depth) : 1;
  return std::min(tile_count * pieces, tiling.workers * compute_units);
}

/// What sharing out tiles evenly takes beside computing.
double sharing(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  if (shares_parts(size, tiling, compute_units)) return parting_ns;
  if (tiling.workers > 1) return sharing_ns;
  const double turns = static_cast<double>(tiles(size, tiling)) / static_cast<double>(compute_units);
  return sharing_alone_ns + (size.n % 4 == 0 ? 0 : turns * sorting_alone_ns);
}

/// Tiles shared out evenly among as many groups as run at once.
double expected_ns_evenly(const ProductSize& size, const ProductTiling& tiling, const Row& row,
                          std::uint64_t compute_units) {
  const double rate = shares_parts(size, tiling, compute_units) ? row.in_parts : row.evenly;
  const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
  return starting_ns + sharing(size, tiling, compute_units) +
         static_cast<double>(tiles(size, tiling)) * operations /
             (rate * static_cast<double>(compute_units));
}

/// How much longer than elsewhere slabs take to come where a row of tiles is one tile.
double waiting(const ProductSize& size, const ProductTiling& tiling) {
  if (size.n > tiling.tile_n) return 1;
  if (tiling.depth <= shortest_depth) return read_once;
  const double bytes = 4.0 * static_cast<double>(size.m) * static_cast<double>(size.k);
  return bytes > cache_bytes ? read_from_memory : 1;
}

/// What `groups` of a compute unit take beside computing, `most` at a time.
double beginning_turns(const ProductTiling& tiling, std::uint64_t groups, std::uint64_t most) {
  if (tiling.slices > 1) return 0;
  if (most == 1) return static_cast<double>(groups) * alone_ns;
  return static_cast<double>((groups - 1) / most * tiling.thread_m * tiling.thread_n) * turn_ns_per_sum;
}

double starting(const ProductSize& size, bool small) {
  return !small ? starting_ns : size.n % 4 == 0 ? starting_small_packs_ns : starting_small_ns;
}

/// To join the parts of a tile that other groups have added up, ns.
double joining_parts(const ProductSize& size, const ProductTiling& tiling, bool small) {
  if (tiling.splits == 1) return 0;
  const double bytes = 8.0 * static_cast<double>(size.m) * static_cast<double>(size.n);
  return (small ? joining_small_ns : joining_ns) +
         static_cast<double>(tiling.splits) * (joining_part_ns + bytes / joining_bytes_per_ns);
}

/// Until the compute unit that gets most groups is done, ns. It takes as many at a time as fit.
double expected_ns(const ProductSize& size, const ProductTiling& tiling, const Row& row,
                   std::uint64_t compute_units) {
  if (tiling.workers > 0) return expected_ns_evenly(size, tiling, row, compute_units);
  const std::uint64_t groups = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const auto time_of = [&](std::uint64_t some_groups, std::uint64_t together) {
    const double operations =
        2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / tiling.splits;
    return static_cast<double>(some_groups) * operations / row.reached.at(together - 1);
  };
  const std::uint64_t most = most_at_a_time(row, tiling, size);
  const std::uint64_t rest = groups % most;
  const double computing_ns = time_of(groups - rest, most) + (rest > 0 ? time_of(rest, rest) : 0);
  const bool small = tiling.thread_m * tiling.thread_n <= few_sums;
  return starting(size, small) + beginning_turns(tiling, groups, most) +
         computing_ns * waiting(size, tiling) + (tiling.slices > 1 ? joining_slices_ns : 0) +
         joining_parts(size, tiling, small);
}

/// Whether each compute unit gets one group at most, with slices that are long enough: slices of more
/// groups were not measured.
bool takes_slices(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t shortest = tiling.slices == 2 ? shortest_of_two : shortest_slice;
  return tiles(size, tiling) <= compute_units && tiling.slices * shortest <= size.k;
}

/// Whether tiles and groups that share them out differ in number, and no tile has too many parts.
bool takes_workers(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t groups = tiling.workers * compute_units;
  if (tiling.workers == 0 || size.k < shortest_shared || tile_count == groups) return false;
  return tile_count > groups ||
         (shares_parts(size, tiling, compute_units) && groups <= tile_count * most_shared_parts);
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
ChosenTiling tiling_of_few_rows(const ProductSize& size, std::uint64_t compute_units) {
  const bool packs = size.n % 4 == 0;
  ProductTiling tiling = packs ? few_rows : few_rows_within;
  tiling.splits = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * compute_units / tiles(size, tiling), 1, most_splits(size, tiling)));
  const std::uint64_t groups = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const double operations =
      2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / tiling.splits;
  const double computing_ns =
      static_cast<double>(groups) * operations / (packs ? few_rows_reached : few_rows_within_reached);
  return {tiling, starting_ns + computing_ns + joining_parts(size, tiling, false)};
}

}  // namespace

std::string_view to_string(Along along) {
  constexpr std::array<std::string_view, 4> names{"rows", "columns", "squares_2", "squares_4"};
  return names.at(static_cast<std::size_t>(along));
}

ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size) {
  if (device.cp_async) {
    if (size.m > most_few_rows) return quickest(size, device);
    const ChosenTiling few = tiling_of_few_rows(size, device.compute_units);
    if (4.0 * static_cast<double>(size.k) * static_cast<double>(size.n) > cache_bytes) return few;
    const ChosenTiling any = quickest(size, device);
    return few.expected_ns < any.expected_ns ? few : any;
  }
  const bool enough = tiles(size, through_registers) >= device.compute_units;
  return {enough ? through_registers : through_registers_small, 0};
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  constexpr std::uint64_t word = sizeof(float);
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t groups = groups_of(size, tiling, compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? groups * (tiling.workers > 1 ? 2 : 1)
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
                    {"EVEN", tiling.workers == 0                         ? "0"
                             : shares_parts(size, tiling, compute_units) ? "3"
                                                                         : "1"},
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
