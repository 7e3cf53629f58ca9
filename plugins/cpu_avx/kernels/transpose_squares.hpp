// Squares of a transpose, one cache line's elements on each side and smaller, and blocks of them, written
// once over a `Simd` type (transpose_wide.hpp).
#pragma once

#include "kernels/transpose_kernels.hpp"
#include "kernels/transpose_pieces.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeSquares {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;

  static constexpr size_t edge = Simd::edge;
  static constexpr size_t line = 64 / sizeof(T);
  static constexpr size_t half = line / 2;
  static constexpr size_t quarter = line / 4;
  static constexpr size_t panel_lines = Simd::panel_lines;

  static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

  template <bool stream>
  static void store(T* p, Vector v) {
    if constexpr (stream) {
      Simd::stream(p, v);
    } else {
      Simd::store(p, v);
    }
  }

  /// Asks the second cache for one line of each of so many rows.
  [[gnu::always_inline]] static void ask(const T* in, size_t in_pitch, size_t rows) {
    for (size_t r = 0; r < rows; ++r) {
      _mm_prefetch(reinterpret_cast<const char*>(in), _MM_HINT_T1);
      in += in_pitch;
    }
  }

  /// One by one. The empty statement keeps vectors out, which elements so far apart gain nothing by.
  [[gnu::noinline]] static void scalar(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                       size_t columns) {
    for (size_t c = 0; c < columns; ++c) {
      const T* from = in + c;
      for (size_t r = 0; r < rows; ++r) {
        out[r] = *from;
        from += in_pitch;
        asm("" : "+r"(from));
      }
      out += out_pitch;
    }
  }

  /// A square of whole lines or of smaller sides. Vectors of one line are stored one after the other, or
  /// past the caches it would be read, merged and written for each.
  template <size_t side, bool stream>
  [[gnu::always_inline]] static void square(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    if constexpr (side == quarter) {
      transpose_quarter(in, in_pitch, out, out_pitch);
    } else if constexpr (side == half) {
      transpose_half(in, in_pitch, out, out_pitch);
    } else {
      Simd::transpose(in, in_pitch, out, out_pitch, [](T* p, Vector v) { store<stream>(p, v); });
    }
  }

  /// A line's rows and a quarter as many columns.
  template <bool stream>
  [[gnu::always_inline]] static void strip(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    Simd::transpose_strip(in, in_pitch, out, out_pitch, [](T* p, Vector v) { store<stream>(p, v); });
  }

  template <bool stream>
  [[gnu::always_inline]] static void two_strips(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    Simd::transpose_two_strips(in, in_pitch, out, out_pitch, [](T* p, Vector v) { store<stream>(p, v); });
  }

  /// rows × columns of in, multiples of side, row after row of squares.
  template <size_t side = line, bool stream = false>
  [[gnu::noinline]] static void across(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                       size_t columns) {
    for (size_t row = 0; row < rows; row += side) {
      const T* from = in + row * in_pitch;
      T* to = out + row;
      for (size_t column = 0; column < columns; column += side) {
        square<side, stream>(from, in_pitch, to, out_pitch);
        from += side;
        to += side * out_pitch;
      }
    }
  }

  /// The same, column after column of squares.
  template <size_t side = line>
  [[gnu::noinline]] static void down(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                     size_t columns) {
    for (size_t column = 0; column < columns; column += side) {
      const T* from = in + column;
      T* to = out + column * out_pitch;
      for (size_t row = 0; row < rows; row += side) {
        square<side, false>(from, in_pitch, to, out_pitch);
        from += side * in_pitch;
        to += side;
      }
    }
  }

  /// The last rows, fewer than a side more than a multiple of it, in squares that reach back.
  template <size_t side>
  static void last_rows(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                        size_t columns) {
    in += (rows - side) * in_pitch;
    out += rows - side;
    across<side>(in, in_pitch, out, out_pitch, side, columns / side * side);
    if (columns % side != 0) {
      square<side, false>(in + columns - side, in_pitch, out + (columns - side) * out_pitch, out_pitch);
    }
  }

  /// The last rows, up to a quarter of a line's, of floats: a line of each at a time.
  [[gnu::noinline]] static void last_quarter(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                             size_t rows, size_t columns) {
    in += (rows - quarter) * in_pitch;
    out += rows - quarter;
    for (size_t c = 0; c < columns; c += line) {
      const size_t column = smaller(c, columns - line);
      T* to = out + column * out_pitch;
      asm("" : "+r"(to));
      turn_quarter<false>(PitchedRows<T>{in + column, in_pitch}, 0, to, out_pitch);
    }
  }

  /// The last columns of `rows` rows, in such squares, too.
  template <size_t side>
  static void last_columns(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                           size_t columns) {
    down<side>(in + columns - side, in_pitch, out + (columns - side) * out_pitch, out_pitch, rows, side);
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
        two_strips<false>(from, in_pitch, to, out_pitch);
      } else {
        strip<false>(from, in_pitch, to, out_pitch);
      }
    }
  }

  /// One column.
  [[gnu::noinline]] static void single(const T* in, size_t in_pitch, T* out, size_t rows) {
    asm("" : "+r"(in_pitch));  // or the compiler makes a loop of its own for a pitch of 1
    for (size_t r = 0; r < rows; r += line) {
      const size_t row = smaller(r, rows - line);
      const T* from = in + row * in_pitch;
      T* to = out + row;
#pragma GCC unroll 4
      for (size_t q = 0; q < line; q += quarter) {
        gather_quarter(from, in_pitch, to + q);
        from += quarter * in_pitch;
        asm("" : "+r"(from));
      }
    }
  }

  /// Two columns of floats, of four rows or more.
  [[gnu::noinline]] static void two(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows) {
    for (size_t r = 0; r < rows; r += quarter) {
      const size_t row = smaller(r, rows - quarter);
      part_pairs(in + row * in_pitch, in_pitch, out + row, out + out_pitch + row);
    }
  }

  /// Columns [first, columns) of at least a line's rows, in strips of which the last reaches back. One or
  /// two columns that are left have ways of their own.
  static void some_columns(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                           size_t first, size_t columns) {
    for (size_t c = first; c < columns;) {
      const size_t left = columns - c;
      if (left == 1) return single(in + c, in_pitch, out + c * out_pitch, rows);
      if constexpr (edge == half && quarter > 2) {
        if (left == 2) return two(in + c, in_pitch, out + c * out_pitch, out_pitch, rows);
      }
      const bool wide = left > quarter && columns >= half;
      const size_t count = wide ? half : quarter;
      const size_t column = smaller(c, columns - count);
      const T* const from = in + column;
      T* const to = out + column * out_pitch;
      wide ? strips<true>(from, in_pitch, to, out_pitch, rows)
           : strips<false>(from, in_pitch, to, out_pitch, rows);
      c += count;
    }
  }

  /// What is left of columns when whole squares are done goes in strips, or in squares where these are as
  /// good or better; what is left of rows in the smallest squares that hold it.
  static void right_edge(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                         size_t columns) {
    const size_t left = columns % line;
    if (left > half + quarter) {
      last_columns<line>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (edge == half && left > quarter && left <= half) {
      last_columns<half>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (edge == half && left > quarter / 2 && left <= quarter) {
      last_columns<quarter>(in, in_pitch, out, out_pitch, rows, columns);
    } else {
      some_columns(in, in_pitch, out, out_pitch, rows, columns - left, columns);
    }
  }

  static void lower_edge(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                         size_t columns) {
    const size_t left = rows % line;
    if (left > half) {
      last_rows<line>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (left > quarter) {
      last_rows<half>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (left != 0) {
      if constexpr (quarter > 2 && edge == line) {
        if (columns >= 2 * line) return last_quarter(in, in_pitch, out, out_pitch, rows, columns);
      }
      last_rows<quarter>(in, in_pitch, out, out_pitch, rows, columns);
    }
  }

  [[gnu::noinline]] static void edges(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                      size_t columns) {
    right_edge(in, in_pitch, out, out_pitch, rows / line * line, columns);
    lower_edge(in, in_pitch, out, out_pitch, rows, columns);
  }

  /// Any rows × columns from a line's worth on.
  template <bool by_columns = false>
  [[gnu::always_inline]] static void block(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                           size_t rows, size_t columns) {
    const size_t rows_left = rows % line;
    const size_t columns_left = columns % line;
    if constexpr (by_columns) {
      down(in, in_pitch, out, out_pitch, rows - rows_left, columns - columns_left);
    } else {
      across(in, in_pitch, out, out_pitch, rows - rows_left, columns - columns_left);
    }
    if ((rows_left | columns_left) != 0) edges(in, in_pitch, out, out_pitch, rows, columns);
  }

  /// Hands rows × columns to `visit` in blocks, row after row or column after column; the last ones take
  /// what would be less than a square.
  template <bool by_columns = false, class Visit>
  [[gnu::always_inline]] static void blocks(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                            size_t rows, size_t columns, size_t block_rows,
                                            size_t block_columns, Visit visit) {
    const auto part = [](size_t left, size_t size) { return left < size + line ? left : size; };
    const auto visit_at = [&](size_t r, size_t c, size_t height, size_t width) {
      visit(in + r * in_pitch + c, in_pitch, out + c * out_pitch + r, out_pitch, height, width);
    };
    const size_t outer_count = by_columns ? columns : rows;
    const size_t inner_count = by_columns ? rows : columns;
    const size_t outer_size = by_columns ? block_columns : block_rows;
    const size_t inner_size = by_columns ? block_rows : block_columns;
    for (size_t i = 0, thick = 0; i < outer_count; i += thick) {
      thick = part(outer_count - i, outer_size);
      for (size_t j = 0, wide = 0; j < inner_count; j += wide) {
        wide = part(inner_count - j, inner_size);
        if constexpr (by_columns) {
          visit_at(j, i, wide, thick);
        } else {
          visit_at(i, j, thick, wide);
        }
      }
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
