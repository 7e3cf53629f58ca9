// Transpose of squares held in vector registers, written once over a `Simd` type that names an instruction
// set's vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Access pattern  A square of one cache line's elements on each side is read and written whole, so that
//                 each line of in and of out is moved once. What is left of rows and columns goes in
//                 squares of a side, half or a quarter that reach back into those before, right after the
//                 block that it belongs to; only what is smaller than a square goes element by element.
// Order           Out of the first cache a square takes what its instructions do, in whatever order. From
//                 the second two by two squares, row after row, are right: both neighbours of each line
//                 come soon (3.8 µs for 256 × 256 floats on a Zen 5; a row of four 4.9, a column 5.2). From
//                 the third long rows are.
//                 Each column of in is a line of out that is open. Where the pitch of out comes near a page
//                 or a fraction of one, rows share few sets of the first-level cache, and lines drive each
//                 other out before they are written on (transpose_order.hpp): at 1 KB two squares side by
//                 side are right, at 2 KB those of a column, in groups of two by two if rows begin with
//                 lines (28 to 32 µs for 512 × 512; one by one 28 to 40, four side by side 73). Around 4 KB
//                 not even a single square fits: from a panel of columns in the first-level cache rows are
//                 written in whole lines, one after the other. Where the pitch of in comes near a page,
//                 too, panels are four lines wide, so that four lines of a row of in are read together and
//                 eight of a row of out written, and no more of their rows than a cache's set has lines are
//                 read at a time (1023 × 1023: in squares 350 µs, panels of a line 175, these 140).
// Instructions    16 × 16 floats: 16 loads, 16 stores, 32 shuffles within quarters, 32 across them. A Zen 5
//                 does 2, 1, 4 and 2 of these at a time: stores decide, 16 cycles, as they do in a copy of
//                 vectors. Where one shuffle a cycle is all there is, 64. Stores across two lines take 2.4
//                 cycles each, hence 38 for rows that begin anywhere.
// Expected limit  What a copy of vectors takes in the cache or memory where in and out are. In the second
//                 cache memcpy takes half to three quarters of that: it overwrites lines that it has not
//                 read. From the third on stores a page apart take 8 ns each, others 0.7, and panels the
//                 sum of reading and of writing, which overlap in a copy. Ordinary stores read each line of
//                 out before they overwrite it; streaming stores spare that, and pay once in and out are
//                 larger than the caches. They are made of whole lines: panels have them wherever rows
//                 begin.
//
// A Simd type has: Scalar, Vector; edge, the elements of a vector; static transpose(in, in_pitch, out,
// out_pitch, store), which transposes a square of a line's elements and hands each finished vector to
// `store(p, v)`; slice, rows of a square, and static transpose_slice(in, in_pitch, out, out_pitch) of so
// many rows to a line's columns; panel_lines, how wide panels are at most; static load(p), store(p, v),
// stream(p, v) (aligned), fence().
#pragma once

#include "kernels/transpose_kernels.hpp"
#include "kernels/transpose_pieces.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct WideTranspose {
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

  static void scalar(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    for (size_t c = 0; c < columns; ++c) {
      for (size_t r = 0; r < rows; ++r) out[c * out_pitch + r] = in[r * in_pitch + c];
    }
  }

  /// rows × columns of in to a buffer in the first-level cache, in whole squares or slices of them: rows
  /// from one of these on, columns of whole lines. In is far away: each of its lines is asked for once or
  /// twice, not in four pieces with others in between.
  template <bool squares>
  [[gnu::always_inline]] static void fetch(const T* in, size_t in_pitch, T* held, size_t held_pitch,
                                           size_t rows, size_t columns) {
    constexpr size_t step = squares && edge == line ? line : Simd::slice;
    for (size_t r = 0; r < rows; r += step) {
      const size_t row = smaller(r, rows - step);
      const T* from = in + row * in_pitch;
      T* to = held + row;
      for (size_t c = 0; c < columns; c += line) {
        if constexpr (step == line) {
          Simd::transpose(from, in_pitch, to, held_pitch, [](T* p, Vector v) { Simd::store(p, v); });
        } else {
          Simd::transpose_slice(from, in_pitch, to, held_pitch);
        }
        from += line;
        to += line * held_pitch;
      }
    }
  }

  /// A square of whole lines or of smaller sides. Past the caches a line that is more than a vector goes by
  /// way of the first-level cache: written in pieces, with others between them, it would be read, merged
  /// and written for each.
  template <size_t side, bool stream>
  [[gnu::always_inline]] static void square(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    if constexpr (side == quarter) {
      transpose_quarter(in, in_pitch, out, out_pitch);
    } else if constexpr (side == half) {
      transpose_half(in, in_pitch, out, out_pitch);
    } else if constexpr (stream && edge < line) {
      alignas(64) T held[line * line];
#pragma GCC unroll 2
      for (size_t r = 0; r < line; r += Simd::slice) {
        Simd::transpose_slice(in + r * in_pitch, in_pitch, held + r, line);
      }
      for (size_t c = 0; c < line; ++c) {
        for (size_t r = 0; r < line; r += edge) {
          store<true>(out + c * out_pitch + r, Simd::load(held + c * line + r));
        }
      }
    } else {
      Simd::transpose(in, in_pitch, out, out_pitch, [](T* p, Vector v) { store<stream>(p, v); });
    }
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

  /// The last columns of `rows` rows, in such squares, too.
  template <size_t side>
  static void last_columns(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                           size_t columns) {
    down<side>(in + columns - side, in_pitch, out + (columns - side) * out_pitch, out_pitch, rows, side);
  }

  /// What is left of rows and columns when whole squares are done goes in the smallest squares of one line
  /// that hold it.
  [[gnu::noinline]] static void edges(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                                      size_t columns) {
    const size_t rows_left = rows % line;
    const size_t columns_left = columns % line;
    const size_t whole_rows = rows - rows_left;
    if (columns_left > half) {
      last_columns<line>(in, in_pitch, out, out_pitch, whole_rows, columns);
    } else if (columns_left > quarter) {
      last_columns<half>(in, in_pitch, out, out_pitch, whole_rows, columns);
    } else if (columns_left != 0) {
      last_columns<quarter>(in, in_pitch, out, out_pitch, whole_rows, columns);
    }
    if (rows_left > half) {
      last_rows<line>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (rows_left > quarter) {
      last_rows<half>(in, in_pitch, out, out_pitch, rows, columns);
    } else if (rows_left != 0) {
      last_rows<quarter>(in, in_pitch, out, out_pitch, rows, columns);
    }
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

  template <bool stream>
  [[gnu::always_inline]] static void write_line(T* out, const T* held) {
#pragma GCC unroll 2
    for (size_t v = 0; v < line; v += edge) store<stream>(out + v, Simd::load(held + v));
  }

  /// Writes the whole lines of a row of out that end in rows [begin, end) of in, which are held from
  /// `held + line` on; where the part begins or ends also what lies before or behind them. Where `lines`
  /// are not 0 as many of them, which is all but the ends, go without a loop.
  template <bool stream, size_t lines>
  [[gnu::always_inline]] static void write_row(const TransposePart<T>& part, size_t column, const T* held,
                                               size_t begin, size_t end) {
    T* const out = part.out + column * part.rows;
    const T* const from = held + line - begin;  // element r of the row at from + r
    const size_t beyond = reinterpret_cast<size_t>(out + begin) / sizeof(T) % line;
    size_t r = begin - beyond;
    if (begin == part.row_begin && beyond != 0) {
      const size_t next = smaller(r + line, end);
      for (r = begin; r < next; ++r) out[r] = from[r];
    }
    if (lines != 0 && (end - r) / line == lines) {
#pragma GCC unroll 32
      for (size_t i = 0; i < lines * line; i += line) write_line<stream>(out + r + i, from + r + i);
      r += lines * line;
    }
    for (; r + line <= end; r += line) write_line<stream>(out + r, from + r);
    if (end == part.row_end) {
      for (; r < end; ++r) out[r] = from[r];
    }
  }

  /// Rows [row_begin, row_end) of whole lines' columns by way of the first-level cache: from there each row
  /// of out is written in whole lines, wherever they begin; elements that do not fill one wait for the next
  /// rows. Of a line that begins before row_begin, and is not the part's first, the rest is read again.
  /// Columns of which so many are `done` are only fetched. `wide`: of several lines, whose squares are
  /// fetched slice by slice.
  template <bool stream, bool wide>
  static void panel(const TransposePart<T> part, size_t row_begin, size_t row_end, size_t column,
                    size_t columns, size_t done) {
    // Rows that are held at a time. With as many more as a line has elements, columns are an odd number of
    // lines apart.
    constexpr size_t most = stream && !wide ? 256 : 128;
    constexpr size_t pitch = most + line;
    constexpr size_t widest = (wide ? panel_lines : 1) * line;
    alignas(64) T held[widest * pitch];  // element r of a column at r - begin + line
    const size_t in_pitch = part.columns;
    const T* const in = part.in + column;
    if (row_begin != part.row_begin) {
      fetch<!wide>(in + (row_begin - line) * in_pitch, in_pitch, held, pitch, line, columns);
    }
    for (size_t begin = row_begin; begin < row_end; begin += most) {
      const size_t end = smaller(begin + most, row_end);
      // Less than a square: rows before them once more.
      const size_t first = begin == part.row_begin ? begin : smaller(begin, end - line);
      fetch<!wide>(in + first * in_pitch, in_pitch, held + line + first - begin, pitch, end - first,
                   columns);
      for (size_t c = done; c < columns; ++c) {
        T* const of_column = held + c * pitch;
        write_row<stream, wide ? most / line : 0>(part, column + c, of_column, begin, end);
        const T* const waiting = of_column + end - begin;
#pragma GCC unroll 2
        for (size_t v = 0; v < line; v += edge) Simd::store(of_column + v, Simd::load(waiting + v));
      }
    }
  }

  /// Some rows at a time, so that of in the rest of what was fetched with a line is there for the next
  /// panel.
  template <bool stream, bool wide>
  static void panels(const TransposePart<T>& part) {
    constexpr size_t rows = 1024;
    constexpr size_t most = wide ? panel_lines * line : line;
    for (size_t r = part.row_begin; r < part.row_end; r += rows) {
      const size_t end = smaller(r + rows, part.row_end);
      for (size_t c = part.column_begin, columns = 0; c < part.column_end; c += columns) {
        const size_t left = part.column_end - c;
        columns = left < line ? line : smaller(left / line * line, most);
        // The last ones, fewer than a line's worth, reach back.
        const size_t first = smaller(c, part.column_end - columns);
        panel<stream, wide>(part, r, end, first, columns, c - first);
      }
    }
  }

  /// Through the caches, in squares.
  static void cached(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns,
                     TransposeOrder order) {
    const auto each = [&](size_t block_rows, size_t block_columns, auto visit) {
      blocks(in, in_pitch, out, out_pitch, rows, columns, block_rows, block_columns, visit);
    };
    switch (order) {
      case TransposeOrder::pairs:
        each(2 * line, 2 * line, [](auto... two) { block(two...); });
        break;
      case TransposeOrder::pairs_down:
        each(4 * line, 4 * line, [](auto... four) {
          blocks<true>(four..., 2 * line, 2 * line, [](auto... two) { block<true>(two...); });
        });
        break;
      case TransposeOrder::down:
        each(4 * line, 4 * line, [](auto... four) { block<true>(four...); });
        break;
      case TransposeOrder::tall:
        each(64 * line, 4 * line, [](auto... tall) { block<true>(tall...); });
        break;
      default:
        each(4 * line, 4 * line, [](auto... four) { block(four...); });
    }
  }

  /// Past the caches, in squares of whole lines of out; nothing is opened in the caches. High blocks keep
  /// to few rows of out, wide ones to few of in: either on few pages and banks of memory.
  static void streamed(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                       size_t columns) {
    const size_t left = columns % line;
    blocks(in, in_pitch, out, out_pitch, rows, columns - left, 16 * line, 8 * line,
           [](auto... block) { across<line, true>(block...); });
    if (left != 0) {
      const size_t c = columns - line;
      across<line, true>(in + c, in_pitch, out + c * out_pitch, out_pitch, rows, line);
    }
  }

  static void run(const TransposePart<T>& part, bool stream) {
    const size_t rows = part.row_end - part.row_begin;
    const size_t columns = part.column_end - part.column_begin;
    const size_t in_pitch = part.columns;
    const size_t out_pitch = part.rows;
    const T* const in = part.in + part.row_begin * in_pitch + part.column_begin;
    T* const out = part.out + part.column_begin * out_pitch + part.row_begin;
    if (rows < line || columns < line) {
      scalar(in, in_pitch, out, out_pitch, rows, columns);
    } else if (!stream && part.order == TransposeOrder::panels) {
      panels<false, false>(part);
    } else if (!stream && part.order == TransposeOrder::wide_panels) {
      panels<false, (panel_lines > 1)>(part);
    } else if (!stream) {
      cached(in, in_pitch, out, out_pitch, rows, columns, part.order);
    } else {
      const bool lines =
          reinterpret_cast<size_t>(out) % 64 == 0 && out_pitch % line == 0 && rows % line == 0;
      if (lines) {
        streamed(in, in_pitch, out, out_pitch, rows, columns);
      } else {
        panels<true, (panel_lines > 1)>(part);
      }
      Simd::fence();
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
