// Squared length of 3-component vectors, one vector per thread, component by component.
//
// What it shows   Reading structs against reading arrays, with a dense result: only the reads differ.
// Access pattern  Thread i reads x, y and z of vector i in turn and writes element i. 12-byte structs of float: each
//                 access of a warp spreads over 384 bytes, 16-byte structs over 512, three arrays over 128.
// Expected limit  Memory bandwidth; of 16-byte structs a quarter of what is read is padding.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#include "vec3_place.cuh"

extern "C" __global__ void vec3_norm2_scalar(const REAL* __restrict__ in, REAL* __restrict__ out, int n, int plane) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const REAL x = in[VEC3_PLACE(i, 0, plane)];
  const REAL y = in[VEC3_PLACE(i, 1, plane)];
  const REAL z = in[VEC3_PLACE(i, 2, plane)];
  out[i] = x * x + y * y + z * z;
}
