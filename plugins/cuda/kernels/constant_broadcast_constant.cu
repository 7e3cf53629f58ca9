// Sums over a small table in constant memory.
//
// What it shows   Constant memory is made for one address at a time: a warp whose threads read the same one is served at
//                 once, one whose threads read 32 different ones is served 32 times.
// Access pattern  Each thread goes through all 256 entries, over and over. LANE_SHIFT 0: all threads of a warp are at the
//                 same entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The constant cache, which holds the table: one address per step.
#include "constant_table.cuh"

extern "C" __global__ void constant_broadcast_constant(const unsigned int* __restrict__ key,
                                                       unsigned int* __restrict__ out, int n, int rounds) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int mine = key[i];
  const unsigned int first = i / 32 + LANE_SHIFT * (i % 32);
  unsigned int sum = 0;
#pragma unroll 8
  for (int step = 0; step < rounds * ENTRIES; ++step) {
    sum += constant_table.entry[(first + step) % ENTRIES] ^ mine;
  }
  out[i] = sum;
}
