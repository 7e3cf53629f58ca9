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

/// Up to `slim_columns` columns of B, transposed: column after column, `pitch` elements apart, zeros up to
/// a whole vector.
template <class Simd>
struct SlimColumns {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;
  static constexpr size_t lanes = Simd::lanes;

  size_t depth;    ///< steps of k, at least 1
  size_t columns;  ///< 0 … slim_columns
  size_t pitch;
  const T* transposed;

  /// Copies B[0 … depth) × [0 … columns), rows `pitch_b` apart, to `to`, slim_columns · packed_pitch(depth)
  /// elements.
  SlimColumns(const T* b, size_t pitch_b, size_t depth_of_b, size_t columns_of_b, T* to)
      : depth(depth_of_b), columns(columns_of_b), pitch(packed_pitch<T>(depth)), transposed(to) {
    const size_t padded = (depth + lanes - 1) / lanes * lanes;
    for (size_t column = 0; column < columns; ++column) {
      for (size_t p = depth; p < padded; ++p) to[column * pitch + p] = T{0};
    }
    switch (columns) {
      case 0:
        break;
      case 1:
        copy<1>(b, pitch_b, to);
        break;
      case 2:
        copy<2>(b, pitch_b, to);
        break;
      case 3:
        copy<3>(b, pitch_b, to);
        break;
      default:
        copy<slim_columns>(b, pitch_b, to);
        break;
    }
  }

  /// C = or += A · B for `rows` rows, `pitch_a` and `pitch_c` elements apart.
  void multiply(const T* a, size_t pitch_a, T* c, size_t pitch_c, size_t rows, bool add) const {
    switch (columns) {
      case 0:
        return;
      case 1:
        return multiply<1>(a, pitch_a, c, pitch_c, rows, add);
      case 2:
        return multiply<2>(a, pitch_a, c, pitch_c, rows, add);
      case 3:
        return multiply<3>(a, pitch_a, c, pitch_c, rows, add);
      default:
        return multiply<slim_columns>(a, pitch_a, c, pitch_c, rows, add);
    }
  }

 private:
  template <size_t count>
  void copy(const T* b, size_t pitch_b, T* to) const {
    for (size_t p = 0; p < depth; ++p) {
#pragma GCC unroll 4
      for (size_t column = 0; column < count; ++column) to[column * pitch + p] = b[column];
      b += pitch_b;
    }
  }

  template <size_t count>
  [[gnu::noinline]] void multiply(const T* a, size_t pitch_a, T* c, size_t pitch_c, size_t rows,
                                  bool add) const {
    size_t row = 0;
    for (; row + 4 <= rows; row += 4) {
      some<4, count>(a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
    }
    for (; row < rows; ++row) some<1, count>(a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
  }

  /// Four sums are added up over their lanes at a time: those of a row or, of fewer columns, of four rows'.
  template <size_t rows, size_t count>
  [[gnu::always_inline]] void some(const T* a, size_t pitch_a, T* c, size_t pitch_c, bool add) const {
    constexpr bool by_rows = rows == 1 || count == slim_columns;
    constexpr size_t groups = by_rows ? rows : count;
    Vector sum[groups][4];
#pragma GCC unroll 4
    for (size_t g = 0; g < groups; ++g) {
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; ++i) sum[g][i] = Simd::zero();
    }
    const auto step = [&](const T* b, const auto& load) __attribute__((always_inline)) {
      Vector row[rows];
#pragma GCC unroll 4
      for (size_t r = 0; r < rows; ++r) row[r] = load(r);
#pragma GCC unroll 4
      for (size_t column = 0; column < count; ++column) {
        const Vector of_b = Simd::load(b + column * pitch);
#pragma GCC unroll 4
        for (size_t r = 0; r < rows; ++r) {
          Vector& to = by_rows ? sum[r % groups][column] : sum[column % groups][r];
          to = Simd::fma(row[r], of_b, to);
        }
      }
    };
    const size_t whole = depth / lanes * lanes;
    const T* b = transposed;
    for (size_t p = 0; p < whole; p += lanes) {
      step(b + p, [&](size_t r) { return Simd::load(a + r * pitch_a + p); });
    }
    if (whole < depth) {
      // What follows a row's end may be no number, which a zero of B would not silence.
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
