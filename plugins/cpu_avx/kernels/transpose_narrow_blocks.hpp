// Transposes of few rows or columns past the caches: by way of a buffer in the first-level cache, from
// which out is written in whole lines. Written once over a `Simd` type (transpose_wide.hpp).
//
// Rows of out that begin anywhere cannot be streamed as they are turned: a vector of a column lies in two
// lines, and a store past the caches needs all of one. Tall ones, of up to four lines' columns, are turned
// 256 or 128 rows at a time, and each row of out goes on by so much before the next does: memory is written
// in long runs. Flat ones, of up to six lines' rows, fill out in a single run; four lines' columns are
// turned at a time. Blocks of more than 5 KB prefetch the next meanwhile, four lines for each four that are
// written.
//
// Expected limit: one element read and one written, 8 bytes (doubles: 16) at the rate at which memory does
// both. On a Zen 5, milliseconds for floats, and what ordinary stores, squares or panels take, and memcpy:
//
//   1000003 × 3   0.33   0.65 to 0.95   0.37        3 × 1000003   0.31   0.48   0.38
//   1000003 × 15  2.8    4.3            3.0         15 × 1000003  2.5    3.6    3.0
//   500000 × 24   2.6    3.9            2.7         24 × 500003   2.5    9.1    2.3
#pragma once

#include "kernels/transpose_narrow.hpp"
#include "kernels/transpose_panels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
struct TransposeNarrowBlocks : TransposeNarrow<Simd> {
  using Narrow = TransposeNarrow<Simd>;
  using Panels = TransposePanels<Simd>;
  using Narrow::edge;
  using Narrow::half;
  using Narrow::line;
  using Narrow::quarter;
  using Narrow::smaller;
  using typename Narrow::T;

  // Tall matrices: from how many columns on they go in blocks of 256 rows, and in blocks of 128.
  static constexpr size_t some_columns = line + half;
  static constexpr size_t more_columns = 4 * line;
  // Columns of flat ones that are held at a time, and elements that are written at a time.
  static constexpr size_t at_once = 4 * line;
  static constexpr size_t most_columns = at_once;
  /// Rows of flat ones. More are quicker in panels.
  static constexpr size_t most_flat_rows = 6 * line;
  // Smaller blocks do not prefetch the next one: it is wanted before it could be there. The
  // processor sees the few rows that they have itself.
  static constexpr size_t least_asked = 5120 / sizeof(T);

  /// Elements that did not fill a line, to where the next ones follow.
  [[gnu::always_inline]] static void keep(T* held, size_t written) {
    const T* const waiting = held + written;
#pragma GCC unroll 2
    for (size_t v = 0; v < line; v += edge) Simd::store(held + v, Simd::load(waiting + v));
  }

  /// Writes elements [begin, end) of a row of out, four lines' worth or so, and asks for as much from
  /// `ahead` on, if that is anything. A block's lines asked for in one go are in the way of its stores.
  [[gnu::always_inline]] static void write(const TransposePart<T>& part, size_t column, const T* held,
                                           size_t begin, size_t end, const T* ahead) {
    if (ahead != nullptr) {
#pragma GCC unroll 4
      for (size_t e = line; e <= at_once; e += line) {
        _mm_prefetch(reinterpret_cast<const char*>(ahead + e - 1), _MM_HINT_T0);
      }
    }
    Panels::template write_row<true, 0>(part, column, held, begin, end);
  }

  /// Rows [begin, end) of in to columns that are held `pitch` apart.
  static void hold(const TransposePart<T>& part, T* held, size_t pitch, size_t begin, size_t end) {
    const size_t columns = part.columns;
    const T* const in = part.in + begin * columns;
    const size_t rows = end - begin;
    if (columns >= line) return Narrow::template block<false>(in, columns, held, pitch, rows, columns);
    Narrow::narrow(in, columns, held, pitch, rows, columns);
  }

  /// All of a few columns, of more than a line's rows; `most_rows` of in at a time and at last what would
  /// be less than a line's more. In front of them there is room for those that wait for the rest of their
  /// line.
  template <size_t most_rows, size_t most_columns_held>
  [[gnu::noinline]] static void tall_blocks(const TransposePart<T>& part) {
    constexpr size_t pitch = most_rows + 3 * line;  // an odd number of lines
    alignas(64) T held[most_columns_held * pitch];  // element r of a column at r - begin + line
    const bool far = most_rows * part.columns > least_asked;
    for (size_t begin = part.row_begin, end = 0; begin < part.row_end; begin = end) {
      end = part.row_end - begin <= most_rows + line ? part.row_end : begin + most_rows;
      hold(part, held + line, pitch, begin, end);
      const T* ahead = !far || end == part.row_end ? nullptr : part.in + end * part.columns;
      for (size_t c = 0; c < part.columns; ++c) {
        T* const of_column = held + c * pitch;
        for (size_t r = begin; r < end; r += at_once) {
          write(part, c, of_column + r - begin, r, smaller(r + at_once, end), ahead);
          if (ahead != nullptr) ahead += at_once;
        }
        keep(of_column, end - begin);
      }
    }
  }

  /// Hands `visit` what turns a line's columns, as by_rows does; of two rows of floats, too.
  template <class Visit>
  [[gnu::always_inline]] static void turn_rows(size_t rows, Visit visit) {
    if constexpr (quarter > 2) {
      if (rows == 2) {
        return visit([](const T* const* from, size_t column, T* to, size_t) {
          join_pairs(from[0] + column, from[1] + column, to);
          join_pairs(from[0] + column + half, from[1] + column + half, to + line);
        });
      }
    }
    Narrow::by_rows(rows, visit);
  }

  /// Flat ones that are whole: rows of out follow each other and are written as one.
  static TransposePart<T> as_one_row(T* out, size_t elements) {
    TransposePart<T> row{};
    row.out = out;
    row.row_end = elements;
    return row;
  }

  /// A few rows, all of them, past the caches. More columns than two lines have.
  [[gnu::noinline]] static void flat_blocks(const T* in, size_t in_pitch, T* out, size_t rows,
                                            size_t columns) {
    // Behind the last column that is held something is written, too.
    alignas(64) T held[line * (most_columns + line) + 2 * line];
    const T* from[line];
    Narrow::point_to_rows(in, in_pitch, rows, from);
    const TransposePart<T> row = as_one_row(out, rows * columns);
    const size_t last = columns - 1;
    turn_rows(rows, [&](auto turn) {
      for (size_t begin = 0, end = 0; begin < last; begin = end) {
        end = last - begin < most_columns + line ? last : begin + most_columns;
        for (size_t c = begin; c < end; c += line) {
          const size_t column = smaller(c, end - line);
          T* to = held + line + (column - begin) * rows;
          asm("" : "+r"(to));
          turn(from, column, to, rows);
        }
        size_t count = (end - begin) * rows;
        if (end == last) {
          for (size_t r = 0; r < rows; ++r) held[line + count + r] = in[r * in_pitch + last];
          count += rows;
        }
        Panels::template write_row<true, 0>(row, 0, held, begin * rows, begin * rows + count);
        keep(held, count);
      }
    });
  }

  /// The same of a few lines' rows.
  [[gnu::noinline]] static void flat_squares(const T* in, size_t in_pitch, T* out, size_t rows,
                                             size_t columns) {
    alignas(64) T held[most_flat_rows * (most_columns + line) + 2 * line];
    const TransposePart<T> row = as_one_row(out, rows * columns);
    for (size_t begin = 0, end = 0; begin < columns; begin = end) {
      end = columns - begin < most_columns + line ? columns : begin + most_columns;
      Narrow::template block<false>(in + begin, in_pitch, held + line, rows, rows, end - begin);
      const size_t wide = end - begin;
      const bool far = end != columns && most_columns * rows > least_asked;
      for (size_t r = 0, e = begin * rows; r < rows; ++r, e += wide) {
        write(row, 0, held + r * wide, e, e + wide, far ? in + r * in_pitch + end : nullptr);
      }
      keep(held, wide * rows);
    }
  }

  /// Past the caches, where a part has all of a few rows or columns. Says whether it has.
  static bool streamed(const TransposePart<T>& part) {
    const size_t rows = part.row_end - part.row_begin;
    const size_t columns = part.column_end - part.column_begin;
    const T* const in = part.in + part.column_begin;
    T* const out = part.out + part.column_begin * rows;
    const bool tall = columns == part.columns && columns > 1 && rows > 2 * line;
    const bool flat = rows == part.rows && rows > 1 && columns > 2 * line;
    if (tall && columns <= some_columns) {
      tall_blocks<256, some_columns>(part);
    } else if (tall && columns <= more_columns && rows > columns) {
      tall_blocks<128, more_columns>(part);
    } else if (flat && rows < line) {
      flat_blocks(in, part.columns, out, rows, columns);
    } else if (flat && rows <= most_flat_rows &&
               (rows % line != 0 || reinterpret_cast<size_t>(out) % 64 != 0)) {
      flat_squares(in, part.columns, out, rows, columns);
    } else {
      return false;
    }
    Simd::fence();
    return true;
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
