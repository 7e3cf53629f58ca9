// Transpose of squares held in vector registers, written once over a `Simd` type that names an instruction
// set's vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Access pattern  A square of one cache line's elements on each side is read and written whole, so that
// each
//                 line of in and of out is moved once. Squares are taken in blocks that are long down the
//                 rows of in and narrow along them: out is written in runs of 2 KB, and what is open at a
//                 time stays within the second cache and the address translation. What is left at the edges
//                 goes element by element.
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
  static constexpr size_t block_rows = 32 * line;
  static constexpr size_t block_columns = 2 * line;

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

  /// A square of whole lines. Where a line is more than a vector, streaming goes by way of a square in the
  /// first-level cache: a line that is written past the caches in pieces, others between them, is read,
  /// merged and written for each.
  template <bool stream>
  static void square(const TransposePart<T>& part, size_t row, size_t column) {
    constexpr bool staged = stream && edge < line;
    alignas(64) T held[staged ? line * line : 1];
    T* const to = staged ? held : part.out + column * part.rows + row;
    const size_t pitch = staged ? line : part.rows;
    for (size_t c = 0; c < line; c += edge) {
      for (size_t r = 0; r < line; r += edge) {
        Simd::transpose(part.in + (row + r) * part.columns + column + c, part.columns, to + c * pitch + r,
                        pitch, [](T* p, Vector v) { store<stream && !staged>(p, v); });
      }
    }
    if constexpr (staged) {
      for (size_t c = 0; c < line; ++c) {
        T* const out = part.out + (column + c) * part.rows + row;
        for (size_t r = 0; r < line; r += edge) Simd::stream(out + r, Simd::load(held + c * line + r));
      }
    }
  }

  template <bool stream>
  static void block(const TransposePart<T>& part, size_t row_begin, size_t row_end, size_t column_begin,
                    size_t column_end) {
    const size_t whole_rows = row_begin + (row_end - row_begin) / line * line;
    const size_t whole_columns = column_begin + (column_end - column_begin) / line * line;
    for (size_t c = column_begin; c < whole_columns; c += line) {
      for (size_t r = row_begin; r < whole_rows; r += line) square<stream>(part, r, c);
    }
    scalar(part, whole_rows, row_end, column_begin, column_end);
    scalar(part, row_begin, whole_rows, whole_columns, column_end);
  }

  template <bool stream>
  static void all(const TransposePart<T>& part) {
    for (size_t r = part.row_begin; r < part.row_end; r += block_rows) {
      for (size_t c = part.column_begin; c < part.column_end; c += block_columns) {
        block<stream>(part, r, smaller(r + block_rows, part.row_end), c,
                      smaller(c + block_columns, part.column_end));
      }
    }
  }

  static void run(const TransposePart<T>& part, bool stream) {
    const bool aligned = reinterpret_cast<size_t>(part.out) % sizeof(Vector) == 0 &&
                         part.rows % edge == 0 && part.row_begin % edge == 0;
    if (stream && aligned) {
      all<true>(part);
      Simd::fence();
    } else {
      all<false>(part);
    }
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
