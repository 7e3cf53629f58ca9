// A reduction as grid_stride's, with the block's values joined by warp shuffles.
//
// What it shows   A warp needs neither shared memory nor barriers to agree: a shuffle hands a register of one lane to
//                 another. One barrier is left, between the warps of a block. Where the tree is taken once per block
//                 this hardly shows; where inputs are small, it does.
// Access pattern  As grid_stride; shared memory holds one value per warp.
// Expected limit  Memory bandwidth, as grid_stride.
//
// REAL is the element type, OP the operation, BLOCK the number of threads of a block (whole warps), GRID that of
// blocks.
#include "reduce.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_warp_shuffle(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* __restrict__ partial, int n) {
  __shared__ REAL shared[BLOCK / 32];
  Op::Running running;
  for (size_t i = size_t{blockIdx.x} * BLOCK + threadIdx.x; i < n; i += size_t{GRID} * BLOCK) {
    running.add(element(x, y, i));
  }
  const REAL total = block_shuffle(shared, running);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_warp_shuffle_finish(const REAL* __restrict__ partial, REAL* __restrict__ result, int n) {
  __shared__ REAL shared[BLOCK / 32];
  Op::Running running;
  for (unsigned i = threadIdx.x; i < GRID; i += BLOCK) running.add(partial[i]);
  const REAL total = block_shuffle(shared, running);
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
