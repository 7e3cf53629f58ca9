// A reduction in one launch: the block that finishes last joins the values of all blocks.
//
// What it shows   A launch costs microseconds, so that for small inputs the second one is most of the time. Blocks
//                 cannot wait for each other, but they can count: each writes its value, then takes a number, which
//                 makes the value visible to the device. Whoever draws the last one knows that all values are there.
//                 It reads them in the order of the blocks, whichever block it is: the result does not change from
//                 run to run. It also sets the count back to zero: no second operation has to.
// Access pattern  As vectorized; one atomic operation per block.
// Expected limit  Memory bandwidth for large inputs; one launch and the way of one number through the L2 cache for
//                 small ones.
//
// REAL is the element type, OP the operation, BLOCK the number of threads of a block (whole warps), GRID that of
// blocks, UNROLL that of loads in flight. `finished` is zero before and after.
#include "count_up.cuh"
#include "reduce_packs.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK, 1)
    reduce_single_pass(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* partial, unsigned* finished,
                       REAL* __restrict__ result, int n) {
  __shared__ REAL shared[BLOCK / 32];
  const REAL own = block_shuffle(shared, reduce_packs(x, y, n));
  if constexpr (GRID == 1) {  // nobody else to wait for
    if (threadIdx.x == 0) *result = Op::finish(own, n);
    return;
  }
  bool is_last = false;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    is_last = count_up(finished) == GRID - 1;
  }
  if (!__syncthreads_or(is_last)) return;  // thread 0 knows, all hear

  if (threadIdx.x == 0) *finished = 0;
  Op::Running running;
  // Past the L1 cache, which may hold old values.
  for (unsigned i = threadIdx.x; i < GRID; i += BLOCK) running.add(__ldcg(partial + i));
  const REAL total = block_shuffle(shared, running);
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
