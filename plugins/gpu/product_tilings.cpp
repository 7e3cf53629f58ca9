#include "gpu/product_tilings.hpp"

#include "gpu/ceil_div.hpp"
#include "gpu/product_rates.hpp"
#include "gpu/product_times.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace benchctl::gpu {

namespace {

constexpr std::uint64_t word = sizeof(float);
/// Parts of a tile in slices, and steps of k of one slice of a part.
constexpr std::uint64_t most_sliced_parts = 64;
constexpr std::uint64_t shortest_sliced = 128;
/// Blocks of a tile that is shared out evenly.
constexpr std::uint64_t most_shared_parts = 4;
/// C of so many columns or fewer is one strip.
constexpr std::uint64_t one_strip = 64;
/// Steps of a slab where A is read but once: fewer are 32 bytes of a row, for which memory takes longer.
constexpr std::uint32_t deep = 16;
/// Beyond that B passes through memory.
constexpr std::uint64_t cache_bytes = 50'000'000;

bool begins_with_pack(const ProductSize& size) { return size.n % 4 == 0; }

std::uint64_t tiles_of(const ProductSize& size, std::uint64_t tile_m, std::uint64_t tile_n) {
  return ceil_div(size.m, tile_m) * ceil_div(size.n, tile_n);
}

Shape shape_of(const ProductSize& size, std::uint64_t compute_units) {
  if (size.k <= 64 && tiles_of(size, 64, 128) >= compute_units) return Shape::flat;
  const bool few_rows = size.m <= 32 && size.m > 16 && 8 * tiles_of(size, 32, 128) >= compute_units &&
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

/// Whether all blocks run at once if each has so many slices, long enough for parts, and shared memory
/// has room for their stages and sums.
bool takes_slices(const ProductSize& size, const ProductTiling& tiling, const Rates& rates_of_tiling,
                  const ProductDevice& device) {
  const std::uint64_t blocks = ceil_div(tiles(size, tiling), device.compute_units);
  return rates_of_tiling.in_slices && blocks * tiling.slices <= at_a_time(rates_of_tiling) &&
         tiling.slices <= most_parts(size, tiling) &&
         blocks * shared_bytes(size, tiling) <= device.shared_bytes &&
         tiling.stages * tiling.depth * (tiling.tile_m + 4 + tiling.tile_n) >=
             tiling.tile_m * tiling.tile_n;
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

using Candidates = std::vector<Ranked<ProductTiling>>;

/// Adds a tiling in slices of several blocks, in any number of parts.
void consider_sliced(Candidates& found, const ProductSize& size, const SlicedRow& row,
                     const SlicedRate& rate, const ProductCosts& costs, const ProductDevice& device) {
  ProductTiling tiling = row.tiling;
  tiling.along = rate.along;
  tiling.copies = rate.copies;
  tiling.slices = row.slices;
  // Memory is what limits where C is one strip; one block has too little of it under way.
  if (size.n <= one_strip || rate.reached == 0 || shared_bytes(size, tiling) > device.shared_bytes) return;
  const std::uint64_t most = std::min({size.k / (shortest_sliced * row.slices), most_sliced_parts,
                                       device.compute_units / tiles(size, tiling)});
  for (tiling.splits = 2; tiling.splits <= most; ++tiling.splits) {
    found.push_back({tiling, expected_sliced_ns(size, tiling, rate.reached, costs)});
  }
}

/// Adds a tiling in any number of parts, or of slices, or shared out evenly, if registers are known to
/// suffice for that on the device.
void consider(Candidates& found, const ProductSize& size, ProductTiling tiling, const Rates& reached,
              const ProductCosts& costs, const ProductDevice& device, bool is_measured) {
  tiling.along = reached.along;
  tiling.copies = reached.copies;
  if (at_a_time(reached) == 0 || shared_bytes(size, tiling) > device.shared_bytes) return;
  if (tiling.depth < deep && size.n <= one_strip) return;
  const auto add = [&] {
    found.push_back({tiling, expected_ns(size, tiling, reached, costs, device.compute_units)});
  };
  const std::uint64_t most =
      reached.in_turns ? most_parts(size, tiling)
                       : std::min(most_parts(size, tiling),
                                  at_a_time(reached) * device.compute_units / tiles(size, tiling));
  add();
  for (tiling.splits = 2; tiling.splits <= most; ++tiling.splits) add();
  tiling.splits = 1;
  for (tiling.slices = 2; takes_slices(size, tiling, reached, device); ++tiling.slices) add();
  tiling.slices = 1;
  tiling.workers = static_cast<std::uint32_t>(at_a_time(reached));
  if (is_measured && takes_workers(size, tiling, reached, device)) add();
}

/// All rows of an architecture in all ways that they are taken in.
Candidates candidates(const ProductSize& size, const ProductRates& measured, std::string_view architecture,
                      const ProductDevice& device) {
  Candidates found;
  const bool is_measured = device.architecture == architecture;
  const auto each = [&](const auto& rows, const auto& compare) {
    for (const auto& row : rows) {
      if (row.architecture != architecture) continue;
      if (begins_with_pack(size)) {
        compare(row, row.whole);
        continue;
      }
      compare(row, row.within);
      compare(row, row.words);
      if (size.n % 2 == 0) compare(row, row.pairs);
    }
  };
  each(measured.rates, [&](const RateRow& row, const Rates& reached) {
    consider(found, size, row.tiling, reached, measured.costs, device, is_measured);
  });
  each(measured.sliced, [&](const SlicedRow& row, const SlicedRate& rate) {
    consider_sliced(found, size, row, rate, measured.costs, device);
  });
  return found;
}

/// The same kernel, but for how many blocks, slices or workers share a tile, about as many of each.
bool are_alike(const ProductTiling& a, const ProductTiling& b) {
  return a.tile_m == b.tile_m && a.tile_n == b.tile_n && a.depth == b.depth && a.thread_m == b.thread_m &&
         a.thread_n == b.thread_n && a.portions == b.portions && a.copies == b.copies &&
         a.workers == b.workers && a.slices == b.slices && are_about_as_many(a.splits, b.splits);
}

/// Of a strip's blocks two are to run on every multiprocessor: they wait for memory.
std::uint32_t splits_of_strip(const ProductSize& size, const ProductTiling& tiling,
                              std::uint64_t compute_units) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * compute_units / tiles(size, tiling), 1, most_parts(size, tiling)));
}

/// The architecture whose rows a device takes.
std::string_view measured_like(const ProductRates& measured, const ProductDevice& device) {
  const auto& rates = measured.rates;
  const bool known = std::ranges::find(rates, device.architecture, &RateRow::architecture) != rates.end();
  return known ? device.architecture : rates.front().architecture;
}

/// The tiling of a product that has a shape with a row of its own, if there is room for it.
std::optional<ProductTiling> tiling_of_shape(const ProductRates& measured, std::string_view architecture,
                                             const ProductDevice& device, const ProductSize& size) {
  const Shape shape = shape_of(size, device.compute_units);
  const auto row = std::ranges::find_if(measured.shapes, [&](const ShapeRow& candidate) {
    return candidate.architecture == architecture && candidate.shape == shape;
  });
  if (row == measured.shapes.end()) return std::nullopt;
  ProductTiling tiling = begins_with_pack(size) ? row->whole : row->within;
  if (shared_bytes(size, tiling) > device.shared_bytes) return std::nullopt;
  if (shape == Shape::few_rows) tiling.splits = splits_of_strip(size, tiling, device.compute_units);
  return tiling;
}

}  // namespace

std::string_view to_string(Copies copies) {
  constexpr std::array<std::string_view, 3> names{"packs", "words", "pairs"};
  return names.at(static_cast<std::size_t>(copies));
}

std::string_view to_string(Along along) {
  constexpr std::array<std::string_view, 4> names{"rows", "columns", "squares_2", "squares_4"};
  return names.at(static_cast<std::size_t>(along));
}

std::uint64_t tiles(const ProductSize& size, const ProductTiling& tiling) {
  return ceil_div(size.m, tiling.tile_m) * ceil_div(size.n, tiling.tile_n);
}

std::uint64_t blocks_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  const std::uint64_t tile_count = tiles(size, tiling);
  if (tiling.workers == 0) return tile_count;
  const std::uint64_t slabs = ceil_div(size.k, tiling.depth);
  return std::min(tile_count * (tiling.workers == 1 ? 2 : slabs), tiling.workers * compute_units);
}

Sharing sharing_of(const ProductSize& size, const ProductTiling& tiling, std::uint64_t compute_units) {
  if (tiling.workers == 0) return Sharing::none;
  if (tiles(size, tiling) >= tiling.workers * compute_units) return Sharing::turns;
  return tiling.workers == 1 ? Sharing::chains : Sharing::parts;
}

bool copies_before(const ProductSize& size, const ProductTiling& tiling) {
  return tiling.copies == Copies::packs && !begins_with_pack(size);
}

std::uint64_t shared_bytes(const ProductSize& size, const ProductTiling& tiling) {
  const std::uint64_t row = tiling.tile_m + 4 + tiling.tile_n + (copies_before(size, tiling) ? 4 : 0);
  return std::uint64_t{tiling.slices} * tiling.stages * tiling.depth * row * word;
}

ChosenTiling choose_tiling(const ProductRates& measured, const ProductDevice& device,
                           const ProductSize& size) {
  const std::string_view architecture = measured_like(measured, device);
  if (const auto tiling = tiling_of_shape(measured, architecture, device, size)) {
    return {*tiling, std::string(architecture)};
  }
  const Candidates found = candidates(size, measured, architecture, device);
  const auto& best = *std::ranges::min_element(found, {}, &Ranked<ProductTiling>::expected_ns);
  return {best.form, std::string(architecture), best.expected_ns};
}

std::vector<Ranked<ProductTiling>> rank_tilings(const ProductRates& measured, const ProductDevice& device,
                                                const ProductSize& size, std::size_t most) {
  const std::string_view architecture = measured_like(measured, device);
  Candidates found = candidates(size, measured, architecture, device);
  if (const auto tiling = tiling_of_shape(measured, architecture, device, size))
    found.push_back({*tiling, 0});
  return rank(std::move(found), most, are_alike);
}

std::string to_text(const ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return std::to_string(value); };
  return number(tiling.tile_m) + "x" + number(tiling.tile_n) + "x" + number(tiling.depth) + " in " +
         number(tiling.thread_m) + "x" + number(tiling.thread_n) + ", " + number(tiling.stages) +
         " stages, " + number(tiling.portions) + " portions, along " +
         std::string(to_string(tiling.along)) + ", " + number(tiling.splits) + " parts" +
         (tiling.copies == Copies::packs ? "" : ", by " + std::string(to_string(tiling.copies))) +
         (tiling.slices > 1 ? ", " + number(tiling.slices) + " slices" : "") +
         (tiling.workers > 0 ? ", " + number(tiling.workers) + " workers" : "");
}

}  // namespace benchctl::gpu
