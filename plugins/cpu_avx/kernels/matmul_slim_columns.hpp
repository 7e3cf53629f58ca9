// The last columns of a packed product where they are too few for a vector.
//
// A register tile for one to four columns leaves most lanes of its vectors idle and is bound by its loads,
// one per multiply-add. Here vectors lie along k instead: A's rows are contiguous that way as they are, and
// the few columns of B are copied, transposed.
//
// Arithmetic      `lanes` steps of k take 4 vectors of A, 4 of B and 16 multiply-adds for 4 × 4 elements of
// C:
//                 a quarter (AVX-512, floats) or half of what a tile takes for them. The adding up over
//                 lanes is some 50 instructions for 16 elements.
// Expected limit  The multiply-add units: 8 cycles for 8 loads, which need 4.
#pragma once

#include <stddef.h>

#include "kernels/matmul_packed.hpp"

namespace benchctl::cpu_avx {
namespace {

/// `slim_columns` columns of B, transposed: column after column, `pitch` elements apart, zeros up to a
/// whole vector and in columns that are not there.
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
    if (columns == 0) return;
    const size_t padded = (depth + lanes - 1) / lanes * lanes;
    for (size_t column = 0; column < slim_columns; ++column) {
      for (size_t p = column < columns ? depth : 0; p < padded; ++p) to[column * pitch + p] = T{0};
    }
    if (columns == slim_columns) {
      copy(b, pitch_b, slim_columns, to);
    } else {
      copy(b, pitch_b, columns, to);
    }
  }

  /// C = or += A · B for `rows` rows, `pitch_a` and `pitch_c` elements apart.
  void multiply(const T* a, size_t pitch_a, T* c, size_t pitch_c, size_t rows, bool add) const {
    size_t row = columns == 0 ? rows : 0;
    for (; row + 4 <= rows; row += 4) some<4>(a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
    for (; row < rows; ++row) some<1>(a + row * pitch_a, pitch_a, c + row * pitch_c, pitch_c, add);
  }

 private:
  /// Inlined for the usual number, which needs no loop.
  [[gnu::always_inline]] void copy(const T* b, size_t pitch_b, size_t count, T* to) const {
    for (size_t p = 0; p < depth; ++p) {
#pragma GCC unroll 4
      for (size_t column = 0; column < count; ++column) to[column * pitch + p] = b[column];
      b += pitch_b;
    }
  }

  template <size_t rows>
  void some(const T* a, size_t pitch_a, T* c, size_t pitch_c, bool add) const {
    Vector sum[rows][slim_columns];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (size_t column = 0; column < slim_columns; ++column) sum[r][column] = Simd::zero();
    }
    const size_t whole = depth / lanes * lanes;
    const T* b = transposed;
    for (size_t p = 0; p < whole; p += lanes) {
      const auto load = [&](size_t r) { return Simd::load(a + r * pitch_a + p); };
      step<rows>(b + p, load, sum);
    }
    if (whole < depth) {
      // What follows a row's end may be no number, which a zero of B would not silence.
      const typename Simd::Mask mask = Simd::mask_of(depth - whole);
      const auto load = [&](size_t r) { return Simd::load_masked(a + r * pitch_a + whole, mask); };
      step<rows>(b + whole, load, sum);
    }
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; ++r) {
      T* to = c + r * pitch_c;
      if (columns == slim_columns && !add) {
        Simd::add_up(sum[r], to);
        continue;
      }
      T total[slim_columns];
      Simd::add_up(sum[r], total);
      for (size_t column = 0; column < columns; ++column) {
        to[column] = add ? to[column] + total[column] : total[column];
      }
    }
  }

  template <size_t rows, class Load>
  [[gnu::always_inline]] void step(const T* b, const Load& load, Vector (&sum)[rows][slim_columns]) const {
    Vector a[rows];
#pragma GCC unroll 4
    for (size_t r = 0; r < rows; ++r) a[r] = load(r);
#pragma GCC unroll 4
    for (size_t column = 0; column < slim_columns; ++column) {
      const Vector of_b = Simd::load(b + column * pitch);
#pragma GCC unroll 4
      for (size_t r = 0; r < rows; ++r) sum[r][column] = Simd::fma(a[r], of_b, sum[r][column]);
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
