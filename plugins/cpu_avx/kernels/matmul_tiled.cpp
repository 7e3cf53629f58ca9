// Cache blocking: C is made in blocks of tile × tile, each the sum of products of blocks of A and B that
// stay in cache while they are used `tile` times. Rows of B and C are read in order. Expected limit: the
// scalar (or whatever the compiler makes of it) multiply-add rate, no longer memory; tiles whose three
// blocks exceed the first-level cache lose again.
#include "kernels/matmul_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

template <class T>
void tiled(const MatmulPart<T>& part, size_t tile) {
  const size_t n = part.n;
  const size_t k = part.k;
  // End of the block that starts at `begin`; a tile beyond the matrix must not overflow the sum.
  const auto block_end = [tile](size_t begin, size_t end) { return begin + smaller(tile, end - begin); };
  for (size_t i0 = part.row_begin; i0 < part.row_end; i0 = block_end(i0, part.row_end)) {
    const size_t i1 = block_end(i0, part.row_end);
    for (size_t j0 = part.column_begin; j0 < part.column_end; j0 = block_end(j0, part.column_end)) {
      const size_t j1 = block_end(j0, part.column_end);
      for (size_t i = i0; i < i1; ++i) {
        for (size_t j = j0; j < j1; ++j) part.c[i * n + j] = 0;
      }
      for (size_t p0 = 0; p0 < k; p0 = block_end(p0, k)) {
        const size_t p1 = block_end(p0, k);
        for (size_t i = i0; i < i1; ++i) {
          T* __restrict c_row = part.c + i * n;
          for (size_t p = p0; p < p1; ++p) {
            const T a_ip = part.a[i * k + p];
            const T* b_row = part.b + p * n;
            for (size_t j = j0; j < j1; ++j) c_row[j] += a_ip * b_row[j];
          }
        }
      }
    }
  }
}

}  // namespace

void matmul_tiled(const MatmulPart<float>& part, size_t tile) noexcept { tiled(part, tile); }
void matmul_tiled(const MatmulPart<double>& part, size_t tile) noexcept { tiled(part, tile); }

}  // namespace benchctl::cpu_avx
