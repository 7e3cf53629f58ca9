// A float matrix as the sum of two tf32 matrices: the nearest tf32 number, and what is missing, rounded likewise. For
// matmul_wgmma_3xtf32.cu, whose right operand comes out of shared memory as it is.
//
// Access pattern  16 bytes per thread, read once, written twice.
// Expected limit  Memory bandwidth: 12 bytes per element.
//
// The matrix has m·k elements, a multiple of 4.
#include "mma_types.cuh"

extern "C" __global__ void split_tf32(const uint4* __restrict__ A, uint4* __restrict__ high, uint4* __restrict__ low,
                                      int m, int k) {
  const size_t packs = size_t(m) * k / 4;
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += step) {
    const uint4 x = A[i];
    high[i] = {high_tf32(x.x), high_tf32(x.y), high_tf32(x.z), high_tf32(x.w)};
    low[i] = {low_tf32(x.x), low_tf32(x.y), low_tf32(x.z), low_tf32(x.w)};
  }
}
