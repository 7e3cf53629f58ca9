// Squared length of 3-component vectors, four vectors per work-item: three 16-byte loads, one 16-byte store.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without local
//                 memory; a work-item keeps four times the bytes in flight.
// Access pattern  12-byte structs: work-item i reads the three 16-byte parts of bytes 48·i … 48·i + 47. Three arrays:
//                 16 bytes at 16·i of each. The last work-item that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// AOS12 or SOA is the layout.
#include "vec3_place.clh"

float norm2(const float x, const float y, const float z) { return x * x + y * y + z * z; }

__kernel void vec3_norm2_quad(__global const float* restrict in, __global float* restrict out, const int n,
                              const int plane) {
  const size_t quad = get_global_id(0);
  const size_t first = 4 * quad;
  if (first + 4 <= n) {
    __global const float4* from = (__global const float4*)in;
#if AOS12
    const float4 a = from[3 * quad];      // x0 y0 z0 x1
    const float4 b = from[3 * quad + 1];  // y1 z1 x2 y2
    const float4 c = from[3 * quad + 2];  // z2 x3 y3 z3
    const float4 lengths = (float4)(norm2(a.x, a.y, a.z), norm2(a.w, b.x, b.y), norm2(b.z, b.w, c.x),
                                    norm2(c.y, c.z, c.w));
#else
    const size_t step = plane / 4;
    const float4 x = from[quad];
    const float4 y = from[quad + step];
    const float4 z = from[quad + 2 * step];
    const float4 lengths = x * x + y * y + z * z;
#endif
    ((__global float4*)out)[quad] = lengths;
  } else {
    for (size_t i = first; i < n; ++i) {
      out[i] = norm2(in[VEC3_PLACE(i, 0, plane)], in[VEC3_PLACE(i, 1, plane)], in[VEC3_PLACE(i, 2, plane)]);
    }
  }
}
