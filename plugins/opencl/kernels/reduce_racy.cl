// A sum that is wrong: every work-item does result += x[i], and nothing keeps them apart.
//
// What it shows   Why it fails. The addition is three steps: load, add, store. Work-items that run side by side load
//                 the same old value and store their own sum over it; one store survives.
// Access pattern  Work-item i reads element i; all read and write one word.
// Expected limit  None worth having: it is wrong. (On a CPU the work-items of a group run one after the other, so that
//                 it may come out right by chance: the variant is for GPUs.)
//
// REAL is the element type.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void reduce_racy_start(__global REAL* result) { *result = 0; }

__kernel void reduce_racy(__global const REAL* restrict x, __global volatile REAL* result, const int n) {
  const size_t i = get_global_id(0);
  if (i < n) *result += x[i];
}
