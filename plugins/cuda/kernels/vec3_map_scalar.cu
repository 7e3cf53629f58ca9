// Adds a constant to 3-component vectors, one vector per thread, component by component.
//
// What it shows   What code does that sees vectors as structs. Out of structs each load of a warp has gaps between
//                 its threads, out of three arrays it has none.
// Access pattern  Thread i touches x, y and z of vector i in turn. 12-byte structs of float: each access of a warp
//                 spreads over 384 bytes, a third of it wanted; the other two find the rest in cache. 16-byte
//                 structs: over 512 bytes, a quarter of it never wanted. Three arrays: runs of 128 bytes.
// Expected limit  Memory bandwidth, of 12-byte structs too as long as the first-level cache keeps the lines for the
//                 two accesses that follow; 16-byte structs move a third more.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#include "vec3_place.cuh"

extern "C" __global__ void vec3_map_scalar(const REAL* __restrict__ in, REAL* __restrict__ out, REAL addend, int n,
                                           int plane) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const REAL x = in[VEC3_PLACE(i, 0, plane)];
  const REAL y = in[VEC3_PLACE(i, 1, plane)];
  const REAL z = in[VEC3_PLACE(i, 2, plane)];
  out[VEC3_PLACE(i, 0, plane)] = x + addend;
  out[VEC3_PLACE(i, 1, plane)] = y + addend;
  out[VEC3_PLACE(i, 2, plane)] = z + addend;
}
