// The innermost loop of the packed product: a tile of C in registers, with its shape known at compile time.
//
// Arithmetic      A step of k loads `vectors` vectors of B, broadcasts `rows` elements of A and makes
//                 rows · vectors multiply-adds. AVX-512: 14 × 2 of 16 floats: 28 multiply-adds for 16
//                 loads; 28 sums, 2 vectors of B and 2 broadcasts are all 32 registers. AVX2: 6 × 2 of 8
//                 floats: 12 for 8 loads, in 12 + 2 + 2 = 16 registers. No sum waits for another: 28 (12)
//                 chains are more than the latency of a multiply-add (4 cycles) on two units needs, 8.
// Expected limit  The multiply-add units: 14 (6) cycles per step where there are two of the full width, in
//                 which two loads per cycle need 8 (4). A step takes 128 (64) bytes, out of the
//                 first-level cache or the second: 9 (11) bytes per cycle.
//
// Rows of A are read where they lie, along k: a broadcast takes any address, so A needs no transposition,
// and the same loop takes rows of the matrix and of a packed copy of it. Three rows share a pointer (at 0,
// 1 and 2 times the pitch), so that five pointers and the pitch do for 14 rows.
//
// A Simd type has: Scalar, Vector, Mask; lanes; rows and vectors of the largest tile; Narrow and Low, the
// types of tiles for few columns and for few rows; short_depth (matmul_packed.hpp, RegisterTile); and
// static zero(), load(p), broadcast(p), add(a, b), mul(a, b), fma(a, b, c), mask_of(count), load_masked(p,
// mask), store(p, v), store_masked(p, mask, v), stream(p, v) (aligned), prefetch(p), prefetch_far(p) (no
// nearer than the second cache); those with 8 lanes and more for the last columns (matmul_slim_columns.hpp)
// transpose_slim and add_up(v, to): to[i] = the sum over the lanes of v[i], i < 4.
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {
namespace {

enum class Store { replace, add, stream };

/// C[0 … rows) × [0 … columns) = or += A · B, over `depth` steps. Pitches are in elements.
template <class T>
struct TileTask {
  const T* a;
  const T* b;
  T* c;
  size_t pitch_a;
  size_t pitch_b;
  size_t pitch_c;
  size_t depth;
  size_t whole_steps;   ///< those in which B may be read in whole vectors
  size_t last_columns;  ///< columns in the last vector, 1 … lanes
  const T* next_c;      ///< the tile of C that comes next, to be fetched meanwhile
  size_t next_rows;     ///< rows to fetch of it; 0: none
  const T* next_b;      ///< then rows of the panel of B that comes next, packed or not yet
  size_t next_b_pitch;  ///< how far these are apart
  size_t next_b_each;   ///< every four steps so many; 0: none
  Store store;
};

inline constexpr size_t rows_per_pointer = 3;
inline constexpr size_t unrolled_steps = 4;

/// `masked`: the last vector holds fewer columns than lanes, and C ends there. So does B, but what follows
/// in memory is mostly its next row, which may be read for lanes that are not stored; masks, of which AVX2
/// has no registers to spare for, are left to the last steps.
/// `fetches_b`: fetches rows of B as well, which small products would notice if it were asked for at run
/// time.
template <class Simd, size_t rows, size_t vectors, bool masked, bool fetches_b>
struct RegisterTileKernel {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;
  static constexpr size_t lanes = Simd::lanes;
  static constexpr size_t line = 64 / sizeof(T);
  static constexpr size_t pointers = (rows + rows_per_pointer - 1) / rows_per_pointer;

  static constexpr bool at_edge(size_t v) { return masked && v + 1 == vectors; }

  /// `steps` steps of k, from where the pointers are, which move on. The empty statements keep the compiler
  /// from making pointers and offsets of its own for rows and steps, for which it has too few registers.
  template <size_t steps, bool whole>
  [[gnu::always_inline]] static void multiply(const T* (&a)[pointers], size_t pitch_a, const T*& b,
                                              size_t pitch_b, typename Simd::Mask mask,
                                              Vector (&sum)[rows][vectors]) {
#pragma GCC unroll 8
    for (size_t p = 0; p < steps; ++p) {
      asm("" : "+r"(pitch_a), "+r"(b));
      Vector b_row[vectors];
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; ++v) {
        const T* from = b + v * lanes;
        b_row[v] = at_edge(v) && !whole ? Simd::load_masked(from, mask) : Simd::load(from);
      }
#pragma GCC unroll 16
      for (size_t r = 0; r < rows; ++r) {
        const char* row = reinterpret_cast<const char*>(a[r / rows_per_pointer]);
        const Vector a_rp =
            Simd::broadcast(reinterpret_cast<const T*>(row + r % rows_per_pointer * pitch_a) + p);
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v) sum[r][v] = Simd::fma(a_rp, b_row[v], sum[r][v]);
      }
      b += pitch_b;
    }
#pragma GCC unroll 8
    for (size_t g = 0; g < pointers; ++g) {
      a[g] += steps;
      asm("" : "+r"(a[g]));
    }
  }

  template <Store way>
  [[gnu::always_inline]] static void finish(T* c, size_t pitch_c, typename Simd::Mask mask,
                                            const Vector (&sum)[rows][vectors]) {
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; ++v) {
        T* to = c + v * lanes;
        Vector value = sum[r][v];
        if (way == Store::add) {
          value = Simd::add(at_edge(v) ? Simd::load_masked(to, mask) : Simd::load(to), value);
        }
        if (at_edge(v)) {
          Simd::store_masked(to, mask, value);
        } else if (way == Store::stream) {
          Simd::stream(to, value);
        } else {
          Simd::store(to, value);
        }
      }
      c += pitch_c;
    }
  }

  static void run(const TileTask<T>& asked) {
    const TileTask<T> task = asked;  // a copy, which no store to C can change
    const typename Simd::Mask mask = Simd::mask_of(task.last_columns);
    const T* a[pointers];
#pragma GCC unroll 8
    for (size_t g = 0; g < pointers; ++g) a[g] = task.a + g * rows_per_pointer * task.pitch_a;
    const T* b = task.b;
    Vector sum[rows][vectors];
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; ++v) sum[r][v] = Simd::zero();
    }
    const size_t pitch_a = task.pitch_a * sizeof(T);  // in bytes
    size_t left = masked ? task.whole_steps : task.depth;
    const size_t rest = left % unrolled_steps + (masked ? task.depth - left : 0);
    // A row of the next tile at a time: all of them at once would keep A and B waiting for memory.
    const T* next = task.next_c;
    [[maybe_unused]] bool at_b = false;
    for (size_t rows_left = task.next_rows; left >= unrolled_steps; left -= unrolled_steps) {
      if (rows_left > 0) {
        // A row that begins within a line ends in one line more.
#pragma GCC unroll 4
        for (size_t i = 0; i < vectors * lanes; i += line) Simd::prefetch(next + i);
        Simd::prefetch(next + vectors * lanes - 1);
        next += task.pitch_c;
        --rows_left;
      } else if constexpr (fetches_b) {
        if (!at_b) next = task.next_b;
        at_b = true;
        for (size_t row = task.next_b_each; row > 0; --row) {
#pragma GCC unroll 4
          for (size_t i = 0; i < vectors * lanes; i += line) Simd::prefetch_far(next + i);
          Simd::prefetch_far(next + vectors * lanes - 1);
          next += task.next_b_pitch;
        }
      }
      multiply<unrolled_steps, true>(a, pitch_a, b, task.pitch_b, mask, sum);
    }
#pragma GCC unroll 1
    for (left = rest; left > 0; --left) multiply<1, false>(a, pitch_a, b, task.pitch_b, mask, sum);
    if (task.store == Store::add) {
      finish<Store::add>(task.c, task.pitch_c, mask, sum);
    } else if (task.store == Store::stream) {
      finish<Store::stream>(task.c, task.pitch_c, mask, sum);
    } else {
      finish<Store::replace>(task.c, task.pitch_c, mask, sum);
    }
  }
};

/// The kernels of all shapes up to the largest: by vectors less one, masked or not, and rows.
template <class Simd>
struct RegisterTileTable {
  using Run = void (*)(const TileTask<typename Simd::Scalar>& task);
  Run run[Simd::vectors][2][Simd::rows + 1];
};

template <class Simd, bool fetches_b, size_t rows, size_t vectors>
constexpr void add_kernels(RegisterTileTable<Simd>& table) {
  table.run[vectors - 1][0][rows] = &RegisterTileKernel<Simd, rows, vectors, false, fetches_b>::run;
  table.run[vectors - 1][1][rows] = &RegisterTileKernel<Simd, rows, vectors, true, fetches_b>::run;
  if constexpr (vectors > 1) {
    add_kernels<Simd, fetches_b, rows, vectors - 1>(table);
  } else if constexpr (rows > 1) {
    add_kernels<Simd, fetches_b, rows - 1, Simd::vectors>(table);
  }
}

template <class Simd, bool fetches_b>
constexpr RegisterTileTable<Simd> make_register_tiles() {
  RegisterTileTable<Simd> table{};
  add_kernels<Simd, fetches_b, Simd::rows, Simd::vectors>(table);
  return table;
}

template <class Simd, bool fetches_b>
constexpr RegisterTileTable<Simd> register_tiles = make_register_tiles<Simd, fetches_b>();

}  // namespace
}  // namespace benchctl::cpu_avx
