// Entry points of the transpose kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// How the wide kernels go through the squares of a block: row after row, four squares wide; in groups of
/// two by two, row after row or down the columns; one by one down the columns, four high or many. Where
/// rows of out would drive each other out of the first-level cache half squares go down the columns or,
/// where rows of in would do so, too, panels in that cache: of one line's columns, or of several. Small
/// ones may go in squares of half a line, in vectors of 256 bits (`few_squares`; not looked at by avx2
/// where a side is shorter than a line). `asked` goes down one line's columns after the other and asks for
/// the lines of out that come next, `asked_wide` down two lines' at a time.
enum class TransposeOrder {
  across,
  pairs,
  pairs_down,
  down,
  tall,
  halves,
  panels,
  wide_panels,
  few_squares,
  asked,
  asked_wide
};

/// Rows of in that `halves` goes down at a time: the other half of their lines is read at the next columns.
inline constexpr size_t rows_of_halves = 128;

/// A part of out = inᵀ: rows [row_begin, row_end) × columns [column_begin, column_end) of in, which has
/// `columns` columns and `rows` rows. Both matrices are row-major and dense.
template <class T>
struct TransposePart {
  const T* in;
  T* out;
  size_t rows;
  size_t columns;
  size_t row_begin;
  size_t row_end;
  size_t column_begin;
  size_t column_end;
  TransposeOrder order;  ///< looked at by the wide kernels
};

void transpose_naive(const TransposePart<float>& part) noexcept;
void transpose_naive(const TransposePart<double>& part) noexcept;

/// `tile` ≥ 1: edge of the blocks.
void transpose_blocked(const TransposePart<float>& part, size_t tile) noexcept;
void transpose_blocked(const TransposePart<double>& part, size_t tile) noexcept;

/// Need AVX2 or AVX-512F. With `stream`, out is written past the caches.
void transpose_avx2(const TransposePart<float>& part, bool stream) noexcept;
void transpose_avx2(const TransposePart<double>& part, bool stream) noexcept;
void transpose_avx512(const TransposePart<float>& part, bool stream) noexcept;
void transpose_avx512(const TransposePart<double>& part, bool stream) noexcept;

}  // namespace benchctl::cpu_avx
