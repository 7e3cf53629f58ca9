// The last columns of a packed product where they are too few for a vector.
//
// A register tile for one to four columns leaves most lanes of its vectors idle and is bound by its loads,
// one per multiply-add. Here vectors lie along k instead: A's rows are contiguous that way as they are, and
// the few columns of B are copied, transposed.
//
// Arithmetic      `lanes` steps of k take 4 vectors of A, 4 of B and 16 multiply-adds for 4 × 4 elements of
//                 C: a quarter (AVX-512, floats) or half of what a tile takes for them; of fewer columns as
//                 many fewer. The adding up over lanes is some 50 instructions for 16 elements.
// Expected limit  The multiply-add units: 8 cycles for 8 loads, which need 4.
#pragma once

#include <stddef.h>

#include "kernels/matmul_packed.hpp"

namespace benchctl::cpu_avx {
namespace {

/// Up to two groups of `slim_columns` columns of B, transposed: column after column, `pitch` elements
/// apart, zeros up to a whole vector.
template <class Simd>
struct SlimColumns {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;
  static constexpr size_t lanes = Simd::lanes;

  size_t depth;    ///< steps of k, at least 1
  size_t columns;  ///< 0 … 2 · slim_columns
  size_t pitch;
  const T* transposed;

  /// Copies B[0 … depth) × [0 … columns), rows `pitch_b` apart, to `to`, columns · packed_pitch(depth)
  /// elements.
  SlimColumns(const T* b, size_t pitch_b, size_t depth_of_b, size_t columns_of_b, T* to)
      : depth(depth_of_b), columns(columns_of_b), pitch(packed_pitch<T>(depth)), transposed(to) {
    const size_t padded = (depth + lanes - 1) / lanes * lanes;
    for (size_t column = 0; column < columns; ++column) {
      for (size_t p = depth; p < padded; ++p) to[column * pitch + p] = T{0};
    }
    for (size_t first = 0; first < columns; first += slim_columns) {
      copy(b + first, pitch_b, columns - first, to + first * pitch);
    }
  }

  /// C = or += A · B for `rows` rows, `pitch_a` and `pitch_c` elements apart. Two groups take some rows at
  /// a time, so that the second finds them in the first-level cache.
  void multiply(const T* a, size_t pitch_a, T* c, size_t pitch_c, size_t rows, bool add) const {
    if (columns == 0) return;
    const bool kept = columns <= slim_columns || rows * depth * sizeof(T) <= kept_bytes;
    const size_t at_once = kept ? rows : rows_at_once;
    for (; rows > at_once; rows -= at_once) {
      groups(a, pitch_a, c, pitch_c, at_once, add);
      a += at_once * pitch_a;
      c += at_once * pitch_c;
    }
    groups(a, pitch_a, c, pitch_c, rows, add);
  }

 private:
  static constexpr size_t kept_bytes = size_t{32} << 10;
  static constexpr size_t rows_at_once = 16;

  void groups(const T* a, size_t pitch_a, T* c, size_t pitch_c, size_t rows, bool add) const {
    for (size_t first = 0; first < columns; first += slim_columns) {
      const T* b = transposed + first * pitch;
      switch (columns - first) {
        case 1:
          multiply<1>(b, a, pitch_a, c + first, pitch_c, rows, add);
          break;
        case 2:
          multiply<2>(b, a, pitch_a, c + first, pitch_c, rows, add);
          break;
        case 3:
          multiply<3>(b, a, pitch_a, c + first, pitch_c, rows, add);
          break;
        default:
          multiply<slim_columns>(b, a, pitch_a, c + first, pitch_c, rows, add);
          break;
      }
    }
  }

  /// A group of columns, of which `count` are left. Squares read as many columns as a group has: behind the
  /// last ones the next row begins, and none behind the last row. A last square reaches back if there would
  /// be many single elements.
  [[gnu::noinline]] void copy(const T* b, size_t pitch_b, size_t count, T* to) const {
    size_t p = 0;
    if constexpr (lanes >= 2 * slim_columns) {
      const size_t in_squares = count >= slim_columns ? depth : depth - 1;
      if (in_squares >= lanes) {
        for (; p + lanes <= in_squares; p += lanes) {
          Simd::transpose_slim(b + p * pitch_b, pitch_b, to + p, pitch);
        }
        if ((in_squares - p) * (count < slim_columns ? count : slim_columns) > lanes) {
          p = in_squares - lanes;
          Simd::transpose_slim(b + p * pitch_b, pitch_b, to + p, pitch);
          p = in_squares;
        }
      }
    }
    for (; p < depth; ++p) {
      for (size_t column = 0; column < count && column < slim_columns; ++column) {
        to[column * pitch + p] = b[p * pitch_b + column];
      }
    }
  }

  template <size_t count>
  [[gnu::noinline]] void multiply(const T* of_b, const T* a, size_t pitch_a, T* c, size_t pitch_c,
                                  size_t rows, bool add) const {
    // Sixteen sums and what makes them are more than AVX2 has registers.
    constexpr size_t at_once = count == slim_columns && sizeof(Vector) < 64 ? 2 : 4;
    size_t row = 0;
    for (; row + at_once <= rows; row += at_once) {
      some<at_once, count>(of_b, a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
    }
    for (; row < rows; ++row) {
      some<1, count>(of_b, a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
    }
  }

  /// Four sums are added up over their lanes at a time: those of a row or, of fewer columns, of four rows'.
  template <size_t rows, size_t count>
  [[gnu::always_inline]] void some(const T* b, const T* a, size_t pitch_a, T* c, size_t pitch_c,
                                   bool add) const {
    constexpr bool by_rows = rows == 1 || count == slim_columns;
    constexpr size_t groups = by_rows ? rows : count;
    Vector sum[groups][4];
#pragma GCC unroll 4
    for (size_t g = 0; g < groups; ++g) {
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; ++i) sum[g][i] = Simd::zero();
    }
    const auto step = [&](const T* at, const auto& load) __attribute__((always_inline)) {
      Vector row[rows];
#pragma GCC unroll 4
      for (size_t r = 0; r < rows; ++r) row[r] = load(r);
#pragma GCC unroll 4
      for (size_t column = 0; column < count; ++column) {
        const Vector of_b = Simd::load(at + column * pitch);
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; ++r) {
          Vector& to = by_rows ? sum[r % groups][column] : sum[column % groups][r];
          to = Simd::fma(row[r], of_b, to);
        }
      }
    };
    const size_t whole = depth / lanes * lanes;
    for (size_t p = 0; p < whole; p += lanes) {
      step(b + p, [&](size_t r) { return Simd::load(a + r * pitch_a + p); });
    }
    if (whole < depth) {
      // What follows a row's end may be NaN, which a zero of B would not silence.
      const typename Simd::Mask mask = Simd::mask_of(depth - whole);
      step(b + whole, [&](size_t r) { return Simd::load_masked(a + r * pitch_a + whole, mask); });
    }
    const size_t along =
        by_rows ? 1 : pitch_c;  // from one sum of a group to the next, and to the next group
    const size_t across = by_rows ? pitch_c : 1;
    constexpr size_t in_group = by_rows ? count : rows;
#pragma GCC unroll 4
    for (size_t g = 0; g < groups; ++g) {
      T* const to = c + g * across;
      if (by_rows && count == slim_columns && !add) {
        Simd::add_up(sum[g], to);
        continue;
      }
      T total[4];
      Simd::add_up(sum[g], total);
#pragma GCC unroll 4
      for (size_t i = 0; i < in_group; ++i) {
        to[i * along] = add ? to[i * along] + total[i] : total[i];
      }
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
