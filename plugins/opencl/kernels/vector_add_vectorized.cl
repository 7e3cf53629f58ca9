// Vector addition, WIDTH neighbouring elements per work-item in one access: c = a + b.
//
// What it shows   Explicit vectors: more bytes per access on a GPU, SIMD instructions on a CPU.
// Access pattern  Work-item i touches elements WIDTH·i … WIDTH·i + WIDTH - 1. The last one that has anything to do
//                 adds what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH is 2, 4, 8 or 16.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
// Not vload and vstore: those promise the compiler no more than that elements are aligned, and a GPU then takes them one
// by one.
#define PACK JOIN(REAL, WIDTH)

__kernel void vector_add_vectorized(__global const REAL* restrict a, __global const REAL* restrict b,
                                    __global REAL* restrict c, const int n) {
  const size_t pack = get_global_id(0);
  const size_t first = pack * WIDTH;
  if (first + WIDTH <= n) {
    ((__global PACK*)c)[pack] = ((__global const PACK*)a)[pack] + ((__global const PACK*)b)[pack];
  } else {
    for (size_t i = first; i < n; ++i) c[i] = a[i] + b[i];
  }
}
