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
//                 not even a single square fits: from a panel of 16 columns in the first-level cache rows
//                 are written in whole lines, one after the other (180 µs for 1023 × 1023; in squares 350
//                 and more).
// Expected limit  Memory bandwidth. Ordinary stores read each line of out before they overwrite it;
//                 streaming stores spare that, and pay once in and out are larger than the caches. They are
//                 made of whole lines: panels have them wherever rows begin.
//
// A Simd type has: Scalar, Vector; edge, the elements of a vector; static transpose(in, in_pitch, out,
// out_pitch, store), which transposes a square of a line's elements and hands each finished vector to
// `store(p, v)`; static load(p), store(p, v), stream(p, v) (aligned), fence().
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

  /// A square of whole lines to a buffer in the first-level cache. In is far away: each of its lines is
  /// asked for once or twice, not in four pieces with others in between.
  [[gnu::always_inline]] static void fetch(const T* in, size_t in_pitch, T* held, size_t held_pitch) {
    if constexpr (edge == line) {
      Simd::transpose(in, in_pitch, held, held_pitch, [](T* p, Vector v) { Simd::store(p, v); });
    } else {
#pragma GCC unroll 2
      for (size_t r = 0; r < line; r += half) {
#pragma GCC unroll 2
        for (size_t c = 0; c < line; c += half) {
          transpose_half(in + r * in_pitch + c, in_pitch, held + c * held_pitch + r, held_pitch);
          asm("" : "+r"(in), "+r"(held));  // one after the other, or registers do not suffice
        }
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
      fetch(in, in_pitch, held, line);
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

  /// Rows of a panel that are in the first-level cache at a time. With as many more as a line has elements,
  /// columns are an odd number of lines apart there.
  template <bool stream>
  static constexpr size_t held_rows = stream ? 256 : 128;

  /// Rows [row_begin, row_end) of a line's columns by way of the first-level cache: from there each row of
  /// out is written in whole lines, wherever they begin; elements that do not fill one wait for the next
  /// rows. Of a line that begins before row_begin, and is not the part's first, the rest is read again.
  template <bool stream>
  static void panel(const TransposePart<T> part, size_t row_begin, size_t row_end, size_t column) {
    constexpr size_t pitch = held_rows<stream> + line;
    alignas(64) T held[line * pitch];  // element r of a column at r - begin + line
    const T* const in = part.in + column;
    if (row_begin != part.row_begin) {
      fetch(in + (row_begin - line) * part.columns, part.columns, held, pitch);
    }
    for (size_t begin = row_begin; begin < row_end; begin += held_rows<stream>) {
      const size_t end = smaller(begin + held_rows<stream>, row_end);
      for (size_t r = begin; r < end; r += line) {
        const size_t row = smaller(r, end - line);
        fetch(in + row * part.columns, part.columns, held + line + row - begin, pitch);
      }
      for (size_t c = 0; c < line; ++c) {
        T* const out = part.out + (column + c) * part.rows;
        T* const from = held + c * pitch;
        const size_t beyond = reinterpret_cast<size_t>(out + begin) / sizeof(T) % line;
        size_t r = begin - beyond;
        if (begin == part.row_begin && beyond != 0) {
          const size_t next = smaller(r + line, end);
          for (r = begin; r < next; ++r) out[r] = from[line + r - begin];
        }
        for (; r + line <= end; r += line) {
#pragma GCC unroll 4
          for (size_t v = 0; v < line; v += edge) {
            store<stream>(out + r + v, Simd::load(from + line + r - begin + v));
          }
        }
        if (end == part.row_end) {
          for (; r < end; ++r) out[r] = from[line + r - begin];
        }
        for (size_t v = 0; v < line; v += edge) Simd::store(from + v, Simd::load(from + end - begin + v));
      }
    }
  }

  /// Some rows at a time, so that of in the rest of what was fetched with a line is there for the next
  /// panel.
  template <bool stream>
  static void panels(const TransposePart<T>& part) {
    constexpr size_t rows = 1024;
    for (size_t r = part.row_begin; r < part.row_end; r += rows) {
      for (size_t c = part.column_begin; c < part.column_end; c += line) {
        panel<stream>(part, r, smaller(r + rows, part.row_end), smaller(c, part.column_end - line));
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
    } else if (!stream && part.order != TransposeOrder::panels) {
      cached(in, in_pitch, out, out_pitch, rows, columns, part.order);
    } else if (!stream) {
      panels<false>(part);
    } else {
      const bool lines =
          reinterpret_cast<size_t>(out) % 64 == 0 && out_pitch % line == 0 && rows % line == 0;
      if (lines) {
        streamed(in, in_pitch, out, out_pitch, rows, columns);
      } else {
        panels<true>(part);
      }
      Simd::fence();
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
