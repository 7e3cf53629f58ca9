// Copy, one element per work-item: out = in.
//
// What it shows   The simplest kernel that reads and writes each byte once.
// Access pattern  Work-item i touches element i of in and out.
// Expected limit  Memory bandwidth.
//
// REAL is the element type.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void copy_plain(__global const REAL* restrict in, __global REAL* restrict out, const int n) {
  const size_t i = get_global_id(0);
  if (i < n) out[i] = in[i];
}
