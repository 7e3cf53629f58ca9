// Fused multiply-adds and nothing else: x = x · scale + shift, `rounds` times, in CHAINS chains per thread.
//
// What it shows   The arithmetic roof. A multiply-add is finished some four cycles after it is issued, so a thread
//                 needs several chains, or a multiprocessor many threads, to have one to issue in every cycle.
// Access pattern  A thread loads the starts of its chains and stores their ends; block by block, chain by chain,
//                 threads that are neighbours own neighbouring chains. With some thousand rounds that is nothing.
// Expected limit  The FMA units: two operations per unit and clock.
//
// REAL is float or double; BLOCK the threads of a block; UNROLL the rounds of one pass of the loop. The starts
// repeat after 1024 chains, so that each end is known to the bit.
__device__ inline float fused(float x, float y, float z) { return __fmaf_rn(x, y, z); }
__device__ inline double fused(double x, double y, double z) { return __fma_rn(x, y, z); }

extern "C" __global__ void __launch_bounds__(BLOCK)
    peaks_fma(const REAL* __restrict__ start, REAL* __restrict__ out, int n, int rounds, REAL scale, REAL shift) {
  const size_t first = size_t{blockIdx.x} * (BLOCK * CHAINS) + threadIdx.x;
  REAL x[CHAINS];
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) x[j] = start[(first + j * BLOCK) % 1024];

  int round = 0;
  for (; round + UNROLL <= rounds; round += UNROLL) {
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
#pragma unroll
      for (int j = 0; j < CHAINS; ++j) x[j] = fused(x[j], scale, shift);
    }
  }
  for (; round < rounds; ++round) {
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) x[j] = fused(x[j], scale, shift);
  }
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) {
    if (first + j * BLOCK < n) out[first + j * BLOCK] = x[j];
  }
}
