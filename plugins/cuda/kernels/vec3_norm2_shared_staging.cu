// Squared length of 3-component vectors of 12 bytes, staged through shared memory.
//
// What it shows   Coalesced loads of structs by loading words as they lie, and taking them apart in shared memory.
// Access pattern  A block owns 3·BLOCK elements of the input, from 3·BLOCK times its number on, and BLOCK of the
//                 output. Loads and stores have no gaps; in shared memory thread t reads elements 3t, 3t + 1, 3t + 2:
//                 the step of 3 is odd, so there are no bank conflicts.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel, the detour gains nothing.
//
// REAL is the element type; BLOCK the number of threads of a block; WIDTH the elements per global load.
#include "vec3_stage.cuh"

extern "C" __global__ void vec3_norm2_shared_staging(const REAL* __restrict__ in, REAL* __restrict__ out, int n) {
  __shared__ alignas(16) REAL staged[3 * BLOCK];
  const size_t first = size_t{blockIdx.x} * 3 * BLOCK;
  const size_t left = size_t{3} * n - first;
  const int count = left < 3 * BLOCK ? static_cast<int>(left) : 3 * BLOCK;
  copy_by_block(in + first, staged, count);
  __syncthreads();
  const int t = threadIdx.x;
  if (3 * t >= count) return;
  const REAL x = staged[3 * t];
  const REAL y = staged[3 * t + 1];
  const REAL z = staged[3 * t + 2];
  out[size_t{blockIdx.x} * BLOCK + t] = x * x + y * y + z * z;
}
