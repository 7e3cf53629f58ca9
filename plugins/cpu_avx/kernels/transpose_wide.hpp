// Transpose of squares held in vector registers, written once over a `Simd` type that names an instruction
// set's vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Access pattern  A square of one cache line's elements on each side is read and written whole, so that
//                 each line of in and of out is moved once. Squares side by side come one after the other,
//                 up to a block's width, since rows of in are then read on. The last ones reach back into
//                 those before; only what is smaller than a square goes element by element.
// Block's width   Each column of in is a line of out that is open. Where the pitch of out and a page have a
//                 large common divisor, rows share few sets of the first-level cache, and lines drive each
//                 other out before they are written on: at a pitch of 1 KB two squares side by side are
//                 right (3.7 µs for 256 × 256 floats on a Zen 5; four 6.5, one 5.1), at 4000 bytes four (89
//                 µs for 1000 × 1000, one 91, and 99 in high narrow blocks).
// Expected limit  Memory bandwidth. Ordinary stores read each line of out before they overwrite it;
// streaming
//                 stores spare that, and pay once in and out are larger than the caches.
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
  };

  /// For rows of out that are `pitch` elements apart.
  static Block block_for(size_t pitch, bool stream) {
    // What is written past the caches opens no lines there; where a square goes by way of another, that is
    // worth less than few pages.
    if (stream) return edge == line ? Block{16 * line, 4 * line} : Block{32 * line, line};
    // Bytes after which sets of the first-level cache repeat, and lines that each holds, on all processors
    // to date.
    constexpr size_t set_span = 4096;
    constexpr size_t ways = 8;
    size_t apart = pitch * sizeof(T) % set_span;
    size_t common = set_span;
    while (apart != 0) {
      const size_t rest = common % apart;
      common = apart;
      apart = rest;
    }
    const size_t open = set_span / common * ways;
    if (open < 2 * line) return {64 * line, line};
    return {4 * line, open < 4 * line ? 2 * line : 4 * line};
  }

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

  /// A square of whole lines. Where a line is more than a vector it goes by way of a square in the
  /// first-level cache, if `staged`: a line that is read or written in pieces, with others between them,
  /// may be gone when its second piece comes, and past the caches is read, merged and written for each.
  template <bool stream, bool staged>
  static void square(const TransposePart<T>& part, size_t row, size_t column) {
    if constexpr (staged && edge < line) {
      alignas(64) T held[line * line];
      for (size_t first = 0; first < line; first += edge) {
        for (size_t second = 0; second < line; second += edge) {
          // Past the caches, the misses of all rows first; else both pieces of a line while it is there.
          const size_t r = stream ? second : first;
          const size_t c = stream ? first : second;
          Simd::transpose(part.in + (row + r) * part.columns + column + c, part.columns,
                          held + c * line + r, line, [](T* p, Vector v) { Simd::store(p, v); });
        }
      }
      for (size_t c = 0; c < line; ++c) {
        T* const out = part.out + (column + c) * part.rows + row;
        for (size_t r = 0; r < line; r += edge) store<stream>(out + r, Simd::load(held + c * line + r));
      }
    } else {
      for (size_t c = 0; c < line; c += edge) {
        for (size_t r = 0; r < line; r += edge) {
          Simd::transpose(part.in + (row + r) * part.columns + column + c, part.columns,
                          part.out + (column + c) * part.rows + row + r, part.rows,
                          [](T* p, Vector v) { store<stream>(p, v); });
        }
      }
    }
  }

  /// The last squares reach back into those before them where rows or columns are no multiple of a line.
  template <bool stream, bool staged>
  static void block(const TransposePart<T>& part, size_t row_begin, size_t row_end, size_t column_begin,
                    size_t column_end) {
    for (size_t r = row_begin; r < row_end; r += line) {
      for (size_t c = column_begin; c < column_end; c += line) {
        square<stream, staged>(part, smaller(r, part.row_end - line), smaller(c, part.column_end - line));
      }
    }
  }

  template <bool stream, bool staged>
  static void all(const TransposePart<T>& part, Block size) {
    for (size_t r = part.row_begin; r < part.row_end; r += size.rows) {
      for (size_t c = part.column_begin; c < part.column_end; c += size.columns) {
        block<stream, staged>(part, r, smaller(r + size.rows, part.row_end), c,
                              smaller(c + size.columns, part.column_end));
      }
    }
  }

  static void run(const TransposePart<T>& part, bool stream) {
    const bool aligned = reinterpret_cast<size_t>(part.out) % sizeof(Vector) == 0 &&
                         part.rows % edge == 0 && part.row_begin % edge == 0;
    const Block size = block_for(part.rows, stream && aligned);
    if (part.row_end - part.row_begin < line || part.column_end - part.column_begin < line) {
      scalar(part, part.row_begin, part.row_end, part.column_begin, part.column_end);
    } else if (stream && aligned) {
      all<true, true>(part, size);
      Simd::fence();
    } else if (size.columns == line) {
      all<false, true>(part, size);
    } else {
      all<false, false>(part, size);
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
