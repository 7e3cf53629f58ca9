#include "gpu/product_times.hpp"

#include "gpu/ceil_div.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl::gpu {

namespace {

constexpr std::uint64_t word = sizeof(float);
constexpr std::uint32_t few_sums = 16;
constexpr std::uint32_t some_sums = 32;
/// Parts of few sums that are read all at once.
constexpr std::uint32_t few_at_once = 4;
/// Parts beyond so many take longer.
constexpr double few_parts = 10;
/// Parts that one block adds up all where they are joined in groups: the kernel's.
constexpr std::uint64_t most_of_group = 6;

double elements(const ProductTiling& tiling) {
  return static_cast<double>(std::uint64_t{tiling.tile_m} * tiling.tile_n);
}

/// Operations of a tile's part, where `parts` share the slabs of k; the last slab counts as a whole one.
double operations(const ProductSize& size, const ProductTiling& tiling, std::uint64_t parts) {
  const std::uint64_t slabs = ceil_div(ceil_div(size.k, tiling.depth), parts);
  return 2.0 * elements(tiling) * static_cast<double>(slabs * tiling.depth);
}

std::uint32_t sums_of_thread(const ProductTiling& tiling) { return tiling.thread_m * tiling.thread_n; }

bool has_few_sums(const ProductTiling& tiling) { return sums_of_thread(tiling) <= few_sums; }

double starting(const ProductTiling& tiling, const ProductCosts& costs) {
  if (has_few_sums(tiling)) return costs.starting_few;
  return sums_of_thread(tiling) <= some_sums ? costs.starting_some : costs.starting;
}

/// Multiplications that take so long if nothing waits for memory. Neither hides the other wholly.
double with_reading(const ProductSize& size, double computing, const ProductCosts& costs) {
  const auto bytes = static_cast<double>((size.m * size.k + size.k * size.n + size.m * size.n) * word);
  const double reading = bytes / costs.memory_bytes;
  return std::cbrt(computing * computing * computing + reading * reading * reading);
}

/// What it takes longer to store the tiles of so many blocks where rows of C begin within a pack.
double storing_within(const ProductSize& size, const ProductTiling& tiling, std::uint64_t blocks,
                      const ProductCosts& costs) {
  return size.n % 4 == 0 ? 0 : static_cast<double>(blocks) * elements(tiling) * costs.storing_per_element;
}

/// Fewer tiles than blocks: the piece of a block whose chain has most of them.
double chained_ns(const ProductSize& size, const ProductTiling& tiling, const Rates& measured,
                  const ProductCosts& costs, std::uint64_t compute_units) {
  const std::uint64_t chains = blocks_of(size, tiling, compute_units) - tiles(size, tiling);
  const auto length = static_cast<double>(ceil_div(tiles(size, tiling), chains));
  return starting(tiling, costs) + costs.chaining +
         tiling.workers * length / (length + 1) * operations(size, tiling, 1) / measured.chained;
}

/// Tiles shared out evenly among as many blocks as run at once.
double even_ns(const ProductSize& size, const ProductTiling& tiling, const Rates& measured,
               const ProductCosts& costs, std::uint64_t compute_units) {
  const bool in_parts = sharing_of(size, tiling, compute_units) == Sharing::parts;
  const double rate = (in_parts ? measured.in_parts : measured.evenly) * static_cast<double>(compute_units);
  return starting(tiling, costs) + (in_parts ? costs.parting : costs.sharing) +
         static_cast<double>(tiles(size, tiling)) * operations(size, tiling, 1) / rate;
}

/// To join the parts of a tile that other blocks have added up: to wait for the last, to add up all, which
/// one block does, and to bring those of all tiles to memory and back.
double joining(const ProductSize& size, const ProductTiling& tiling, const ProductCosts& costs) {
  if (tiling.splits == 1) return 0;
  const bool at_once = has_few_sums(tiling) && tiling.splits <= few_at_once;
  const double bytes = tiling.splits * elements(tiling) * word;
  return (at_once ? costs.joining_few : costs.joining) + bytes * costs.joining_per_byte +
         2 * bytes * static_cast<double>(tiles(size, tiling)) * costs.moving_per_byte +
         std::max(0.0, tiling.splits - few_parts) * costs.part;
}

/// To add up a block's slices.
double joining_slices(const ProductTiling& tiling, const ProductCosts& costs) {
  return elements(tiling) * tiling.slices * costs.joining_slices_per_element;
}

/// To join the parts that slices of several blocks have added up, as the kernel groups them.
double joining_groups(const ProductTiling& tiling, const ProductCosts& costs) {
  std::uint64_t groups = 1;
  while (tiling.splits > most_of_group && groups * groups < tiling.splits) ++groups;
  const std::uint64_t added = ceil_div(tiling.splits, groups) + (groups > 1 ? groups : 0);
  return (groups > 1 ? 2 : 1) * costs.joining_group +
         static_cast<double>(added) * elements(tiling) * word * costs.joining_group_per_byte;
}

}  // namespace

std::uint64_t at_a_time(const Rates& measured) {
  return static_cast<std::uint64_t>(std::ranges::find(measured.reached, 0.0) - measured.reached.begin());
}

double expected_ns(const ProductSize& size, const ProductTiling& tiling, const Rates& measured,
                   const ProductCosts& costs, std::uint64_t compute_units) {
  if (tiling.workers > 0) {
    const bool chained = sharing_of(size, tiling, compute_units) == Sharing::chains;
    return (chained ? chained_ns : even_ns)(size, tiling, measured, costs, compute_units);
  }
  const std::uint64_t blocks = ceil_div(tiles(size, tiling) * tiling.splits, compute_units);
  const double part =
      operations(size, tiling, std::uint64_t{tiling.splits} * tiling.slices) * tiling.slices;
  const auto time_of = [&](std::uint64_t some_blocks, std::uint64_t together) {
    return static_cast<double>(some_blocks) * part / measured.reached.at(together - 1);
  };
  const double ends = starting(tiling, costs) + storing_within(size, tiling, blocks, costs);
  if (tiling.slices > 1)
    return ends + with_reading(size, time_of(blocks, blocks * tiling.slices), costs) +
           joining_slices(tiling, costs);
  const std::uint64_t most = at_a_time(measured);
  const std::uint64_t rest = blocks % most;
  return ends +
         with_reading(size, time_of(blocks - rest, most) + (rest > 0 ? time_of(rest, rest) : 0), costs) +
         joining(size, tiling, costs);
}

double expected_sliced_ns(const ProductSize& size, const ProductTiling& tiling, double rate,
                          const ProductCosts& costs) {
  const double part =
      operations(size, tiling, std::uint64_t{tiling.splits} * tiling.slices) * tiling.slices;
  return starting(tiling, costs) + with_reading(size, part / rate, costs) +
         storing_within(size, tiling, 1, costs) + joining_slices(tiling, costs) +
         joining_groups(tiling, costs);
}

}  // namespace benchctl::gpu
