// Transposes of fewer rows or columns than a line has elements: structures of a few members to arrays and
// back. Written once over a `Simd` type (transpose_wide.hpp).
//
// Tall ones, of few columns, go in strips of a line's rows and half or a quarter of a line's columns, the
// last of which reaches back; a strip makes a whole line of each of its columns. With AVX-512 those of more
// than half a line's go in whole squares that read on into the next rows (1000 × 13 floats: 640 ns, in
// strips 960), unless their columns crowd in the first cache. Flat ones, of few rows,
// are turned a line's columns at a time, four or eight of floats half as many, which are written exactly;
// each column of in is a row of out, which is written in one vector or two. What lies behind it in these is
// written, too, and overwritten by the next: rows of out follow each other without a gap. Each number of
// rows has code of its own: with all distances known there are no addresses to compute. Three to seven
// members have ways of their own (transpose_few.hpp). Small ones take few squares
// (transpose_few_squares.hpp) or, with AVX-512 and no side longer than a line, masks
// (transpose_small_avx512.hpp). Such a matrix takes 10 to 20 ns: saved registers and an aligned stack,
// which functions with arrays need, had taken half of that.
//
// Per line's columns a flat one of 4 rows takes 8 loads and stores and 24 shuffles, of up to 8 rows 16
// loads and stores and 48 shuffles; of more rows with AVX-512 16 loads and stores and 64 shuffles, with
// AVX2 of 9 rows the same as of 8 and 16 elements one by one, of more than 12 twice as many. A tall one of
// up to 4 columns takes 16 loads, 4 stores and 20 shuffles per line's rows, of 8 columns with AVX2 20, 16
// and 48. Stores that straddle lines decide with AVX-512: 12 × 1000 floats take 575 ns on a Zen 5, 2.4
// cycles for each.
#pragma once

#include "kernels/transpose_few.hpp"
#include "kernels/transpose_few_squares.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeNarrow : TransposeFewSquares<Simd> {
  using Squares = TransposeFewSquares<Simd>;
  using Squares::edge;
  using Squares::half;
  using Squares::line;
  using Squares::quarter;
  using Squares::scalar;
  using Squares::smaller;
  using typename Squares::T;
  using typename Squares::Vector;

  static constexpr size_t few_most = 8;  // columns or rows, fewer of which have a way of their own

  static void copy(T* to, const T* from, size_t count) { __builtin_memcpy(to, from, count * sizeof(T)); }

  /// Two columns of floats.
  [[gnu::noinline]] static void pairs(const T* in, T* out, size_t out_pitch, size_t rows) {
    size_t row = 0;
    for (; row + half <= rows; row += half) part_pairs(in + 2 * row, out + row, out + out_pitch + row);
    for (; row < rows; ++row) {
      out[row] = in[2 * row];
      out[out_pitch + row] = in[2 * row + 1];
    }
  }

  template <size_t rows>
  [[gnu::noinline]] static void few(const T* in, size_t in_pitch, T* out, size_t columns) {
    const T* from[rows];
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; ++r) from[r] = in + r * in_pitch;
    for (size_t c = 0; c < columns; c += half) {
      const size_t column = smaller(c, columns - half);
      FewColumns<T, rows>::join(from, column, out + column * rows);
    }
  }

  /// Two rows of floats.
  [[gnu::noinline]] static void interleave(const T* in, size_t in_pitch, T* out, size_t columns) {
    size_t column = 0;
    for (; column + half <= columns; column += half) {
      join_pairs(in + column, in + in_pitch + column, out + 2 * column);
    }
    for (; column < columns; ++column) {
      out[2 * column] = in[column];
      out[2 * column + 1] = in[in_pitch + column];
    }
  }

  template <size_t columns>
  [[gnu::noinline]] static void few(const T* in, T* out, size_t out_pitch, size_t rows) {
    for (size_t r = 0; r < rows; r += half) {
      const size_t row = smaller(r, rows - half);
      FewColumns<T, columns>::part(in + row * columns, out + row, out_pitch);
    }
  }

  /// Strip after strip, of no more rows than the first cache holds until the last: few rows of out are open
  /// at a time, whose lines may share a set.
  static void tall(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    if constexpr (edge == line) {
      if (columns > half && in_pitch == columns && !crowd(out_pitch, columns)) {
        return lines_of_rows(in, out, out_pitch, rows, columns);
      }
    }
    constexpr size_t most = 8 * line;
    for (size_t r = 0; r < rows; r += most) {
      const size_t row = rows - r < line ? rows - line : r;
      Squares::some_columns(in + row * in_pitch, in_pitch, out + row, out_pitch, smaller(most, rows - row),
                            0, columns);
    }
  }

  /// Do so many rows of out, all open at a time, lie so near multiples of a page apart that they share few
  /// sets of the first cache, and are more than these hold? Rows that begin anywhere lie in two lines.
  static bool crowd(size_t out_pitch, size_t rows_of_out) {
    constexpr size_t page = 4096;
    constexpr size_t ways = 8;
    const size_t pitch = out_pitch * sizeof(T);
    const size_t apart = smaller(pitch % page, page - pitch % page);
    const size_t each = pitch % 64 == 0 ? 1 : 2;
    return rows_of_out * each * 64 > ways * (rows_of_out * apart + each * 64);
  }

  /// Columns that follow each other, more than half a line's: a line of each row is read, beyond the end of
  /// the row, and what it has too much is not written. The last rows go in strips.
  template <size_t columns>
  [[gnu::noinline]] static void lines_of_rows(const T* in, T* out, size_t out_pitch, size_t rows) {
    for (size_t r = 0; r + line < rows; r += line) {
      const T* from = in + r * columns;
      T* to = out + r;
      asm("" : "+r"(from), "+r"(to));
      Simd::template transpose<columns>(from, columns, to, out_pitch,
                                        [](T* p, Vector v) { Simd::store(p, v); });
    }
    const size_t row = rows - line;
    Squares::some_columns(in + row * columns, columns, out + row, out_pitch, line, 0, columns);
  }

  /// The same for the number of columns that there are.
  template <size_t known = half + 1>
  static void lines_of_rows(const T* in, T* out, size_t out_pitch, size_t rows, size_t columns) {
    if (columns == known) return lines_of_rows<known>(in, out, out_pitch, rows);
    if constexpr (known + 1 < line) lines_of_rows<known + 1>(in, out, out_pitch, rows, columns);
  }

  /// A line's columns of so few rows.
  template <size_t rows, class Rows>
  [[gnu::always_inline]] static void join_few(const Rows& from, size_t column, T* to, size_t) {
    FewColumns<T, rows>::join(from, column, to);
    FewColumns<T, rows>::join(from, column + half, to + half * rows);
  }

  /// Turns up to three quarters of a line's rows of floats.
  template <class Rows>
  [[gnu::always_inline]] static void turn_most(const Rows& from, size_t column, T* to, size_t rows) {
    turn_half(from, column, to, rows);
    turn_quarter<false>(from + half, column, to + rows - quarter, rows);
  }

  /// One row more than half a line's.
  template <class Rows>
  [[gnu::always_inline]] static void turn_one_more(const Rows& from, size_t column, T* to, size_t rows) {
    turn_half(from, column, to, rows);
    const T* row = from[half] + column;
#pragma GCC unroll 16
    for (size_t c = 0; c < line; ++c) {
      to[half] = row[c];
      to += rows;
      asm("" : "+r"(row));  // or elements come from a vector one by one
    }
  }

  /// More than half a line's rows.
  template <class Rows>
  [[gnu::always_inline]] static void turn_two_halves(const Rows& from, size_t column, T* to, size_t rows) {
    turn_half(from, column, to, rows);
    turn_half(from + half, column, to + rows - half, rows);
  }

  /// Which row stands at place r of those that the turns take: with AVX2 behind half a line's the last
  /// ones, as many as are turned together; behind all of them the last.
  static constexpr size_t row_at(size_t r, size_t rows) {
    const size_t together = quarter > 2 && rows <= half + quarter ? quarter : half;
    const bool behind = edge == half && r >= half && rows > half + 1;
    const size_t row = behind ? rows - together + r - half : r;
    return row < rows ? row : rows - 1;
  }

  /// Pointers to them. Local to a loop, or they stay in memory.
  [[gnu::always_inline]] static void point_to_rows(const T* in, size_t in_pitch, size_t rows,
                                                   const T* (&from)[line]) {
    for (size_t r = 0; r < line; ++r) from[r] = in + row_at(r, rows) * in_pitch;
  }

  /// The same for a number of rows that is known: a pointer for each four of them. No array, which would
  /// be kept in memory.
  template <size_t rows>
  struct KnownRows {
    const T* row0;
    const T* row4;
    const T* row8;
    const T* row12;
    size_t pitch;

    [[gnu::always_inline]] KnownRows(const T* in, size_t in_pitch)
        : row0(in),
          row4(in + row_at(4, rows) * in_pitch),
          row8(in + row_at(8, rows) * in_pitch),
          row12(in + row_at(12, rows) * in_pitch),
          pitch(in_pitch) {
      asm("" : "+r"(row0), "+r"(row4));  // or there are more addresses than registers
      if constexpr (rows > 8) asm("" : "+r"(row8));
      if constexpr (rows > 12) asm("" : "+r"(row12));
    }
    [[gnu::always_inline]] const T* operator[](size_t r) const {
      const T* const four = r < 4 ? row0 : r < 8 ? row4 : r < 12 ? row8 : row12;
      return four + (row_at(r, rows) - row_at(r / 4 * 4, rows)) * pitch;
    }

    struct Further {
      KnownRows rows_before;
      size_t by;
      [[gnu::always_inline]] const T* operator[](size_t r) const { return rows_before[by + r]; }
    };
    [[gnu::always_inline]] Further operator+(size_t by) const { return {*this, by}; }
  };

  /// Hands `visit` what turns a line's columns of the rows that `from` points to: column c to `to` + c ·
  /// rows, and behind it up to a line more.
  template <class Visit>
  [[gnu::always_inline]] static void by_rows(size_t rows, Visit visit) {
    // A single row is copied, two of floats have a way of their own.
    if (rows == 3) return visit([](auto... turned) { join_few<3>(turned...); });
    if (rows == 5) return visit([](auto... turned) { join_few<5>(turned...); });
    if constexpr (quarter > 2) {
      if (rows == 6) return visit([](auto... turned) { join_few<6>(turned...); });
    }
    if (rows == quarter) return visit([](auto... turned) { turn_quarter<true>(turned...); });
    if (rows <= half) return visit([](auto... turned) { turn_half(turned...); });
    if constexpr (edge == line) {
      visit([](auto... turned) { Simd::turn_line(turned...); });
    } else {
      if (rows == half + 1) return visit([](auto... turned) { turn_one_more(turned...); });
      if constexpr (quarter > 2) {
        if (rows <= half + quarter) return visit([](auto... turned) { turn_most(turned...); });
      }
      visit([](auto... turned) { turn_two_halves(turned...); });
    }
  }

  /// Rows of out follow each other without a gap, more of them than a line has elements. No more is written
  /// than one row more; behind the last there is nothing, or it is another thread's.
  template <size_t rows>
  [[gnu::noinline, gnu::flatten]] static void flat(const T* in, size_t in_pitch, T* out, size_t columns) {
    const size_t last = columns - 1;
    by_rows(rows, [&](auto turn) {
      for (size_t c = 0; c < last; c += line) {
        const size_t column = smaller(c, last - line);
        T* to = out + column * rows;
        asm("" : "+r"(to));
        turn(KnownRows<rows>(in + column, in_pitch), size_t{0}, to, rows);
      }
    });
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; ++r) {
      out[last * rows + r] = in[last];
      in += in_pitch;
      asm("" : "+r"(in));
    }
  }

  /// The same for the number of rows that there are.
  template <size_t known = 2>
  static void flat(const T* in, size_t in_pitch, T* out, size_t rows, size_t columns) {
    if (rows == known) return flat<known>(in, in_pitch, out, columns);
    if constexpr (known + 1 < line) flat<known + 1>(in, in_pitch, out, rows, columns);
  }

  /// Are few squares better than strips, or than a line's columns of a flat one at a time? With vectors of
  /// half a line they are of floats, but for fewer rows than a square has, and of doubles if the strips
  /// would be narrow; with vectors of a line only of up to half a line's rows of floats.
  static bool squares_do(size_t rows, size_t columns) {
    constexpr size_t few_elements = 512;
    constexpr bool floats = quarter > 2;
    if (rows * columns > few_elements) return floats && rows == half;
    if (rows < half && columns > line) return false;
    return edge == line ? floats && rows <= half : floats || rows >= line;
  }

  /// Are masked vectors of a whole line better than squares? No side is longer than a line.
  static bool masks_do(size_t rows, size_t columns) {
    const bool tiny = rows < quarter || columns < quarter;
    return tiny || rows > half || columns > half;
  }

  /// Transposes a matrix that has fewer rows or columns than a line. What threads share has gaps. Each way
  /// is the last thing done, so that no registers are saved on the way to it: a small matrix is waiting.
  static void narrow(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    const bool dense_in = in_pitch == columns;
    const bool dense_out = out_pitch == rows;
    const bool small = rows <= line && columns <= line && dense_in && dense_out;
    if constexpr (edge == line && quarter == 2) {
      if (small) return Simd::small(in, out, rows, columns);
    }
    if (dense_in && columns < few_most) {
      if (columns == 1) return copy(out, in, rows);
      if constexpr (quarter > 2) {  // doubles have pieces of two
        if (columns == 2) return pairs(in, out, out_pitch, rows);
      }
      if (rows >= half) {
        if (columns == 3) return few<3>(in, out, out_pitch, rows);
        if (columns == 5) return few<5>(in, out, out_pitch, rows);
        if (columns == 7) return few<7>(in, out, out_pitch, rows);
        if constexpr (quarter > 2) {
          if (columns == 4) return few<4>(in, out, out_pitch, rows);
          if (columns == 6) return few<6>(in, out, out_pitch, rows);
        }
      }
    }
    if (dense_out && rows < few_most) {
      if (rows == 1) return copy(out, in, columns);
      if constexpr (quarter > 2) {
        if (rows == 2) return interleave(in, in_pitch, out, columns);
      }
      if (columns >= half) {
        if (rows == 3) return few<3>(in, in_pitch, out, columns);
        if (rows == 5) return few<5>(in, in_pitch, out, columns);
        if constexpr (quarter > 2) {
          if (rows == 6) return few<6>(in, in_pitch, out, columns);
        }
      }
    }
    if (dense_out && rows == quarter && columns >= half) {
      return Squares::dense_quarter(in, in_pitch, out, columns);
    }
    if constexpr (edge == line && quarter > 2) {
      if (small && masks_do(rows, columns)) return Simd::small(in, out, rows, columns);
    }
    if (rows < quarter || columns < quarter) {
      if (columns > line && dense_out) return flat(in, in_pitch, out, rows, columns);
      return scalar(in, in_pitch, out, out_pitch, rows, columns);
    }
    if (squares_do(rows, columns)) return Squares::few_squares(in, in_pitch, out, out_pitch, rows, columns);
    if (rows >= line) return tall(in, in_pitch, out, out_pitch, rows, columns);
    if (columns > line && dense_out) return flat(in, in_pitch, out, rows, columns);
    Squares::few_squares(in, in_pitch, out, out_pitch, rows, columns);
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
