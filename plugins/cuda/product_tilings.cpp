#include "product_tilings.hpp"

#include "gpu/planned_arguments.hpp"

#include "product_rates.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cuda {

namespace {

constexpr std::uint64_t word = sizeof(float);

bool begins_with_pack(const ProductSize& size) { return size.n % 4 == 0; }

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t tiles(const ProductSize& size, std::uint64_t tile_m, std::uint64_t tile_n) {
  return ceil_div(size.m, tile_m) * ceil_div(size.n, tile_n);
}

std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling) {
  return tiles(size, tiling.tile_m, tiling.tile_n);
}

Shape shape_of(const ProductSize& size, std::uint64_t compute_units) {
  if (size.k <= 64 && tiles(size, 64, 128) >= compute_units) return Shape::flat;
  const bool few_rows = size.m <= 32 && size.m > 16 && 8 * tiles(size, 32, 128) >= compute_units &&
                        size.k * size.n * word > cache_bytes;
  return few_rows ? Shape::few_rows : Shape::other;
}

/// A part is 64 steps of k long at least, longer where the tile is large. There are up to 16, and more
/// where that would leave multiprocessors without work and tiles are small: one block adds up a tile's.
std::uint64_t most_parts(const ProductSize& size, const ProductTiling& tiling) {
  const std::uint64_t steps = std::max<std::uint64_t>(64, tiling.tile_m * tiling.tile_n / 64);
  const bool few = tiles(size, tiling) <= 4 && tiling.tile_m * tiling.tile_n <= 4096;
  const std::uint64_t most = few ? 64 : 16;
  return std::clamp<std::uint64_t>(size.k / steps, 1, most);
}

std::uint64_t shared_bytes(const ProductSize& size, const ProductTiling& tiling) {
  const std::uint64_t row = tiling.tile_m + 4 + tiling.tile_n + (begins_with_pack(size) ? 0 : 4);
  return std::uint64_t{tiling.slices} * tiling.stages * tiling.depth * row * word;
}

std::uint64_t at_a_time(const Rates& rates_of_tiling) {
  const auto& reached = rates_of_tiling.reached;
  return static_cast<std::uint64_t>(std::ranges::find(reached, 0.0) - reached.begin());
}

/// Whether all blocks run at once if each has so many slices, long enough for parts, and shared memory
/// has room for their stages and sums.
bool takes_slices(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                  const ProductDevice& device) {
  const std::uint64_t blocks = ceil_div(tiles(size, tiling), device.compute_units);
  return blocks * tiling.slices <= at_a_time(rates_of_tiling) &&
         tiling.slices <= most_parts(size, tiling) &&
         blocks * shared_bytes(size, tiling) <= device.shared_bytes &&
         tiling.stages * tiling.depth * (tiling.tile_m + 4 + tiling.tile_n) >=
             tiling.tile_m * tiling.tile_n;
}

/// Blocks that a launch has: one per tile, or as many as run at once, with one per multiprocessor up to two
/// per tile.
std::uint64_t blocks_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t tile_count = tiles(size, tiling);
  if (tiling.workers == 0) return tile_count;
  const std::uint64_t slabs = ceil_div(size.k, tiling.depth);
  return std::min(tile_count * (tiling.workers == 1 ? 2 : slabs), tiling.workers * compute_units);
}

/// How those share out tiles: the kernel's EVEN.
enum class Sharing : std::uint8_t { none, turns, chains, parts };

Sharing sharing_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  if (tiling.workers == 0) return Sharing::none;
  if (tiles(size, tiling) >= tiling.workers * compute_units) return Sharing::turns;
  return tiling.workers == 1 ? Sharing::chains : Sharing::parts;
}

/// Fewer tiles than blocks: the piece of a block whose chain has most of them.
double expected_ns_chained(const ProductSize& size, const ProductTiling& tiling,
                           const Rates& rates_of_tiling, std::uint64_t compute_units) {
  const std::uint64_t chains = blocks_of(size, tiling, compute_units) - tiles(size, tiling);
  const auto length = static_cast<double>(ceil_div(tiles(size, tiling), chains));
  const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
  return starting_ns + chaining_ns +
         tiling.workers * length / (length + 1) * operations / rates_of_tiling.chained;
}

/// Tiles shared out evenly among as many blocks as run at once.
double expected_ns_evenly(const ProductSize& size, const ProductTiling& tiling,
                          const Rates& rates_of_tiling, std::uint64_t compute_units) {
  const bool in_parts = sharing_of(size, tiling, compute_units) == Sharing::parts;
  const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
  const double rate =
      (in_parts ? rates_of_tiling.in_parts : rates_of_tiling.evenly) * static_cast<double>(compute_units);
  return starting_ns + (in_parts ? parting_ns : sharing_ns) +
         static_cast<double>(tiles(size, tiling)) * operations / rate;
}

/// To join the parts that slices of several blocks have added up, as the kernel groups them, ns.
double joining_groups(const ProductTiling& tiling) {
  if (tiling.splits == 1) return 0;
  std::uint64_t groups = 1;
  while (tiling.splits > most_of_group && groups * groups < tiling.splits) ++groups;
  const std::uint64_t added = ceil_div(tiling.splits, groups) + (groups > 1 ? groups : 0);
  const double bytes = static_cast<double>(added * tiling.tile_m * tiling.tile_n * word);
  return (groups > 1 ? 2 : 1) * joining_group_ns + bytes * joining_group_ns_per_byte;
}

bool has_few_sums(const ProductTiling& tiling) { return tiling.thread_m * tiling.thread_n <= few_sums; }

double starting(const ProductTiling& tiling) {
  return has_few_sums(tiling) ? starting_small_ns : starting_ns;
}

/// To join the parts of a tile that other blocks have added up, ns.
double joining_parts(const ProductSize& size, const ProductTiling& tiling) {
  if (tiling.splits == 1) return 0;
  const double bytes = 8.0 * static_cast<double>(size.m) * static_cast<double>(size.n);
  const double more_parts = std::max(0.0, tiling.splits - few_parts);
  const std::uint64_t tile = std::uint64_t{tiling.tile_m} * tiling.tile_n;
  const double of_large =
      tile > large_tile ? static_cast<double>(tile * word) * joining_large_ns_per_byte : 0;
  const bool at_once = has_few_sums(tiling) && tiling.splits <= few_at_once;
  return (at_once ? joining_few_ns : joining_ns) +
         tiling.splits * (bytes / joining_bytes_per_ns + of_large) + more_parts * part_ns;
}

/// Until the multiprocessor that gets most blocks is done, ns. It takes as many at a time as fit.
double expected_ns(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                   std::uint64_t compute_units) {
  if (tiling.workers > 0) {
    const bool chained = sharing_of(size, tiling, compute_units) == Sharing::chains;
    return (chained ? expected_ns_chained : expected_ns_evenly)(size, tiling, rates_of_tiling,
                                                                compute_units);
  }
  const auto& reached = rates_of_tiling.reached;
  const std::uint64_t blocks = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const auto time_of = [&](std::uint64_t some_blocks, std::uint64_t together) {
    const double operations =
        2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k) / tiling.splits;
    return static_cast<double>(some_blocks) * operations / reached.at(together - 1);
  };
  if (tiling.slices > 1)
    return starting(tiling) + time_of(blocks, blocks * tiling.slices) + joining_slices_ns;
  const std::uint64_t most = at_a_time(rates_of_tiling);
  const std::uint64_t rest = blocks % most;
  double ns = starting(tiling) + time_of(blocks - rest, most) + joining_parts(size, tiling);
  if (rest > 0) ns += time_of(rest, rest);
  return ns;
}

/// Whether tiles and blocks that run at once differ in number, tiles are long enough to have parts, and
/// shared memory has room for these blocks.
bool takes_workers(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                   const ProductDevice& device) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks = tiling.workers * device.compute_units;
  const Sharing sharing = sharing_of(size, tiling, device.compute_units);
  const double reached = sharing == Sharing::parts    ? rates_of_tiling.in_parts
                         : sharing == Sharing::chains ? rates_of_tiling.chained
                                                      : rates_of_tiling.evenly;
  const bool few_parts = sharing != Sharing::parts || blocks <= tile_count * most_shared_parts;
  return reached > 0 && few_parts && tile_count != blocks && most_parts(size, tiling) > 1 &&
         tiling.workers * shared_bytes(size, tiling) <= device.shared_bytes;
}

/// Replaces `best` if that is quicker in slices of several blocks.
void consider_sliced(ChosenTiling& best, const ProductSize& size, const SlicedRow& row,
                     const ProductDevice& device) {
  const double rate = begins_with_pack(size) ? row.whole : row.within;
  ProductTiling tiling = row.tiling;
  tiling.along = begins_with_pack(size) ? row.whole_along : row.within_along;
  tiling.slices = row.slices;
  if (rate == 0 || shared_bytes(size, tiling) > device.shared_bytes) return;
  const std::uint64_t most = std::min({size.k / (shortest_sliced * row.slices), most_sliced_parts,
                                       device.compute_units / tiles(size, tiling)});
  for (tiling.splits = 2; tiling.splits <= most; ++tiling.splits) {
    const double operations = 2.0 * tiling.tile_m * tiling.tile_n * static_cast<double>(size.k);
    const double ns =
        starting_ns + operations / tiling.splits / rate + joining_slices_ns + joining_groups(tiling);
    if (best.expected_ns == 0 || ns < best.expected_ns) best = {tiling, best.measured_on, ns};
  }
}

/// The quickest of all rows of an architecture in any number of parts, or of slices, or shared out evenly.
ChosenTiling quickest(const ProductSize& size, std::string_view measured, const ProductDevice& device) {
  ChosenTiling best{{}, std::string(measured)};
  double& least = best.expected_ns;
  const auto consider = [&](const ProductTiling& tiling, const Rates& reached) {
    const double ns = expected_ns(size, tiling, reached, device.compute_units);
    if (least > 0 && ns >= least) return;
    least = ns;
    best.tiling = tiling;
  };
  for (const RateRow& row : rates) {
    if (row.architecture != measured) continue;
    const Rates& reached = begins_with_pack(size) ? row.whole : row.within;
    ProductTiling tiling = row.tiling;
    tiling.along = reached.along;
    for (tiling.splits = 1; tiling.splits <= most_parts(size, tiling); ++tiling.splits)
      consider(tiling, reached);
    tiling.splits = 1;
    for (tiling.slices = 2; takes_slices(size, tiling, reached, device); ++tiling.slices)
      consider(tiling, reached);
    tiling.slices = 1;
    tiling.workers = static_cast<std::uint32_t>(at_a_time(reached));
    // Elsewhere compilers may lack registers for that.
    if (device.architecture == measured && takes_workers(size, tiling, reached, device))
      consider(tiling, reached);
  }
  ChosenTiling best_sliced{{}, best.measured_on};
  for (const SlicedRow& row : sliced) {
    if (row.architecture == measured) consider_sliced(best_sliced, size, row, device);
  }
  const bool pays =
      best_sliced.expected_ns > 0 && best_sliced.expected_ns * sliced_margin < best.expected_ns;
  return pays ? best_sliced : best;
}

/// Of a strip's blocks two are to run on every multiprocessor: they wait for memory.
std::uint32_t splits_of_strip(const ProductSize& size, const ProductTiling& tiling,
                              std::uint64_t compute_units) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * compute_units / tiles(size, tiling), 1, most_parts(size, tiling)));
}

}  // namespace

std::string_view to_string(Along along) {
  constexpr std::array<std::string_view, 4> names{"rows", "columns", "squares_2", "squares_4"};
  return names.at(static_cast<std::size_t>(along));
}

ChosenTiling choose_tiling(const ProductDevice& device, const ProductSize& size) {
  const bool known = std::ranges::find(rates, device.architecture, &RateRow::architecture) != rates.end();
  const std::string_view measured = known ? device.architecture : rates.front().architecture;
  const Shape shape = shape_of(size, device.compute_units);
  const auto row = std::ranges::find_if(shapes, [&](const ShapeRow& candidate) {
    return candidate.architecture == measured && candidate.shape == shape;
  });
  if (row == shapes.end()) return quickest(size, measured, device);
  ChosenTiling chosen{begins_with_pack(size) ? row->whole : row->within, std::string(measured)};
  if (shape == Shape::few_rows) {
    chosen.tiling.splits = splits_of_strip(size, chosen.tiling, device.compute_units);
  }
  return chosen;
}

KernelPlan plan_product(const ProblemSpec& problem, const ProductSize& size, const ProductTiling& tiling,
                        std::uint64_t compute_units, const std::filesystem::path& kernels) {
  const std::uint64_t tile_count = tiles(size, tiling);
  const std::uint64_t blocks = blocks_of(size, tiling, compute_units);
  const std::uint64_t parts = tiling.workers > 0  ? blocks * (tiling.workers == 1 ? 1 : 2)
                              : tiling.splits > 1 ? tile_count * tiling.splits
                                                  : 0;
  const std::uint64_t counters = tiling.workers > 0 ? blocks : tile_count * tiling.splits;
  const auto even = static_cast<int>(sharing_of(size, tiling, compute_units));
  const auto source = [&](const char* name) { return (kernels / name).lexically_normal().string(); };
  KernelPlan plan;
  plan.scratch = {{"partial", DType::f64,
                   std::max<std::uint64_t>(2, parts * tiling.tile_m * tiling.tile_n * word / 8), false},
                  {"finished", DType::u32, counters, false}};
  PlannedLaunch launch;
  launch.source = source("matmul_register_tiled.cu");
  launch.entry = "matmul_register_tiled";
  launch.defines = {{"REAL", "float"},
                    {"TILE_M", std::to_string(tiling.tile_m)},
                    {"TILE_N", std::to_string(tiling.tile_n)},
                    {"DEPTH", std::to_string(tiling.depth)},
                    {"THREAD_M", std::to_string(tiling.thread_m)},
                    {"THREAD_N", std::to_string(tiling.thread_n)},
                    {"STAGES", std::to_string(tiling.stages)},
                    {"PORTIONS", std::to_string(tiling.portions)},
                    {"SPLITS", std::to_string(tiling.splits)},
                    {"SLICES", std::to_string(tiling.slices)},
                    {"EVEN", std::to_string(even)},
                    {"BAND", "8"},
                    {"ALONG", std::to_string(static_cast<int>(tiling.along))},
                    {"BEFORE", std::to_string(size.n % 4)}};
  launch.block = {tiling.tile_m * tiling.tile_n / (tiling.thread_m * tiling.thread_n), tiling.slices, 1};
  launch.grid = {blocks, tiling.splits, 1};
  launch.shared_bytes = shared_bytes(size, tiling);
  launch.local_bytes = launch.shared_bytes;
  launch.arguments = gpu::joined_product_arguments(problem);
  plan.launches.push_back(std::move(launch));
  return plan;
}

std::string to_text(const ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", " + number(tiling.stages) +
         " stages, " + number(tiling.portions) + " portions, along " +
         std::string(to_string(tiling.along)) + ", " + number(tiling.splits) + " parts" +
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "") +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::cuda
