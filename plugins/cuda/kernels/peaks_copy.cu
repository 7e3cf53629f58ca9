// Copies a buffer: out = in.
//
// What it shows   Reading and writing at the same time: the roof of whatever moves all its data once.
// Access pattern  UNROLL loads of 16 bytes per thread, then as many stores: a warp moves 512 bytes in one run.
// Expected limit  Memory bandwidth, less what it costs memory to turn from reading to writing.
//
// BLOCK is the number of threads of a block; n counts words of 4 bytes.
#include "peaks_memory.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_copy(const unsigned* __restrict__ in, unsigned* __restrict__ out, int n) {
  const size_t begin = size_t{blockIdx.x} * (BLOCK * UNROLL) + threadIdx.x;
  const size_t count = n / 4;
  uint4 piece[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    if (begin + u * BLOCK < count) piece[u] = load_piece(reinterpret_cast<const uint4*>(in) + begin + u * BLOCK);
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    if (begin + u * BLOCK < count) store_piece(reinterpret_cast<uint4*>(out) + begin + u * BLOCK, piece[u]);
  }
  // What is left after the last whole piece.
  if (begin < n % 4) out[count * 4 + begin] = in[count * 4 + begin];
}
