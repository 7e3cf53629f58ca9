// Writes a buffer: word i becomes first + i · step.
//
// What it shows   How fast data can be written.
// Access pattern  UNROLL stores of 16 bytes per thread: a warp writes 512 bytes in one run.
// Expected limit  Memory bandwidth; lines are written whole, so nothing is read.
//
// BLOCK is the number of threads of a block; n counts words of 4 bytes.
#include "peaks_memory.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_write(unsigned* __restrict__ out, int n, unsigned first, unsigned step) {
  const size_t begin = size_t{blockIdx.x} * (BLOCK * UNROLL) + threadIdx.x;
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t word = 4 * (begin + u * BLOCK);
    const unsigned value = first + unsigned(word) * step;
    if (word + 4 <= n) {
      store_piece(reinterpret_cast<uint4*>(out + word),
                  make_uint4(value, value + step, value + 2 * step, value + 3 * step));
    } else {
      for (size_t i = word; i < n; ++i) out[i] = first + unsigned(i) * step;
    }
  }
}
