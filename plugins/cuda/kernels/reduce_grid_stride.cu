// A reduction by as many blocks as the device can hold: each thread takes every (GRID·BLOCK)-th element, then the
// block joins its values in a tree; a second launch joins the blocks' values.
//
// What it shows   That the work of agreeing should not grow with the input: the tree is taken once per block, and the
//                 number of blocks is the device's, not the problem's. Everything else is load and add.
// Access pattern  In each round the grid reads one run of GRID·BLOCK elements, a warp 128 bytes (of float) of it.
// Expected limit  Memory bandwidth, if enough loads are in flight: four bytes per load are few, so that a large GPU
//                 needs all the threads that it can hold.
//
// REAL is the element type, OP the operation, BLOCK the number of threads of a block, GRID that of blocks;
// SHARED_DYNAMIC says where the size of the shared memory is given.
#include "reduce.cuh"

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_grid_stride(const REAL* __restrict__ x, const REAL* __restrict__ y, REAL* __restrict__ partial, int n) {
  SHARED_VALUES(shared);
  Op::Running running;
  for (size_t i = size_t{blockIdx.x} * BLOCK + threadIdx.x; i < n; i += size_t{GRID} * BLOCK) {
    running.add(element(x, y, i));
  }
  const REAL total = block_tree(shared, running.get());
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduce_grid_stride_finish(const REAL* __restrict__ partial, REAL* __restrict__ result, int n) {
  SHARED_VALUES(shared);
  Op::Running running;
  for (unsigned i = threadIdx.x; i < GRID; i += BLOCK) running.add(partial[i]);
  const REAL total = block_tree(shared, running.get());
  if (threadIdx.x == 0) *result = Op::finish(total, n);
}
