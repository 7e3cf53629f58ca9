// Transposes of matrices in the second cache and beyond whose lines of out are asked for before they are
// written. Written once over a `Simd` type (transpose_wide.hpp).
//
// Access pattern  Down the columns of in, one line's of them or two lines' at a time, a line's rows after
//                 the other: each store to a row of out asks for the line that the next rows will write
//                 there. What is left of columns goes in strips, or in squares that reach back, what is
//                 left of rows at the foot of each column.
// Why             Stores leave Intel's cores in the order of the program, so that one whose line is in the
//                 second cache holds up all that follow; 300 × 300 floats on a Sapphire Rapids take 13 µs,
//                 asked for 8.1, OpenBLAS's 10. On a Zen 5 asking gained nothing (cpu_topology.hpp).
// Expected limit  Stores across two lines, two cycles each, and the rate of the cache that in and out are
//                 in; of 1000 × 1000, which is in the third, memcpy's time and a few percent.
#pragma once

#include "kernels/transpose_squares.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeAsked : TransposeSquares<Simd> {
  using Squares = TransposeSquares<Simd>;
  using Squares::edge;
  using Squares::half;
  using Squares::line;
  using Squares::quarter;
  using Squares::smaller;
  using typename Squares::T;
  using typename Squares::Vector;

  /// A line's rows of `columns` columns: a quarter of a line's, half or all of them. Vectors of half a line
  /// go in quarters, which take the fewest shuffles.
  template <size_t columns>
  [[gnu::always_inline]] static void piece(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    const auto store = [](T* p, Vector v) {
      Simd::store(p, v);
      __builtin_prefetch(p + line, 1, 3);
    };
    if constexpr (columns == quarter) {
      Simd::transpose_strip(in, in_pitch, out, out_pitch, store);
    } else if constexpr (edge == half) {
#pragma GCC unroll 4
      for (size_t c = 0; c < columns; c += quarter) {
        Simd::transpose_strip(in, in_pitch, out, out_pitch, store);
        in += quarter;
        out += quarter * out_pitch;
        asm("" : "+r"(in), "+r"(out));
      }
    } else if constexpr (columns == half) {
      Simd::transpose_two_strips(in, in_pitch, out, out_pitch, store);
    } else {
      Simd::transpose(in, in_pitch, out, out_pitch, store);
    }
  }

  /// `count` times so many columns, from top to bottom. The last rows, if more than a quarter of a line's,
  /// reach back.
  template <size_t columns, size_t count = 1>
  [[gnu::noinline]] static void column(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                       size_t rows) {
    asm("" : "+r"(in_pitch), "+r"(out_pitch));  // or the compiler makes loops of their own for a pitch of 1
    for (size_t r = 0; r < rows; r += line) {
      const size_t row = smaller(r, rows - line);
      const T* from = in + row * in_pitch;
      T* to = out + row;
      for (size_t i = 0; i < count; ++i) {
        piece<columns>(from, in_pitch, to, out_pitch);
        from += columns;
        to += columns * out_pitch;
        asm("" : "+r"(i));  // one loop, not unrolled
      }
    }
  }

  /// Any rows × columns from a line's worth on, `width` columns at a time.
  template <size_t width>
  [[gnu::noinline]] static void asked(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                      size_t columns) {
    const auto some = [&](auto turn, size_t first) {
      turn(in + first, in_pitch, out + first * out_pitch, out_pitch, rows);
    };
    for (size_t c = 0; c < columns;) {
      const size_t left = columns - c;
      if (width > line && left > line && columns >= width) {
        some(column<line, width / line>, smaller(c, columns - width));
        c += width;
      } else if (left > half) {
        some(column<line>, smaller(c, columns - line));
        c += line;
      } else if (left > quarter) {
        some(column<half>, columns - half);
        c += half;
      } else {
        some(column<quarter>, columns - quarter);
        c += quarter;
      }
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
