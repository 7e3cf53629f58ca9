// A reduction by one block: each thread takes every BLOCK-th element, then the block joins its values in a tree.
//
// What it shows   How the threads of a block agree on one number: a tree through shared memory, with a barrier per
//                 level, log2(BLOCK) levels. And that one block uses one multiprocessor of many.
// Access pattern  In each round thread t reads element t of the next BLOCK: a warp reads one run of 128 bytes (of
//                 float). In shared memory the threads that still work read two runs without bank conflicts.
// Expected limit  What one multiprocessor can have in flight: about a hundredth of the memory bandwidth. For a few
//                 thousand elements nothing is faster, since it is one launch.
//
// REAL is the element type, OP the operation, BLOCK the number of threads; SHARED_DYNAMIC says where the size of the
// shared memory is given.
#include "reduce.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_single_block(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* __restrict__ result, int n) {
  SHARED_VALUES(shared);
  Op::Running running;
  for (size_t i = threadIdx.x; i < n; i += BLOCK) running.add(element(x, y, i));
  const REAL total = block_tree(shared, running.get());
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
