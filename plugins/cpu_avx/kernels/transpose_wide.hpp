// Transpose of squares held in vector registers, written once over a `Simd` type that names an instruction
// set's vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Access pattern  A square of one cache line's elements on each side is read and written whole, so that
//                 each line of in and of out is moved once. What is left of rows and columns goes in
//                 squares of a side, half or a quarter that reach back into those before, right after the
//                 block that it belongs to. Matrices of fewer rows or columns have ways of their own
//                 (transpose_narrow.hpp).
// Order           Out of the first cache a square takes what its instructions do, in whatever order; high
//                 matrices go in one block, so that what is left of columns does, too (300 × 17: 220 ns; in
//                 blocks of four squares 250). From the second two by two squares, row after row, are
//                 right: both neighbours of each line come soon (3.8 µs for 256 × 256 floats on a Zen 5; a
//                 row of four 4.9, a column 5.2), down the columns if there are few (1000 × 40: 2.2
//                 and 2.7). From the third long rows are. Each column of in is a line of out that is open.
//                 Where the pitch of out comes near a page or a fraction of one, rows share few sets of the
//                 first-level cache, and lines drive each other out before they are written on
//                 (transpose_order.hpp): at 1 KB two squares side by side are right, at 2 KB those of a
//                 column, in groups of two by two if rows begin with lines (28 to 32 µs for 512 × 512; one
//                 by one 28 to 40, four side by side 73). Around 4 KB not even a single square fits. Half
//                 the columns of squares do, down 128 rows of in, whose lines stay in the first-level cache
//                 until the other half is read (1024 × 100: 8 µs, where panels take 11.5). Where rows of in
//                 would not stay, either, rows of out are written in whole lines, one after the other, from
//                 a panel of columns in that cache. Where the pitch of in comes near a page, panels are
//                 four lines wide, so that four lines of a row of in are read together and eight of a row
//                 of out written, and no more of their rows than a cache's set has lines are read at a time
//                 (1023 × 1023: in squares 350 µs, panels of a line 175, these 140). Past the caches
//                 neighbours in memory are moved soon after each other, blocks of 4 × 4 squares down their
//                 columns, and what comes next is asked for meanwhile: nothing else would, rows of in being
//                 too far apart for the processor to guess. 1536 × 1536 takes 280 µs; without asking 290, a
//                 row of eight squares at a time 560. A few lines' rows that begin anywhere are a single
//                 row of out (transpose_narrow_blocks.hpp).
//                 Where stores wait for lines of out these are asked for (transpose_asked.hpp).
// Instructions    16 × 16 floats: 16 loads, 16 stores, 32 shuffles within quarters, 32 across them. A Zen 5
//                 does 2, 1, 4 and 2 of these at a time: stores decide, 16 cycles, as they do in a copy of
//                 vectors. Where one shuffle a cycle is all there is, 64. Stores across two lines take 2.4
//                 cycles each, hence 38 for rows that begin anywhere.
// Expected limit  What a copy of vectors takes in the cache or memory where in and out are. In the second
//                 cache memcpy takes half to three quarters of that: it overwrites lines that it has not
//                 read. From the third on stores a page apart take 8 ns each, others 0.7: of 1024 × 1024
//                 the reads alone take 68 µs, the writes alone 72, as long as memcpy takes for both.
//                 Ordinary stores read each line of out before they overwrite it; streaming stores spare
//                 that, and pay once in and out are larger than the caches. They are made of whole lines:
//                 panels have them wherever rows begin.
//
// A Simd type has: Scalar, Vector; edge, the elements of a vector; static transpose(in, in_pitch, out,
// out_pitch, store), which transposes a square of a line's elements and hands each finished vector to
// `store(p, v)`, transpose_strip(the same) of a quarter of its columns, transpose_two_strips of half of
// them; slice, rows of a square, and static transpose_slice(in, in_pitch, out, out_pitch) of so many rows
// to a line's columns; static turn_line(from, column, to, pitch) of a line's columns of the rows that
// `from` points to, written in ascending order; panel_lines, how wide panels are at most; static load(p),
// store(p, v), stream(p, v) (aligned), fence().
#pragma once

#include "kernels/transpose_asked.hpp"
#include "kernels/transpose_narrow_blocks.hpp"
#include "kernels/transpose_panels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct WideTranspose : TransposePanels<Simd> {
  using Base = TransposePanels<Simd>;
  using Base::ask;
  using Base::edge;
  using Base::half;
  using Base::line;
  using Base::panel_lines;
  using Base::quarter;
  using Base::smaller;
  using typename Base::T;

  /// Half squares of whole lines of out, column after column. The last ones reach back, but for few rows or
  /// columns, which go in smaller squares.
  static void halves(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows, size_t columns) {
    const size_t below = rows % line <= quarter ? rows % line : 0;
    const size_t beside = columns % half <= quarter ? columns % half : 0;
    const size_t high = rows - below;
    for (size_t c = 0; c < columns - beside; c += half) {
      const size_t column = smaller(c, columns - half);
      const T* const from = in + column;
      T* const to = out + column * out_pitch;
      for (size_t r = 0; r < high; r += line) {
        const size_t row = smaller(r, rows - line);
        Base::template two_strips<false>(from + row * in_pitch, in_pitch, to + row, out_pitch);
      }
    }
    Base::some_columns(in, in_pitch, out, out_pitch, high, columns - beside, columns);
    if (below != 0) Base::lower_edge(in, in_pitch, out, out_pitch, rows, columns);
  }

  /// Through the caches, in squares. A function of its own, which has no buffers on the stack to align.
  [[gnu::noinline]] static void cached(const TransposePart<T>& part) {
    const size_t rows = part.row_end - part.row_begin;
    const size_t columns = part.column_end - part.column_begin;
    const size_t in_pitch = part.columns;
    const size_t out_pitch = part.rows;
    const T* const in = part.in + part.row_begin * in_pitch + part.column_begin;
    T* const out = part.out + part.column_begin * out_pitch + part.row_begin;
    const auto each = [&](size_t block_rows, size_t block_columns, auto visit) {
      Base::blocks(in, in_pitch, out, out_pitch, rows, columns, block_rows, block_columns, visit);
    };
    switch (part.order) {
      case TransposeOrder::pairs:
        each(2 * line, 2 * line, [](auto... two) { Base::block(two...); });
        break;
      case TransposeOrder::pairs_down:
        each(4 * line, 4 * line, [](auto... four) {
          Base::template blocks<true>(four..., 2 * line, 2 * line,
                                      [](auto... two) { Base::template block<true>(two...); });
        });
        break;
      case TransposeOrder::down:
        each(4 * line, 4 * line, [](auto... four) { Base::template block<true>(four...); });
        break;
      case TransposeOrder::tall:
        each(64 * line, 4 * line, [](auto... tall) { Base::template block<true>(tall...); });
        break;
      case TransposeOrder::halves:
        each(rows_of_halves, columns, [](auto... wide) { halves(wide...); });
        break;
      case TransposeOrder::asked:
        TransposeAsked<Simd>::template asked<line>(in, in_pitch, out, out_pitch, rows, columns);
        break;
      case TransposeOrder::asked_wide:
        TransposeAsked<Simd>::template asked<2 * line>(in, in_pitch, out, out_pitch, rows, columns);
        break;
      default:
        each(4 * line, 4 * line, [](auto... four) { Base::block(four...); });
    }
  }

  /// Past the caches, in squares of whole lines of out; nothing is opened in the caches. Four lines of a
  /// row of out are written soon after each other and four of a row of in read, each a trip to one place in
  /// memory. The next block is asked for square by square: `ahead` elements from this one.
  static void stream_block(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                           size_t columns, size_t ahead) {
    for (size_t c = 0; c < columns; c += line) {
      for (size_t r = 0; r < rows; r += line) {
        const T* const from = in + r * in_pitch + c;
        size_t pitch = in_pitch;
        asm("" : "+r"(pitch));  // or the multiples of it stay in more registers than there are
        ask(from + ahead, pitch, line);
        Base::template square<line, true>(from, in_pitch, out + c * out_pitch + r, out_pitch);
      }
    }
  }

  /// `rows` are whole lines of out.
  static void streamed(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                       size_t columns) {
    constexpr size_t side = 4 * line;
    const size_t whole = columns / line * line;
    for (size_t r = 0, high = 0; r < rows; r += high) {
      high = smaller(side, rows - r);
      for (size_t c = 0, wide = 0; c < whole; c += wide) {
        wide = smaller(side, whole - c);
        const size_t right = smaller(wide, whole - c - wide);
        const size_t below = smaller(high, rows - r - high);
        const size_t ahead = right != 0 ? right : below != 0 ? below * in_pitch - c : 0;
        stream_block(in + r * in_pitch + c, in_pitch, out + c * out_pitch + r, out_pitch, high, wide,
                     ahead);
      }
    }
    if (whole != columns) {
      const size_t c = columns - line;
      Base::template across<line, true>(in + c, in_pitch, out + c * out_pitch, out_pitch, rows, line);
    }
  }

  static void run(const TransposePart<T>& part, bool stream) {
    const size_t rows = part.row_end - part.row_begin;
    const size_t columns = part.column_end - part.column_begin;
    const T* const in = part.in + part.row_begin * part.columns + part.column_begin;
    T* const out = part.out + part.column_begin * part.rows + part.row_begin;
    const bool few = part.order == TransposeOrder::few_squares;
    const bool narrow = rows < line || columns < line;
    if (!stream && few && (edge == line || !narrow)) {
      return TransposeNarrow<Simd>::few_squares(in, part.columns, out, part.rows, rows, columns);
    }
    if (!stream && narrow) {
      return TransposeNarrow<Simd>::narrow(in, part.columns, out, part.rows, rows, columns);
    }
    if constexpr (edge == half) {
      if (!stream && ragged_and_small(rows, columns)) {
        return TransposeNarrow<Simd>::few_squares(in, part.columns, out, part.rows, rows, columns);
      }
    }
    const bool in_panels =
        part.order == TransposeOrder::wide_panels || part.order == TransposeOrder::panels;
    if (!stream && !in_panels) return cached(part);
    panels_or_streamed(part, stream);
  }

  /// Edges of squares of a line would take as long as the squares.
  static bool ragged_and_small(size_t rows, size_t columns) {
    constexpr size_t most = 4096 / sizeof(T);
    return (rows % line | columns % line) != 0 && rows * columns <= most;
  }

  [[gnu::noinline]] static void panels_or_streamed(const TransposePart<T>& part, bool stream) {
    const size_t rows = part.row_end - part.row_begin;
    const size_t columns = part.column_end - part.column_begin;
    const size_t in_pitch = part.columns;
    const size_t out_pitch = part.rows;
    const T* const in = part.in + part.row_begin * in_pitch + part.column_begin;
    T* const out = part.out + part.column_begin * out_pitch + part.row_begin;
    const bool lines = reinterpret_cast<size_t>(out) % 64 == 0 && out_pitch % line == 0 && rows % line == 0;
    const bool wide = part.order == TransposeOrder::wide_panels;
    const bool in_panels = wide || part.order == TransposeOrder::panels;
    constexpr bool several = panel_lines > 1;
    if (!stream) return Base::cached_panels(part, lines, wide);
    if (TransposeNarrowBlocks<Simd>::streamed(part)) return;
    if (rows < line || columns < line) {
      return TransposeNarrow<Simd>::narrow(in, in_pitch, out, out_pitch, rows, columns);
    }
    if (lines && !in_panels && part.order != TransposeOrder::halves) {
      streamed(in, in_pitch, out, out_pitch, rows, columns);
    } else {
      Base::template panels<true, several>(part);
    }
    Simd::fence();
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
