// The textbook triple loop. Reads a row of A in order and a column of B with a stride of n elements, so
// every load of B touches another cache line; each sum is one chain of dependent additions. Expected
// limit: the latency of an addition while B is in cache, memory latency beyond.
#include "kernels/matmul_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

template <class T>
void naive(const MatmulPart<T>& part) {
  for (size_t i = part.row_begin; i < part.row_end; ++i) {
    for (size_t j = part.column_begin; j < part.column_end; ++j) {
      T sum = 0;
      for (size_t p = 0; p < part.k; ++p) sum += part.a[i * part.k + p] * part.b[p * part.n + j];
      part.c[i * part.n + j] = sum;
    }
  }
}

}  // namespace

void matmul_naive(const MatmulPart<float>& part) noexcept { naive(part); }
void matmul_naive(const MatmulPart<double>& part) noexcept { naive(part); }

}  // namespace benchctl::cpu_avx
