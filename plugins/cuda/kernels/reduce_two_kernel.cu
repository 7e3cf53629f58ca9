// A reduction in two launches: one element per thread to one partial value per block, then one block for those.
//
// What it shows   How all multiprocessors come to work: blocks cannot wait for each other, but the end of a launch
//                 is a barrier for all of them. Most of the threads' time goes into the tree, not into reading: a
//                 thread loads one element and then takes part in log2(BLOCK) barriers.
// Access pattern  Thread i reads element i: coalesced. Each block writes one value; the second launch reads those in
//                 runs.
// Expected limit  Instructions and barriers of the tree, below memory bandwidth; for few elements the two launches.
//
// REAL is the element type, OP the operation, BLOCK the number of threads; SHARED_DYNAMIC says where the size of the
// shared memory is given.
#include "reduce.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_two_kernel(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* __restrict__ partial, int n) {
  SHARED_VALUES(shared);
  const size_t i = size_t{blockIdx.x} * BLOCK + threadIdx.x;
  // The last block may have more threads than elements: they bring the identity element.
  const REAL total = block_tree(shared, i < n ? Op::one(element(x, y, i)) : Op::identity());
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_two_kernel_finish(const REAL* __restrict__ partial, REAL* __restrict__ result, int n) {
  SHARED_VALUES(shared);
  const size_t partials = (size_t(n) + BLOCK - 1) / BLOCK;
  Op::Running running;
  for (size_t i = threadIdx.x; i < partials; i += BLOCK) running.add(partial[i]);
  const REAL total = block_tree(shared, running.get());
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
