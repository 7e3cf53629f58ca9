// Squared length of 3-component vectors, one vector per work-item, component by component.
//
// What it shows   Reading structs against reading arrays, with a dense result: only the reads differ.
// Access pattern  Work-item i reads x, y and z of vector i in turn, every third or fourth element of structs,
//                 neighbouring elements of arrays, and writes element i.
// Expected limit  Memory bandwidth; of structs padded to four elements a quarter of what is read is padding.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "vec3_place.clh"

__kernel void vec3_norm2_scalar(__global const REAL* restrict in, __global REAL* restrict out, const int n,
                                const int plane) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  const REAL x = in[VEC3_PLACE(i, 0, plane)];
  const REAL y = in[VEC3_PLACE(i, 1, plane)];
  const REAL z = in[VEC3_PLACE(i, 2, plane)];
  out[i] = x * x + y * y + z * z;
}
