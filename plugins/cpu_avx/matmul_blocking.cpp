#include "matmul_blocking.hpp"

#include <benchctl/rounding.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl::cpu_avx {

namespace {

// Where the system does not say.
constexpr std::size_t usual_l1 = std::size_t{32} << 10;
constexpr std::size_t usual_l2 = std::size_t{1} << 20;
constexpr std::size_t usual_last = std::size_t{16} << 20;

// Steps of k after which reading and writing C costs few per cent.
constexpr std::size_t long_enough = 384;
// So much of each row of a packed A, next to a panel of B in the first-level cache: a tile's rows and the
// panel leave half of it to C and what is fetched.
constexpr std::size_t long_row_bytes = long_enough * sizeof(float);
// Rows up to this length are read where they are: a tile's rows lie on few pages and in sets of their own.
constexpr std::size_t short_row_bytes = 2048;
// Each panel of B reads A once: so few of them gain less by a copy of A than it takes.
constexpr std::size_t panels_worth_packing = 8;
// Copying B takes about as long as multiplying it by so many rows is slowed down without; by fewer where
// the rows of a panel share few sets of the first-level cache. There it is the next tile that misses what
// the one before has read: a single tile never does.
constexpr std::size_t rows_worth_packing = 256;
constexpr std::size_t rows_worth_packing_crowded = 64;
// Addresses so far apart share a set of the first-level cache.
constexpr std::size_t page = 4096;
constexpr std::size_t line = 64;
// So many of a set's lines B may have in any first-level cache.
constexpr std::size_t lines_of_a_set = 8;
// A product of so few tiles' rows waits for B to come from memory: the next panel is fetched while one is
// worked on. With more, the longer streams of a whole block copied beforehand are worth as much.
constexpr std::size_t tiles_waiting_for_b = 20;
// That is so of 32 rows for each second-level cache that B would fill; a smaller B comes from a cache.
constexpr std::size_t rows_per_l2_of_b = 32;
// Rows of that next panel: B's rows may lie whole pages apart, and share few sets of the second-level
// cache; those of two panels are there at a time.
constexpr std::size_t fetched_depth = 128;
// Multiply-adds of a microsecond or so, several times what it takes to wake a thread that watches.
constexpr double least_work = 131072;
// From here on two threads are quicker than one: 48 × 48 × 48 by a quarter.
constexpr double least_for_two = 98304;
// With so few steps of k, writing C to memory takes longer than the product.
constexpr std::size_t short_sum = 12;
// Multiply-adds that one packed element costs.
constexpr double packing_work = 6;

std::size_t known(std::uint64_t bytes, std::size_t usual) {
  return bytes == 0 ? usual : static_cast<std::size_t>(bytes);
}

/// The larger of the even parts into which a product is cut: the blocks of A and B are as large as these
/// let them.
std::size_t even_part(std::size_t count, std::size_t limit) {
  return ceil_div(count, std::max<std::size_t>(ceil_div(count, limit), 1));
}

/// Do rows of B, `pitch` bytes apart, of which a tile reads `width` bytes each, lie in few of the sets that
/// repeat every `period` bytes?
bool rows_crowd(std::size_t pitch, std::size_t rows, std::size_t width, std::size_t period) {
  const std::size_t drift = std::min(pitch % period, period - pitch % period);
  const std::size_t spread = drift * rows + width;
  return spread < page && rows * (width + line) > lines_of_a_set * spread;
}

/// Is B better read where it lies than copied?
bool b_in_place(const ProductShape& shape, std::size_t element, RegisterTile tile, std::size_t l2,
                std::size_t last) {
  const std::size_t pitch = shape.n * element;
  const std::size_t bytes = shape.k * pitch;
  if (pitch <= short_row_bytes && bytes <= l2 / 2) return true;
  // Low tiles read B often, and lose as much where every other row lies in the same sets.
  const bool high = tile.rows > 8;
  const std::size_t period = high ? page : page / 2;
  if (rows_crowd(pitch, std::min(shape.k, long_enough), tile.columns * element, period)) {
    return shape.m <= (pitch <= period ? rows_worth_packing_crowded : high ? tile.rows : 0);
  }
  // Rows on pages of their own, which prefetchers do not find, are waited for if they come from memory.
  return shape.m <= rows_worth_packing && (pitch <= page || bytes <= last / 5);
}

/// Steps of k up to which a product is quicker with B in registers than in tiles. A single vector of
/// columns takes few of these, and a few columns are quicker still along k. `by_rows`: tiles would write
/// columns of many rows that compete for their places in the caches, or past these half a line at a time.
std::size_t longest_short_sum(const ProductShape& shape, RegisterTile tile, bool by_rows) {
  const std::size_t lanes = tile.columns / 2;
  if (shape.n <= slim_columns && lanes >= 2 * slim_columns && slim_pays(shape.n, shape.k, shape.m))
    return 0;
  if (shape.n <= lanes) return tile.short_depth;
  return by_rows ? std::min(short_sum, tile.short_depth) : tile.short_depth / 2;
}

bool nothing_wished(const BlockingWishes& wishes) {
  return wishes.depth == 0 && wishes.tall == 0 && wishes.wide == 0 && wishes.pack == "auto";
}

}  // namespace

PackedBlocking packed_blocking(const ProductShape& shape, std::size_t element, unsigned threads,
                               RegisterTile tile, const Topology& topology, const BlockingWishes& wishes) {
  const std::size_t l1 = known(topology.l1d_bytes, usual_l1);
  const std::size_t l2 = known(topology.l2_bytes, usual_l2);
  const std::size_t last = known(topology.last_level_cache_bytes, usual_last);
  const std::size_t widest = 128 / element;

  PackedBlocking blocking{};
  blocking.pack_a = shape.k * element > short_row_bytes && shape.n > panels_worth_packing * tile.columns;
  blocking.pack_b = !b_in_place(shape, element, tile, l2, last);
  if (wishes.pack != "auto") {
    blocking.pack_a = wishes.pack == "a" || wishes.pack == "both";
    blocking.pack_b = wishes.pack == "b" || wishes.pack == "both";
  }

  const bool waits = shape.m <= tiles_waiting_for_b * tile.rows &&
                     shape.k * shape.n * element / l2 * rows_per_l2_of_b >= shape.m;
  blocking.once = blocking.pack_b && waits && (wishes.tall == 0 || wishes.tall >= shape.m);
  // The longer a slab, the less often C is read and written. A panel of B stays in the first-level cache if
  // that holds one long enough; else it comes from the second, which delivers several times the 9 bytes per
  // cycle that it takes, and a packed one may be longer still.
  const bool fits_l1 = tile.columns * element * long_enough <= l1 * 3 / 4;
  const std::size_t long_slab =
      !blocking.pack_b
          ? std::max(long_enough, l1 / 2 / (shape.n * element))
          : (fits_l1 ? long_row_bytes : std::clamp<std::size_t>(l2 / 256, 1024, 4096)) / element;
  const std::size_t longest = blocking.once ? fetched_depth : long_slab;
  blocking.depth = even_part(shape.k, wishes.depth != 0 ? wishes.depth : longest);
  const std::size_t slab_row = blocking.depth * element;
  blocking.tall = wishes.tall != 0 ? wishes.tall : std::max<std::size_t>(l2 * 3 / 8 / slab_row, 64);
  blocking.tall = blocking.once ? shape.m : std::min(blocking.tall, shape.m);
  // B's block stays in this thread's share of the last cache, if it is used more than once.
  const std::size_t share = std::min(last / 2 / threads, std::size_t{8} << 20);
  const std::size_t widest_block = blocking.once ? shape.n : std::max(share / slab_row, widest);
  blocking.wide = wishes.wide != 0 ? std::min(wishes.wide, shape.n) : even_part(shape.n, widest_block);
  blocking.wide = round_up(blocking.wide, widest);

  // Panels of a packed B come back from the last cache for each block of A.
  blocking.fetch_b = blocking.pack_b && !blocking.once && blocking.wide * slab_row > l2 / 2;
  // A C that would push the rest out of the second-level cache goes past it where it is written once and
  // not read; where it is added to, it comes from beyond. Short sums take less time than memory does: what
  // the last cache holds stays there.
  const std::size_t c_bytes = shape.m * shape.n * element;
  const std::size_t kept = shape.k <= short_sum ? std::max(last * 3 / 8, l2) : l2;
  blocking.fetch_c = c_bytes >= l2;
  blocking.stream = wishes.store == "auto" ? c_bytes >= kept : wishes.store == "streaming";
  const bool crowded =
      c_bytes >= kept || rows_crowd(shape.n * element, shape.m, tile.columns * element, page / 2);
  blocking.short_sums = nothing_wished(wishes) && shape.k != 0 &&
                        shape.k <= longest_short_sum(shape, tile, blocking.fetch_c && crowded);
  return blocking;
}

std::string describe(const PackedBlocking& blocking) {
  const auto packed = [](bool is) { return is ? " packed" : " in place"; };
  const std::string streamed = blocking.stream ? ", C streamed where aligned" : "";
  if (blocking.short_sums)
    return "sums of " + std::to_string(blocking.depth) + ", B in registers" + streamed;
  return "slabs of " + std::to_string(blocking.depth) + ", " + std::to_string(blocking.tall) +
         " rows of A" + packed(blocking.pack_a) + ", " + std::to_string(blocking.wide) + " columns of B" +
         packed(blocking.pack_b) + (blocking.once ? " panel by panel" : "") + streamed;
}

Grid thread_grid(const ProductShape& shape, unsigned threads, RegisterTile tile) {
  Grid best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned rows = 1; rows <= threads; ++rows) {
    if (threads % rows != 0) continue;
    const unsigned columns = threads / rows;
    const auto height = static_cast<double>(ceil_div(shape.m, rows));
    const auto width = static_cast<double>(round_up(ceil_div(shape.n, columns), tile.narrowest));
    const double work = height * width + packing_work * (height + width);
    if (work < least) {
      least = work;
      best = {rows, columns};
    }
  }
  return best;
}

unsigned useful_threads(const ProductShape& shape, unsigned allowed) {
  const double work =
      static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  const double busy = std::max(std::floor(work / least_work), work >= least_for_two ? 2.0 : 1.0);
  return busy >= allowed ? allowed : static_cast<unsigned>(busy);
}

}  // namespace benchctl::cpu_avx
