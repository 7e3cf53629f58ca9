// Adds a constant to 3-component vectors, one vector per work-item, component by component.
//
// What it shows   What code does that sees vectors as structs: out of structs the accesses of neighbours have gaps
//                 between them, out of three arrays they have none.
// Access pattern  Work-item i touches x, y and z of vector i in turn: every third or fourth element of structs,
//                 neighbouring elements of arrays.
// Expected limit  Memory bandwidth, as long as a cache keeps lines for the two accesses that follow; structs padded
//                 to four elements move a third more.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "vec3_place.clh"

__kernel void vec3_map_scalar(__global const REAL* restrict in, __global REAL* restrict out, const REAL addend,
                              const int n, const int plane) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  const REAL x = in[VEC3_PLACE(i, 0, plane)];
  const REAL y = in[VEC3_PLACE(i, 1, plane)];
  const REAL z = in[VEC3_PLACE(i, 2, plane)];
  out[VEC3_PLACE(i, 0, plane)] = x + addend;
  out[VEC3_PLACE(i, 1, plane)] = y + addend;
  out[VEC3_PLACE(i, 2, plane)] = z + addend;
}
