// Adds a constant to 3-component vectors of 12 bytes, staged through shared memory.
//
// What it shows   The cure for structs from the days without caches: load words as they lie, take them apart in
//                 shared memory, store words as they lie.
// Access pattern  A block owns 3·BLOCK elements, from 3·BLOCK times its number on. Its threads move them in runs
//                 without gaps. In shared memory thread t works on elements 3t, 3t + 1, 3t + 2: the step of 3 is odd,
//                 so there are no bank conflicts.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel, the detour gains nothing.
//
// REAL is the element type; BLOCK the number of threads of a block; WIDTH the elements per global access.
#include "vec3_stage.cuh"

extern "C" __global__ void vec3_map_shared_staging(const REAL* __restrict__ in, REAL* __restrict__ out, REAL addend,
                                                   int n) {
  __shared__ alignas(16) REAL staged[3 * BLOCK];
  const size_t first = size_t{blockIdx.x} * 3 * BLOCK;
  const size_t left = size_t{3} * n - first;
  const int count = left < 3 * BLOCK ? static_cast<int>(left) : 3 * BLOCK;
  copy_by_block(in + first, staged, count);
  __syncthreads();
  const int t = threadIdx.x;
  if (3 * t < count) {
    staged[3 * t] += addend;
    staged[3 * t + 1] += addend;
    staged[3 * t + 2] += addend;
  }
  __syncthreads();
  copy_by_block(staged, out + first, count);
}
