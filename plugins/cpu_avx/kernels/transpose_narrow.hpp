// Transposes of fewer rows or columns than a line has elements: structures of a few members to arrays and
// back. Written once over a `Simd` type (transpose_wide.hpp).
//
// Tall ones, of few columns, go in strips of a line's rows and a quarter of a line's columns, the last of
// which reach back; a strip makes a whole line of each of its columns. Flat ones, of few rows, are turned a
// line's columns at a time; each column of in is a row of out, shorter than the vector that holds it, and
// what lies behind it in that vector is written, too, and overwritten by the next: rows of out follow each
// other without a gap.
//
// Per line's columns a flat one of 4 rows takes 8 loads and stores and 24 shuffles, of up to 8 rows 32
// loads, 16 stores and 32 shuffles; a tall one of up to 4 columns 16 loads, 4 stores and 20 shuffles per
// line's rows.
#pragma once

#include "kernels/transpose_squares.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeNarrow : TransposeSquares<Simd> {
  using Squares = TransposeSquares<Simd>;
  using Squares::half;
  using Squares::line;
  using Squares::quarter;
  using Squares::scalar;
  using Squares::smaller;
  using typename Squares::T;

  [[gnu::always_inline]] static void copy(T* to, const T* from, size_t count) {
    __builtin_memcpy(to, from, count * sizeof(T));
  }

  /// Two columns of floats.
  static void pairs(const T* in, T* out, size_t out_pitch, size_t rows) {
    size_t row = 0;
    for (; row + half <= rows; row += half) part_pairs(in + 2 * row, out + row, out + out_pitch + row);
    for (; row < rows; ++row) {
      out[row] = in[2 * row];
      out[out_pitch + row] = in[2 * row + 1];
    }
  }

  /// Two rows of floats.
  static void interleave(const T* in, size_t in_pitch, T* out, size_t columns) {
    size_t column = 0;
    for (; column + half <= columns; column += half) {
      join_pairs(in + column, in + in_pitch + column, out + 2 * column);
    }
    for (; column < columns; ++column) {
      out[2 * column] = in[column];
      out[2 * column + 1] = in[in_pitch + column];
    }
  }

  /// Fewer columns than a strip has, more rows than a line: rows of in follow each other, and of the next
  /// one something is read, too, which the last has not.
  [[gnu::noinline]] static void thin(const T* in, T* out, size_t out_pitch, size_t rows, size_t columns) {
    alignas(64) T turned[quarter * line];
    const size_t last = rows - 1;
    for (size_t r = 0; r < last; r += line) {
      const size_t row = smaller(r, last - line);
      const T* from = in + row * columns;
      asm("" : "+r"(from));
      Squares::template strip<false>(from, columns, turned, line);
      for (size_t c = 0; c < columns; ++c) {
        T* const to = out + c * out_pitch + row;
        for (size_t v = 0; v < line; v += Simd::edge)
          Simd::store(to + v, Simd::load(turned + c * line + v));
      }
    }
    for (size_t c = 0; c < columns; ++c) out[c * out_pitch + last] = in[last * columns + c];
  }

  /// As many columns as one strip has or two, of which the last rows reach back.
  template <bool two>
  [[gnu::noinline]] static void strips(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                       size_t rows) {
    for (size_t r = 0; r < rows; r += line) {
      const size_t row = smaller(r, rows - line);
      const T* from = in + row * in_pitch;
      T* to = out + row;
      asm("" : "+r"(from), "+r"(to));  // or a pointer is kept for each row, more than there are registers
      if constexpr (two) {
        Squares::template two_strips<false>(from, in_pitch, to, out_pitch);
      } else {
        Squares::template strip<false>(from, in_pitch, to, out_pitch);
      }
    }
  }

  /// A few columns, in strips of which the last ones reach back. Strip after strip, of no more rows than
  /// the first cache holds until the last: few rows of out are open at a time, whose lines may share a set.
  static void tall(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    constexpr size_t most = 8 * line;
    for (size_t r = 0; r < rows; r += most) {
      const size_t row = rows - r < line ? rows - line : r;
      const size_t high = smaller(most, rows - row);
      const T* const from = in + row * in_pitch;
      for (size_t c = 0; c < columns;) {
        const bool two = columns - c > quarter && columns >= half;
        const size_t wide = two ? half : quarter;
        const size_t column = smaller(c, columns - wide);
        T* const to = out + column * out_pitch + row;
        two ? strips<true>(from + column, in_pitch, to, out_pitch, high)
            : strips<false>(from + column, in_pitch, to, out_pitch, high);
        c += wide;
      }
    }
  }

  /// Hands `visit` what turns a line's columns of the rows that `from` points to: column c to `to` + c ·
  /// rows, and behind it up to a line more.
  template <class Visit>
  [[gnu::always_inline]] static void by_rows(size_t rows, Visit visit) {
    if constexpr (quarter > 2) {  // a single row is copied
      if (rows < quarter) return visit([](auto... turned) { turn_quarter<false>(turned...); });
    }
    if (rows == quarter) return visit([](auto... turned) { turn_quarter<true>(turned...); });
    if (rows <= half) return visit([](auto... turned) { turn_half(turned...); });
    visit([](auto... turned) { Simd::turn_line(turned...); });
  }

  /// Rows of out follow each other without a gap, more of them than a line has elements. No more is written
  /// than one row more; behind the last there is nothing, or it is another thread's.
  [[gnu::noinline]] static void flat(const T* in, size_t in_pitch, T* out, size_t rows, size_t columns) {
    const T* from[line];
    for (size_t r = 0; r < line; ++r) from[r] = in + smaller(r, rows - 1) * in_pitch;
    const size_t last = columns - 1;
    by_rows(rows, [&](auto turn) {
      for (size_t c = 0; c < last; c += line) {
        const size_t column = smaller(c, last - line);
        T* to = out + column * rows;
        asm("" : "+r"(to));
        turn(from, column, to, rows);
      }
    });
    for (size_t r = 0; r < rows; ++r) out[last * rows + r] = in[r * in_pitch + last];
  }

  /// No side is longer than a line, and rows of both follow each other.
  [[gnu::noinline]] static void small(const T* in, T* out, size_t rows, size_t columns) {
    T held[line * line + line];
    T turned[line * line + line];
    copy(held, in, rows * columns);
    const T* from[line];
    for (size_t r = 0; r < line; ++r) from[r] = held + smaller(r, rows - 1) * columns;
    by_rows(rows, [&](auto turn) { turn(from, size_t{0}, turned, rows); });
    copy(out, turned, rows * columns);
  }

  /// Of whichever are fewer than a line's. What threads share has gaps.
  static void narrow(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    const bool dense_in = in_pitch == columns;
    const bool dense_out = out_pitch == rows;
    if constexpr (quarter > 2) {  // doubles have a strip of two columns and a turn of two rows
      if (columns == 2 && dense_in) return pairs(in, out, out_pitch, rows);
      if (rows == 2 && dense_out) return interleave(in, in_pitch, out, columns);
    }
    if ((columns == 1 && dense_in) || (rows == 1 && dense_out)) {
      copy(out, in, rows * columns);
    } else if (rows >= line && columns >= quarter) {
      tall(in, in_pitch, out, out_pitch, rows, columns);
    } else if (rows > line && dense_in) {
      thin(in, out, out_pitch, rows, columns);
    } else if (columns > line && dense_out) {
      flat(in, in_pitch, out, rows, columns);
    } else if (dense_in && dense_out) {
      small(in, out, rows, columns);
    } else {
      scalar(in, in_pitch, out, out_pitch, rows, columns);
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
