// The packed product around its register tiles, written once over a `Simd` type that names an instruction
// set's vectors (matmul_register_tile.hpp). Included by one translation unit per instruction set;
// everything is in an unnamed namespace, so that no unit's code can stand in for another's.
//
// Loops from the outside (the scheme of Goto & van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34, 2008): blocks of B `wide` columns wide; slabs of `depth` along k; blocks of
// A `tall` rows high; then register tiles, those of one panel of B one after the other, so that the panel
// stays in the first-level cache, or is prefetched from the second, while the block of A passes by.
//
// What differs from the book: every cut is even (500 rows are 36 tiles of 13 or 14, not 35 of 14 and one of
// 10), so there is no thin rest; A's rows are copied as they are, without transposing, or not at all; small
// operands are read where they lie; the first slab writes C instead of adding to it, past the caches if C
// is larger than these, and a tile of C that is added to comes from memory while the one before is worked
// on; where rows are few and B is used once, a panel of it is copied when it is needed, and the next one's
// rows come from memory meanwhile, as a packed panel comes from the last cache; up to eight last columns
// are summed along k; up to six rows take tiles of four vectors (AVX-512), since those of two would have
// too few sums to hide the latency of multiply-adds, and stop at every row of B after two lines; sums of
// few steps of k need no tiles (matmul_short_sums.hpp).
#pragma once

#include "kernels/matmul_packed.hpp"
#include "kernels/matmul_register_tile.hpp"
#include "kernels/matmul_short_sums.hpp"
#include "kernels/matmul_slim_columns.hpp"

namespace benchctl::cpu_avx {
namespace {

inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/// [0, count), count ≥ 1, in as few parts as keep each within `limit`, of two sizes that differ by one.
struct EvenParts {
  size_t parts = 1;
  size_t size;        ///< size of the smaller parts
  size_t larger = 0;  ///< how many have one more; they come first
  EvenParts(size_t count, size_t limit) : size(count) {
    if (count <= limit) return;  // small products notice divisions
    parts = (count + limit - 1) / limit;
    size = count / parts;
    larger = count - size * parts;
  }
  [[nodiscard]] size_t begin(size_t part) const { return part * size + smaller(part, larger); }
};

template <class Simd>
struct PackedProduct {
  using T = typename Simd::Scalar;
  static constexpr size_t lanes = Simd::lanes;
  static constexpr size_t tile_columns = Simd::vectors * lanes;
  static constexpr bool has_slim = lanes >= 2 * slim_columns;
  static constexpr size_t least_depth_of_two = 32;  // groups of slim columns
  static constexpr size_t least_work_of_two = 1536;

  const MatmulPart<T>& part;
  const PackedBlocking& blocking;
  T* packed_a;
  T* packed_b;
  T* packed_slim;

  /// Rows [row, row + rows) × [p0, p0 + depth) of A, one after the other. The row after the next is fetched
  /// meanwhile: each lies on a page of its own, at which prefetchers stop.
  void pack_a(size_t row, size_t rows, size_t p0, size_t depth) const {
    const size_t pitch = packed_pitch<T>(depth);
    for (size_t r = 0; r < rows; ++r) {
      const T* from = part.a + (row + r) * part.k + p0;
      T* to = packed_a + r * pitch;
      size_t p = 0;
      for (; p + 2 * lanes <= depth; p += 2 * lanes) {
        Simd::prefetch(from + 2 * part.k + p);  // may lie behind A: an address like any other
        Simd::store(to + p, Simd::load(from + p));
        Simd::store(to + p + lanes, Simd::load(from + p + lanes));
      }
      for (; p < depth; ++p) to[p] = from[p];
    }
  }

  /// B[p0 … p0 + depth) × [column … column + columns) as panels of tile_columns columns, padded with zeros:
  /// panel, then p, then column. Some rows at a time, so that B is read in few long streams.
  void pack_b(size_t column, size_t columns, size_t p0, size_t depth) const {
    constexpr size_t rows_at_once = 8;
    const size_t whole = columns / tile_columns * tile_columns;
    for (size_t p = 0; p < depth; p += rows_at_once) {
      const size_t end = smaller(p + rows_at_once, depth);
      for (size_t panel = 0; panel < whole; panel += tile_columns) {
        T* to = packed_b + panel * depth + p * tile_columns;
        const T* from = part.b + (p0 + p) * part.n + column + panel;
        for (size_t q = p; q < end; ++q) {
#pragma GCC unroll 4
          for (size_t v = 0; v < tile_columns; v += lanes) Simd::store(to + v, Simd::load(from + v));
          to += tile_columns;
          from += part.n;
        }
      }
    }
    if (whole < columns)
      pack_last_panel(column + whole, columns - whole, p0, depth, packed_b + whole * depth);
  }

  /// A panel of fewer columns than a tile has.
  void pack_last_panel(size_t column, size_t columns, size_t p0, size_t depth, T* to) const {
    const size_t whole = columns / lanes * lanes;
    const typename Simd::Mask mask = Simd::mask_of(columns - whole);
    const T* from = part.b + p0 * part.n + column;
    for (size_t p = 0; p < depth; ++p) {
      for (size_t v = 0; v < whole; v += lanes) Simd::store(to + v, Simd::load(from + v));
      Simd::store(to + whole, whole == columns ? Simd::zero() : Simd::load_masked(from + whole, mask));
      for (size_t v = whole + lanes; v < tile_columns; v += lanes) Simd::store(to + v, Simd::zero());
      to += tile_columns;
      from += part.n;
    }
  }

  /// Rows of B from p0 on that are followed by enough others for `columns` to be read.
  [[nodiscard]] size_t whole_steps(size_t p0, size_t column, size_t columns, size_t depth) const {
    if (blocking.pack_b) return depth;
    size_t end = part.k;  // counted down, mostly once: a division takes as long as some steps
    for (size_t follow = part.n - column; follow < columns && end > p0; follow += part.n) --end;
    return smaller(depth, end - p0);
  }

  /// Tiles side by side down a block of A: of columns j … of C, at most a tile's.
  /// `next_c`: where the tiles of the next panel begin; that panel of B has `rows_of_next_b` rows.
  template <class Tile>
  [[gnu::always_inline]] static void panel(TileTask<T>& task, const EvenParts& tiles, size_t width,
                                           const T* next_c, size_t rows_of_next_b) {
    const size_t vectors = (width + Tile::lanes - 1) / Tile::lanes;
    task.last_columns = width - (vectors - 1) * Tile::lanes;
    const size_t masked = task.last_columns != Tile::lanes;
    size_t tile = 0;
    const auto run = [&](const auto* kernels) {
      const size_t height = tiles.size + (tile < tiles.larger ? 1 : 0);
      ++tile;
      task.next_c = tile < tiles.parts ? task.c + height * task.pitch_c : next_c;
      kernels[height](task);
      task.a += height * task.pitch_a;
      task.c += height * task.pitch_c;
    };
    if constexpr (Tile::rows <= Simd::Low::rows && Tile::vectors > Simd::vectors) {
      // B is in place: nothing is fetched.
    } else if (task.next_b_each != 0) {
      const size_t chances = task.depth / unrolled_steps;
      const size_t rows_each = (chances - smaller(chances, task.next_rows)) * task.next_b_each;
      for (size_t rows = 0; rows < rows_of_next_b && tile < tiles.parts; rows += rows_each) {
        run(register_tiles<Tile, true>.run[vectors - 1][masked]);
        task.next_b += rows_each * task.next_b_pitch;
      }
    }
    while (tile < tiles.parts) run(register_tiles<Tile, false>.run[vectors - 1][masked]);
  }

  /// Rows of B that a tile fetches every four steps, so that the next panel is there when all `tiles` tiles
  /// of a panel have been worked on.
  static size_t fetched_each(size_t tiles) { return (unrolled_steps + tiles - 1) / tiles; }

  /// A block of A and C times the slab of B that begins with row p0.
  void block(const T* a, size_t pitch_a, size_t rows, size_t p0, size_t depth, size_t column,
             size_t columns, T* c, Store store) const {
    if constexpr (Simd::Low::vectors > Simd::vectors) {
      if (rows <= Simd::Low::rows && columns > tile_columns && !blocking.pack_b) {
        return block_of<typename Simd::Low>(a, pitch_a, rows, p0, depth, column, columns, c, store);
      }
    }
    block_of<Simd>(a, pitch_a, rows, p0, depth, column, columns, c, store);
  }

  template <class Tile>
  [[gnu::noinline]] void block_of(const T* a, size_t pitch_a, size_t rows, size_t p0, size_t depth,
                                  size_t column, size_t columns, T* c, Store store) const {
    constexpr size_t across = Tile::vectors * lanes;
    const EvenParts tiles(rows, Tile::rows);
    TileTask<T> task{};
    task.pitch_a = pitch_a;
    task.pitch_b = blocking.pack_b ? across : part.n;
    task.pitch_c = part.n;
    task.depth = depth;
    task.store = store;
    task.next_rows = blocking.fetch_c && store != Store::stream ? Simd::rows : 0;
    for (size_t j = 0; j < columns; j += across) {
      const size_t width = smaller(across, columns - j);
      if (blocking.once) {
        pack_b(column + j, width, p0, depth);
        task.b = packed_b;
        const bool last = j + across >= columns;
        task.next_b = part.b + (last ? p0 + depth : p0) * part.n + column + (last ? 0 : j + across);
        task.next_b_pitch = part.n;
        task.next_b_each = last && p0 + depth >= part.k ? 0 : fetched_each(tiles.parts);
      } else {
        if (blocking.fetch_b) {
          const bool last = j + across >= columns;
          task.next_b = packed_b + (last ? 0 : j + across) * depth;
          task.next_b_pitch = across;
          task.next_b_each = fetched_each(tiles.parts);
        }
        task.b = blocking.pack_b ? packed_b + j * depth : part.b + p0 * part.n + column + j;
      }
      task.a = a;
      task.c = c + j;
      if (width <= lanes && depth <= ShortSums<Simd>::most_depth && pitch_a == depth && !blocking.pack_b &&
          store == Store::replace) {
        ShortSums<Simd>::narrow_panel(a, task.b, task.c, part.n, rows, depth, width);
        continue;
      }
      const bool narrow = width <= Simd::Narrow::lanes;
      if (narrow ? width != Simd::Narrow::lanes : width % lanes != 0) {
        task.whole_steps = whole_steps(p0, column + j, across, depth);
      }
      if (narrow) {
        panel<typename Simd::Narrow>(task, EvenParts(rows, Simd::Narrow::rows), width, task.c + width,
                                     depth);
      } else {
        panel<Tile>(task, tiles, width, task.c + width, depth);
      }
    }
  }

  /// How many of the last of `columns` columns are left to SlimColumns: those that fill one group, or two
  /// of vectors that are long enough for both.
  [[nodiscard]] size_t slim_of(size_t columns) const {
    const size_t rest = columns % lanes;
    if (!has_slim || rest == 0) return 0;
    const size_t rows = part.row_end - part.row_begin;
    if (rest <= slim_columns) return slim_pays(rest, part.k, rows) ? rest : 0;
    const bool enough = part.k >= least_depth_of_two && part.k * rows >= least_work_of_two;
    return lanes >= 4 * slim_columns && rest <= 2 * slim_columns && enough ? rest : 0;
  }

  /// Whole lines of C, and all of the sum at once.
  [[nodiscard]] bool can_stream(size_t slabs) const {
    constexpr size_t line = 64 / sizeof(T);
    return blocking.stream && slabs == 1 && part.n % line == 0 && part.column_begin % line == 0 &&
           reinterpret_cast<size_t>(part.c) % 64 == 0;
  }

  /// Nothing is copied and nothing cut: what `run` would find out takes as long as a product of 8 × 8 × 8.
  [[nodiscard]] bool run_in_place() const {
    const size_t rows = part.row_end - part.row_begin;
    const size_t all_columns = part.column_end - part.column_begin;
    const size_t slim = slim_of(all_columns);
    if (blocking.pack_a || blocking.pack_b || blocking.stream || part.k > blocking.depth ||
        rows > blocking.tall || all_columns > blocking.wide || slim != 0) {
      return false;
    }
    block(part.a + part.row_begin * part.k, part.k, rows, 0, part.k, part.column_begin, all_columns,
          part.c + part.row_begin * part.n + part.column_begin, Store::replace);
    return true;
  }

  void run() const {
    if (part.row_begin == part.row_end || part.column_begin == part.column_end) return;
    if (blocking.short_sums) return ShortSums<Simd>::multiply(part, can_stream(1));
    if (!run_in_place()) run_blocks();
  }

  [[gnu::noinline]] void run_blocks() const {
    const EvenParts slabs(part.k, blocking.depth);
    const EvenParts talls(part.row_end - part.row_begin, blocking.tall);
    const bool stream = can_stream(slabs.parts);
    for (size_t j0 = part.column_begin; j0 < part.column_end; j0 += blocking.wide) {
      const size_t all_columns = smaller(blocking.wide, part.column_end - j0);
      const size_t slim = slim_of(all_columns);
      const size_t columns = all_columns - slim;
      for (size_t slab = 0; slab < slabs.parts; ++slab) {
        const size_t p0 = slabs.begin(slab);
        const size_t depth = slabs.begin(slab + 1) - p0;
        const Store store = slab != 0 ? Store::add : stream ? Store::stream : Store::replace;
        if (blocking.pack_b && !blocking.once) pack_b(j0, columns, p0, depth);
        const T* last = part.b + p0 * part.n + j0 + columns;
        const SlimColumns<Simd> rest{last, part.n, depth, slim, packed_slim};
        for (size_t tall = 0; tall < talls.parts; ++tall) {
          const size_t row = part.row_begin + talls.begin(tall);
          const size_t rows = part.row_begin + talls.begin(tall + 1) - row;
          if (blocking.pack_a) pack_a(row, rows, p0, depth);
          const T* a = blocking.pack_a ? packed_a : part.a + row * part.k + p0;
          const size_t pitch_a = blocking.pack_a ? packed_pitch<T>(depth) : part.k;
          T* c = part.c + row * part.n + j0;
          block(a, pitch_a, rows, p0, depth, j0, columns, c, store);
          if constexpr (has_slim) rest.multiply(a, pitch_a, c + columns, part.n, rows, slab != 0);
        }
      }
    }
    if (stream) Simd::fence();
  }
};

template <class Simd>
void packed_product(const MatmulPart<typename Simd::Scalar>& part, const PackedBlocking& blocking,
                    typename Simd::Scalar* scratch) {
  using T = typename Simd::Scalar;
  const PackedScratch at = packed_scratch<T>(blocking);
  PackedProduct<Simd>{part, blocking, scratch + at.a, scratch + at.b, scratch + at.slim}.run();
}

}  // namespace
}  // namespace benchctl::cpu_avx
