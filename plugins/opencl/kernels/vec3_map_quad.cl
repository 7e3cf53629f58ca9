// Adds a constant to 3-component vectors, four vectors per work-item in three 16-byte accesses.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without local
//                 memory; a work-item keeps four times the bytes in flight.
// Access pattern  12-byte structs: work-item i touches the three 16-byte parts of bytes 48·i … 48·i + 47. Three
//                 arrays: 16 bytes at 16·i of each. The last work-item that has anything to do takes what is left one
//                 by one.
// Expected limit  Memory bandwidth.
//
// AOS12 or SOA is the layout.
#include "vec3_place.clh"

__kernel void vec3_map_quad(__global const float* restrict in, __global float* restrict out, const float addend,
                            const int n, const int plane) {
  const size_t quad = get_global_id(0);
  const size_t first = 4 * quad;
  if (first + 4 <= n) {
#if AOS12
    const size_t place = 3 * quad;
    const size_t step = 1;
#else
    const size_t place = quad;
    const size_t step = plane / 4;
#endif
    __global const float4* from = (__global const float4*)in + place;
    const float4 a = from[0];
    const float4 b = from[step];
    const float4 c = from[2 * step];
    __global float4* to = (__global float4*)out + place;
    to[0] = a + addend;
    to[step] = b + addend;
    to[2 * step] = c + addend;
  } else {
    for (size_t i = first; i < n; ++i) {
      for (int c = 0; c < 3; ++c) out[VEC3_PLACE(i, c, plane)] = in[VEC3_PLACE(i, c, plane)] + addend;
    }
  }
}
