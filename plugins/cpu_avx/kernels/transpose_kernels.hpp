// Entry points of the transpose kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

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
};

void transpose_naive(const TransposePart<float>& part) noexcept;
void transpose_naive(const TransposePart<double>& part) noexcept;

/// `tile` ≥ 1: edge of the blocks.
void transpose_blocked(const TransposePart<float>& part, size_t tile) noexcept;
void transpose_blocked(const TransposePart<double>& part, size_t tile) noexcept;

/// Need AVX2 or AVX-512F. With `stream`, out is written past the caches, where its rows are aligned to
/// vectors: `out` itself, and `rows` a multiple of a vector's elements.
void transpose_avx2(const TransposePart<float>& part, bool stream) noexcept;
void transpose_avx2(const TransposePart<double>& part, bool stream) noexcept;
void transpose_avx512(const TransposePart<float>& part, bool stream) noexcept;
void transpose_avx512(const TransposePart<double>& part, bool stream) noexcept;

}  // namespace benchctl::cpu_avx
