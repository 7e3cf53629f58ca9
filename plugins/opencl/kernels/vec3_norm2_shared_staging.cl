// Squared length of 3-component vectors of 12 bytes, staged through local memory.
//
// What it shows   Coalesced loads of structs by loading elements as they lie, and taking them apart in local memory.
// Access pattern  A group owns 3·BLOCK elements of the input, from 3·BLOCK times its number on, and BLOCK of the
//                 output. Loads and stores have no gaps; in local memory work-item t reads elements 3t, 3t + 1, 3t + 2.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel, and on a CPU, where local memory
//                 is ordinary memory, the detour gains nothing.
//
// REAL is the element type; BLOCK the number of work-items of a work-group; WIDTH the elements per global load.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "vec3_stage.clh"

__kernel void vec3_norm2_shared_staging(__global const REAL* restrict in, __global REAL* restrict out,
                                        const int n) {
  __local REAL staged[3 * BLOCK] __attribute__((aligned(16)));
  const size_t first = get_group_id(0) * 3 * BLOCK;
  const size_t left = (size_t)3 * n - first;
  const int count = left < 3 * BLOCK ? (int)left : 3 * BLOCK;
  COPY_BY_GROUP(__global, in + first, __local, staged, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int t = get_local_id(0);
  if (3 * t >= count) return;
  const REAL x = staged[3 * t];
  const REAL y = staged[3 * t + 1];
  const REAL z = staged[3 * t + 2];
  out[get_group_id(0) * BLOCK + t] = x * x + y * y + z * z;
}
