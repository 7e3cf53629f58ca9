// Adds a constant to 3-component vectors of 12 bytes, staged through local memory.
//
// What it shows   The cure for structs from the days without caches: load elements as they lie, take them apart in
//                 local memory, store elements as they lie.
// Access pattern  A group owns 3·BLOCK elements, from 3·BLOCK times its number on, and moves them in runs without
//                 gaps. In local memory work-item t works on elements 3t, 3t + 1, 3t + 2: the step of 3 is odd, so
//                 there are no bank conflicts.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel, and on a CPU, where local memory
//                 is ordinary memory, the detour gains nothing.
//
// REAL is the element type; BLOCK the number of work-items of a work-group; WIDTH the elements per global access.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "vec3_stage.clh"

__kernel void vec3_map_shared_staging(__global const REAL* restrict in, __global REAL* restrict out,
                                      const REAL addend, const int n) {
  __local REAL staged[3 * BLOCK] __attribute__((aligned(16)));
  const size_t first = get_group_id(0) * 3 * BLOCK;
  const size_t left = (size_t)3 * n - first;
  const int count = left < 3 * BLOCK ? (int)left : 3 * BLOCK;
  COPY_BY_GROUP(__global, in + first, __local, staged, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int t = get_local_id(0);
  if (3 * t < count) {
    staged[3 * t] += addend;
    staged[3 * t + 1] += addend;
    staged[3 * t + 2] += addend;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  COPY_BY_GROUP(__local, staged, __global, out + first, count);
}
