// Vector addition through local memory: c = a + b.
//
// What it shows   That tiling does not help where no value is used twice.
// Access pattern  As in the plain kernel; in local memory work-item t uses element t.
// Expected limit  Memory bandwidth on a GPU; on a CPU, where local memory is ordinary memory, the detour costs time.
//
// REAL is the element type; BLOCK the number of work-items of a work-group.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void vector_add_tiled(__global const REAL* restrict a, __global const REAL* restrict b,
                               __global REAL* restrict c, const int n) {
  __local REAL tile_of_a[BLOCK];
  __local REAL tile_of_b[BLOCK];
  const size_t i = get_global_id(0);
  const size_t t = get_local_id(0);
  if (i < n) {
    tile_of_a[t] = a[i];
    tile_of_b[t] = b[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) c[i] = tile_of_a[t] + tile_of_b[t];
}
