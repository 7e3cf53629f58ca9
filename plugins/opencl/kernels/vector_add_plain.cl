// Vector addition, one element per work-item: c = a + b.
//
// What it shows   Coalesced access, and nothing else: no value is used twice.
// Access pattern  Work-item i touches element i of a, b and c.
// Expected limit  Memory bandwidth: twelve bytes of float per addition.
//
// REAL is the element type.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void vector_add_plain(__global const REAL* restrict a, __global const REAL* restrict b,
                               __global REAL* restrict c, const int n) {
  const size_t i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
