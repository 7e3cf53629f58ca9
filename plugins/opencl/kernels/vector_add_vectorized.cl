// Vector addition, WIDTH neighbouring elements per work-item in one access: c = a + b.
//
// What it shows   Explicit vectors: more bytes per access on a GPU, SIMD instructions on a CPU.
// Access pattern  Work-item i touches elements WIDTH·i … WIDTH·i + WIDTH - 1. The last one that has anything to do
//                 adds what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH is 2, 4, 8 or 16.
#include "numbers.clh"
#include "packs.clh"

__kernel void vector_add_vectorized(__global const REAL* restrict a, __global const REAL* restrict b,
                                    __global REAL* restrict c, const int n) {
  const size_t pack = number_of_all();
  const size_t first = pack * WIDTH;
  if (first + WIDTH <= n) {
    ((__global PACK*)c)[pack] = ((__global const PACK*)a)[pack] + ((__global const PACK*)b)[pack];
  } else {
    // A few elements, which unrolled would be nine tenths of the code.
#pragma unroll 1
    for (size_t i = first; i < n; ++i) c[i] = a[i] + b[i];
  }
}
