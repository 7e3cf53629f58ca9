// Transpose of squares held in vector registers, written once over a `Simd` type that names an instruction
// set's vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Access pattern  A square of one cache line's elements on each side is read and written whole, so that
//                 each line of in and of out is moved once. Squares come row after row, four or two side by
//                 side, since rows of in are then read on; or down the columns of a block. The last ones
//                 reach back into those before; only what is smaller than a square goes element by element.
//                 Where rows begin anywhere, 256-bit squares are smaller than a line, and go down a column.
// Order           Each column of in is a line of out that is open. Where the pitch of out comes near a page
//                 or a fraction of one, rows share few sets of the first-level cache, and lines drive each
//                 other out before they are written on (transpose_order.hpp): at 1 KB two squares side by
//                 side are right (4.9 µs for 256 × 256 floats on a Zen 5; four 7.0), at 2 KB those of a
//                 column (28 µs for 512 × 512; four side by side 73). Around 4 KB not even a single square
//                 fits: from a panel of 16 columns in the first-level cache rows are written in whole
//                 lines, one after the other (180 µs for 1023 × 1023; in squares 350 and more).
// Expected limit  Memory bandwidth. Ordinary stores read each line of out before they overwrite it;
//                 streaming stores spare that, and pay once in and out are larger than the caches. They are
//                 made of whole lines: panels have them wherever rows begin.
//
// A Simd type has: Scalar, Vector; edge, the elements of a vector; static transpose(in, in_pitch, out,
// out_pitch, store), which transposes edge × edge elements and hands each finished row to `store(p, v)`;
// static load(p), store(p, v), stream(p, v) (aligned), fence().
#pragma once

#include "kernels/transpose_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct WideTranspose {
  using T = typename Simd::Scalar;
  using Vector = typename Simd::Vector;

  static constexpr size_t edge = Simd::edge;
  static constexpr size_t line = 64 / sizeof(T);

  struct Block {
    size_t rows;
    size_t columns;
    bool down;  ///< column after column of squares, or row after row
  };

  static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

  template <bool stream>
  static void store(T* p, Vector v) {
    if constexpr (stream) {
      Simd::stream(p, v);
    } else {
      Simd::store(p, v);
    }
  }

  static void scalar(const TransposePart<T>& part, size_t row_begin, size_t row_end, size_t column_begin,
                     size_t column_end) {
    for (size_t c = column_begin; c < column_end; ++c) {
      for (size_t r = row_begin; r < row_end; ++r) {
        part.out[c * part.rows + r] = part.in[r * part.columns + c];
      }
    }
  }

  /// A square of whole lines, to rows `pitch` apart. `rows_first`: the misses of all rows come first; else
  /// both pieces of a line that is written, while it is there.
  template <bool rows_first, bool stream = false>
  [[gnu::always_inline]] static void turn(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
#pragma GCC unroll 4
    for (size_t first = 0; first < line; first += edge) {
#pragma GCC unroll 4
      for (size_t second = 0; second < line; second += edge) {
        const size_t r = rows_first ? first : second;
        const size_t c = rows_first ? second : first;
        Simd::transpose(in + r * in_pitch + c, in_pitch, out + c * out_pitch + r, out_pitch,
                        [](T* p, Vector v) { store<stream>(p, v); });
        asm("" : "+r"(in), "+r"(out));  // one after the other, or registers do not suffice
      }
    }
  }

  /// A square of whole lines, or of vectors. Past the caches a line that is more than a vector goes by way
  /// of the first-level cache: written in pieces, with others between them, it would be read, merged and
  /// written for each.
  template <bool stream, size_t side>
  [[gnu::always_inline]] static void square(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
    if constexpr (stream && edge < line) {
      alignas(64) T held[line * line];
      turn<true>(in, in_pitch, held, line);
      for (size_t c = 0; c < line; ++c) {
        for (size_t r = 0; r < line; r += edge) {
          store<true>(out + c * out_pitch + r, Simd::load(held + c * line + r));
        }
      }
    } else if constexpr (side == line) {
      turn<false, stream>(in, in_pitch, out, out_pitch);
    } else {
      Simd::transpose(in, in_pitch, out, out_pitch, [](T* p, Vector v) { store<stream>(p, v); });
    }
  }

  /// The last squares reach back into those before them where rows or columns are no multiple of a side.
  /// Takes a copy of the part: a store to out could change the original, which would be loaded again.
  template <bool stream, size_t side>
  static void block(const TransposePart<T> part, size_t row_begin, size_t row_end, size_t column_begin,
                    size_t column_end, bool down) {
    const size_t last_row = part.row_end - side;
    const size_t last_column = part.column_end - side;
    if (down) {
      for (size_t column = column_begin; column < column_end; column += side) {
        const size_t c = smaller(column, last_column);
        const T* const in = part.in + c;
        T* const out = part.out + c * part.rows;
        for (size_t row = row_begin; row < row_end; row += side) {
          const size_t r = smaller(row, last_row);
          square<stream, side>(in + r * part.columns, part.columns, out + r, part.rows);
        }
      }
    } else {
      for (size_t row = row_begin; row < row_end; row += side) {
        const size_t r = smaller(row, last_row);
        const T* const in = part.in + r * part.columns;
        T* const out = part.out + r;
        for (size_t column = column_begin; column < column_end; column += side) {
          const size_t c = smaller(column, last_column);
          square<stream, side>(in + c, part.columns, out + c * part.rows, part.rows);
        }
      }
    }
  }

  template <bool stream, size_t side>
  static void blocks(const TransposePart<T>& part, Block size) {
    for (size_t r = part.row_begin; r < part.row_end; r += size.rows) {
      for (size_t c = part.column_begin; c < part.column_end; c += size.columns) {
        block<stream, side>(part, r, smaller(r + size.rows, part.row_end), c,
                            smaller(c + size.columns, part.column_end), size.down);
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
      turn<true>(in + (row_begin - line) * part.columns, part.columns, held, pitch);
    }
    for (size_t begin = row_begin; begin < row_end; begin += held_rows<stream>) {
      const size_t end = smaller(begin + held_rows<stream>, row_end);
      for (size_t r = begin; r < end; r += line) {
        const size_t row = smaller(r, end - line);
        turn<true>(in + row * part.columns, part.columns, held + line + row - begin, pitch);
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

  /// Through the caches, in squares. Where rows begin anywhere, a line is in two pieces anyway, and smaller
  /// squares down a column are better than whole lines.
  template <size_t side>
  static void cached(const TransposePart<T>& part, bool down) {
    const size_t rows = part.order == TransposeOrder::tall ? 64 * line : 4 * line;
    const size_t columns = part.order == TransposeOrder::across_two ? 2 * line : 4 * line;
    blocks<false, side>(part, {rows, columns, down});
  }

  static void run(const TransposePart<T>& part, bool stream) {
    const size_t height = part.row_end - part.row_begin;
    const size_t width = part.column_end - part.column_begin;
    const bool aligned = reinterpret_cast<size_t>(part.out) % 64 == 0 && part.rows % line == 0;
    if (height < line || width < line) {
      scalar(part, part.row_begin, part.row_end, part.column_begin, part.column_end);
    } else if (stream && aligned && part.row_begin % line == 0) {
      // Nothing is opened in the caches; where a square goes by way of another, that is worth less than few
      // pages.
      constexpr bool direct = edge == line;
      blocks<true, line>(part, direct ? Block{16 * line, 4 * line, false} : Block{32 * line, line, false});
      Simd::fence();
    } else if (stream) {
      panels<true>(part);
      Simd::fence();
    } else if (part.order == TransposeOrder::panels) {
      panels<false>(part);
    } else if (edge < line && !aligned) {
      cached<edge>(part, true);
    } else {
      cached<line>(part, part.order == TransposeOrder::down || part.order == TransposeOrder::tall);
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
