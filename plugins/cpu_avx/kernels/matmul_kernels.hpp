// Entry points of the matrix-product kernels, and all that a translation unit for one instruction set
// may see of the outside: pointers and sizes. No C++ library header may be reachable from here, since
// its weak functions, compiled for AVX-512, would be linked into code that runs on every processor.
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// A part of C = A·B, all row-major and dense: rows [row_begin, row_end) × columns [column_begin,
/// column_end) of C. A has k columns; B and C have n.
template <class T>
struct MatmulPart {
  const T* a;
  const T* b;
  T* c;
  size_t n;
  size_t k;
  size_t row_begin;
  size_t row_end;
  size_t column_begin;
  size_t column_end;
};

void matmul_naive(const MatmulPart<float>& part) noexcept;
void matmul_naive(const MatmulPart<double>& part) noexcept;

/// `tile` ≥ 1: edge of the blocks.
void matmul_tiled(const MatmulPart<float>& part, size_t tile) noexcept;
void matmul_tiled(const MatmulPart<double>& part, size_t tile) noexcept;

/// Elements of T that `matmul_avx2` and `matmul_avx512` need as scratch, 64-byte aligned, per thread.
template <class T>
constexpr size_t matmul_scratch_elements() {
  return (size_t{2} << 20) / sizeof(T);
}

/// Needs AVX2 and FMA.
void matmul_avx2(const MatmulPart<float>& part, float* scratch) noexcept;
void matmul_avx2(const MatmulPart<double>& part, double* scratch) noexcept;

/// Needs AVX-512F.
void matmul_avx512(const MatmulPart<float>& part, float* scratch) noexcept;
void matmul_avx512(const MatmulPart<double>& part, double* scratch) noexcept;

}  // namespace benchctl::cpu_avx
