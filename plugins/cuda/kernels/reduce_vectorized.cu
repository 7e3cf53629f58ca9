// A reduction as warp_shuffle's, with 16-byte loads and several of them in flight per thread.
//
// What it shows   What bounds a reduction is how many bytes are on their way: latency times bandwidth is some 40 KB
//                 per multiprocessor on a large GPU. Four times the bytes per load, and UNROLL loads before the first
//                 is waited for, reach that with few threads.
// Access pattern  In each round the grid reads runs of GRID·BLOCK packs of 16 bytes, a warp 512 bytes of each.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, OP the operation, BLOCK the number of threads of a block (whole warps), GRID that of
// blocks, UNROLL that of loads in flight.
#include "reduce_packs.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    reduce_vectorized(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* __restrict__ partial, int n) {
  __shared__ REAL shared[BLOCK / 32];
  const REAL total = block_shuffle(shared, reduce_packs(x, y, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    reduce_vectorized_finish(const REAL* __restrict__ partial, REAL* __restrict__ result, int n) {
  __shared__ REAL shared[BLOCK / 32];
  Op::Running running;
  for (unsigned i = threadIdx.x; i < GRID; i += BLOCK) running.add(partial[i]);
  const REAL total = block_shuffle(shared, running);
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
