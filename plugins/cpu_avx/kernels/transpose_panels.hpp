// Panels of a transpose in the first-level cache: from there rows of out are written in whole lines, one
// after the other, wherever they begin. Written once over a `Simd` type (transpose_wide.hpp).
#pragma once

#include "kernels/transpose_squares.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposePanels : TransposeSquares<Simd> {
  using Squares = TransposeSquares<Simd>;
  using Squares::ask;
  using Squares::edge;
  using Squares::line;
  using Squares::panel_lines;
  using Squares::smaller;
  using typename Squares::T;
  using typename Squares::Vector;

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

  template <bool stream>
  [[gnu::always_inline]] static void write_line(T* out, const T* held) {
#pragma GCC unroll 2
    for (size_t v = 0; v < line; v += edge) Squares::template store<stream>(out + v, Simd::load(held + v));
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
  /// rows. The rest of a line that begins before row_begin, and is not the part's first, is read again.
  /// Columns of which so many are `done` are only fetched. `wide`: of several lines, whose squares are
  /// fetched slice by slice. Past the caches the rows that come next, at last those of `next_column`, are
  /// asked for while these are written: each column asks for its share of them, of one line of each.
  template <bool stream, bool wide>
  static void panel(const TransposePart<T> part, size_t row_begin, size_t row_end, size_t column,
                    size_t columns, size_t done, size_t next_column) {
    // Rows that are held at a time. With as many more as a line has elements, columns are an odd number of
    // lines apart.
    constexpr size_t most = stream && !wide ? 256 : 128;
    constexpr size_t share = most / line;
    constexpr size_t pitch = most + line;
    constexpr size_t widest = (wide ? panel_lines : 1) * line;
    alignas(64) T held[widest * pitch];  // element r of a column at r - begin + line
    const size_t in_pitch = part.columns;
    const size_t lines = columns / line;
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
      const bool last = end == row_end;
      const size_t next = last ? row_begin : end;
      const size_t next_rows = smaller(most, row_end - next);
      const T* const ahead = part.in + next * in_pitch + (last ? next_column : column) + line - 1;
      for (size_t c = done; c < columns; ++c) {
        if (const size_t row = c / lines * share; stream && row < next_rows) {
          ask(ahead + row * in_pitch + c % lines * line, in_pitch, smaller(share, next_rows - row));
        }
        T* const of_column = held + c * pitch;
        write_row<stream, wide ? most / line : 0>(part, column + c, of_column, begin, end);
        const T* const waiting = of_column + end - begin;
#pragma GCC unroll 2
        for (size_t v = 0; v < line; v += edge) Simd::store(of_column + v, Simd::load(waiting + v));
      }
    }
  }

  static constexpr size_t block_rows = 4 * line;
  static constexpr size_t block_columns = panel_lines * line;

  /// Rows of out that begin with lines, through the caches, in blocks of `block_rows` and `block_columns`
  /// of in: while one is written the next is brought to a second buffer, a slice for every so many columns.
  /// Where rows of both matrices crowd, reads and writes wait for the third cache, and so overlap.
  static void in_turns(const T* in, size_t in_pitch, T* out, size_t out_pitch, size_t rows,
                       size_t columns) {
    constexpr size_t pitch = block_rows + line;
    constexpr size_t slices = block_rows / Simd::slice * panel_lines;
    alignas(64) T buffers[2][block_columns * pitch];
    const auto bring = [&](const T* from, T* to, size_t slice) {
      const size_t row = slice / panel_lines * Simd::slice;
      const size_t column = slice % panel_lines * line;
      Simd::transpose_slice(from + row * in_pitch + column, in_pitch, to + column * pitch + row, pitch);
    };
    for (size_t s = 0; s < slices; ++s) bring(in, buffers[0], s);
    bool second = false;
    for (size_t c = 0, r = 0; c < columns; second = !second) {
      const T* const held = buffers[second];
      T* const coming = buffers[!second];
      T* to = out + c * out_pitch + r;
      r += block_rows;
      if (r == rows) {
        r = 0;
        c += block_columns;
      }
      const T* const next = c < columns ? in + r * in_pitch + c : in;
      for (size_t column = 0; column < block_columns; ++column) {
        const size_t end = (column + 1) * slices / block_columns;
        for (size_t s = column * slices / block_columns; s < end; ++s) bring(next, coming, s);
        const T* const of_column = held + column * pitch;
#pragma GCC unroll 8
        for (size_t v = 0; v < block_rows; v += edge) Simd::store(to + v, Simd::load(of_column + v));
        to += out_pitch;
      }
    }
  }

  /// The same for any such rows: what is left of blocks goes in panels.
  static void blocks_in_turns(const TransposePart<T>& part) {
    const size_t rows = (part.row_end - part.row_begin) / block_rows * block_rows;
    const size_t columns = (part.column_end - part.column_begin) / block_columns * block_columns;
    if (rows == 0 || columns == 0) return panels<false, true>(part);
    in_turns(part.in + part.row_begin * part.columns + part.column_begin, part.columns,
             part.out + part.column_begin * part.rows + part.row_begin, part.rows, rows, columns);
    TransposePart<T> beside = part;
    beside.column_begin += columns;
    panels<false, true>(beside);
    TransposePart<T> below = part;
    below.row_begin += rows;
    below.column_end = beside.column_begin;
    panels<false, true>(below);
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
        const size_t next = smaller(c + columns, part.column_end - columns);
        panel<stream, wide>(part, r, end, first, columns, c - first, next);
      }
    }
  }

  /// `lines`: rows of out begin with lines.
  static void cached_panels(const TransposePart<T>& part, bool lines, bool wide) {
    if constexpr (panel_lines > 1) {
      if (lines) return blocks_in_turns(part);
      if (wide) return panels<false, true>(part);
    }
    panels<false, false>(part);
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
