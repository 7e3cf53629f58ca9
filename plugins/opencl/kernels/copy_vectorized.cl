// Copy, WIDTH neighbouring elements per work-item in one access: out = in.
//
// What it shows   More bytes per work-item: more under way on a GPU, SIMD instructions on a CPU.
// Access pattern  Work-item i touches elements WIDTH·i … WIDTH·i + WIDTH - 1. The last one that has anything to do
//                 copies what is left one by one.
// Expected limit  Memory bandwidth: the roof of a transpose.
//
// REAL is the element type; WIDTH is 2, 4, 8 or 16.
#include "packs.clh"

__kernel void copy_vectorized(__global const REAL* restrict in, __global REAL* restrict out, const int n) {
  const size_t pack = get_global_id(0);
  const size_t first = pack * WIDTH;
  if (first + WIDTH <= n) {
    ((__global PACK*)out)[pack] = ((__global const PACK*)in)[pack];
  } else {
    for (size_t i = first; i < n; ++i) out[i] = in[i];
  }
}
