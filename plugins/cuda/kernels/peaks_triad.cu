// The triad c = a + 2 · b: two loads and a store for each multiply-add.
//
// What it shows   The roof of everything that combines two arrays into a third.
// Access pattern  UNROLL loads of 16 bytes per thread from a and from b, then as many stores to c.
// Expected limit  Memory bandwidth: twelve bytes for two operations.
//
// BLOCK is the number of threads of a block; n counts elements.
#include "peaks_memory.cuh"

__device__ inline unsigned combined(unsigned a, unsigned b) {
  return __float_as_uint(__uint_as_float(a) + 2 * __uint_as_float(b));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_triad(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  const size_t begin = size_t{blockIdx.x} * (BLOCK * UNROLL) + threadIdx.x;
  const size_t count = n / 4;
  uint4 x[UNROLL];
  uint4 y[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    if (begin + u * BLOCK < count) {
      x[u] = load_piece(reinterpret_cast<const uint4*>(a) + begin + u * BLOCK);
      y[u] = load_piece(reinterpret_cast<const uint4*>(b) + begin + u * BLOCK);
    }
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    if (begin + u * BLOCK < count) {
      store_piece(reinterpret_cast<uint4*>(c) + begin + u * BLOCK,
                  make_uint4(combined(x[u].x, y[u].x), combined(x[u].y, y[u].y), combined(x[u].z, y[u].z),
                             combined(x[u].w, y[u].w)));
    }
  }
  // What is left after the last whole piece.
  if (begin < n % 4) c[count * 4 + begin] = a[count * 4 + begin] + 2 * b[count * 4 + begin];
}
