// Transposes that take few squares of half a cache line's elements on each side, the last of which reach
// back: small matrices, and flat ones whose rows are just as many.
//
// No more is written than out has, in whole vectors, so that rows of both may lie anywhere. What is left of
// rows or columns goes in pieces of half such a square if these hold it.
//
// Arithmetic      8 × 8 floats take 8 loads, 24 shuffles and 8 stores, half of that 8 or 12, 8 and 8 or 4.
// Expected limit  Shuffles and stores: 8 cycles for 8 × 8 floats, and the way here, 10 to 15 cycles.
#pragma once

#include "kernels/transpose_squares.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeFewSquares : TransposeSquares<Simd> {
  using Squares = TransposeSquares<Simd>;
  using Squares::half;
  using Squares::quarter;
  using Squares::smaller;
  using typename Squares::T;

  /// How many of `count` rows or columns go in whole squares, the last of which reaches back if that saves
  /// a piece of half a square and more.
  static size_t in_squares(size_t count) {
    const size_t left = count % half;
    return count < half ? 0 : left > quarter ? count : count - left;
  }

  /// Half a line's rows, of at least a quarter of a line's columns.
  [[gnu::always_inline]] static void half_rows(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                               size_t columns) {
    size_t c = 0;
    for (const size_t whole = in_squares(columns); c < whole; c += half) {
      const size_t column = smaller(c, columns - half);
      Squares::template square<half, false>(in + column, in_pitch, out + column * out_pitch, out_pitch);
    }
    if (c + 1 == columns) {
      in += c;
      out += c * out_pitch;
#pragma GCC unroll 2
      for (size_t r = 0; r < half; r += quarter) gather_quarter(in + r * in_pitch, in_pitch, out + r);
      return;
    }
    for (; c < columns; c += quarter) {
      const size_t column = smaller(c, columns - quarter);
      transpose_half_by_quarter(in + column, in_pitch, out + column * out_pitch, out_pitch);
    }
  }

  /// A quarter of a line's rows, of at least as many columns.
  [[gnu::always_inline]] static void quarter_rows(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                                  size_t columns) {
    if (columns >= half) {
      for (size_t c = 0; c < columns; c += half) {
        const size_t column = smaller(c, columns - half);
        transpose_quarter_by_half(in + column, in_pitch, out + column * out_pitch, out_pitch);
      }
      return;
    }
    for (size_t c = 0; c < columns; c += quarter) {
      const size_t column = smaller(c, columns - quarter);
      transpose_quarter(in + column, in_pitch, out + column * out_pitch, out_pitch);
    }
  }

  /// Any rows × columns of at least a quarter of a line's each.
  [[gnu::noinline]] static void few_squares(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                            size_t rows, size_t columns) {
    size_t r = 0;
    for (const size_t whole = in_squares(rows); r < whole; r += half) {
      const size_t row = smaller(r, rows - half);
      half_rows(in + row * in_pitch, in_pitch, out + row, out_pitch, columns);
    }
    if (r + 1 == rows) {
      in += r * in_pitch;
      out += r;
#pragma GCC unroll 4
      for (size_t c = 0; c < columns; ++c) {
        *out = in[c];
        out += out_pitch;
      }
      return;
    }
    for (; r < rows; r += quarter) {
      const size_t row = smaller(r, rows - quarter);
      quarter_rows(in + row * in_pitch, in_pitch, out + row, out_pitch, columns);
    }
  }

  /// A quarter of a line's rows that become columns which follow each other, of half a line's columns or
  /// more.
  [[gnu::noinline]] static void dense_quarter(const T* in, size_t in_pitch, T* out, size_t columns) {
    const size_t last = columns - half;
#pragma GCC unroll 2
    for (size_t c = 0; c < last; c += half) turn_half_quarter(in + c, in_pitch, out + c * quarter);
    turn_half_quarter(in + last, in_pitch, out + last * quarter);
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
