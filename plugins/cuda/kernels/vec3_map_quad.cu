// Adds a constant to 3-component vectors, four vectors per thread in three 16-byte accesses.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without
//                 shared memory; a thread keeps four times the bytes in flight.
// Access pattern  12-byte structs: thread i touches the three 16-byte parts of bytes 48·i … 48·i + 47; each access
//                 of a warp spreads over 1536 bytes, the cache serves the other two. Three arrays: 16 bytes at 16·i
//                 of each array, without a gap. The last thread that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// AOS12 or SOA is the layout.
#include "vec3_place.cuh"

__device__ float4 sum(float4 v, float addend) {
  return make_float4(v.x + addend, v.y + addend, v.z + addend, v.w + addend);
}

extern "C" __global__ void vec3_map_quad(const float* __restrict__ in, float* __restrict__ out, float addend, int n,
                                         int plane) {
  const size_t quad = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const size_t first = 4 * quad;
  if (first + 4 <= n) {
#if AOS12
    const size_t place = 3 * quad;
    const size_t step = 1;
#else
    const size_t place = quad;
    const size_t step = plane / 4;
#endif
    const float4* from = reinterpret_cast<const float4*>(in) + place;
    const float4 a = from[0];
    const float4 b = from[step];
    const float4 c = from[2 * step];
    float4* to = reinterpret_cast<float4*>(out) + place;
    to[0] = sum(a, addend);
    to[step] = sum(b, addend);
    to[2 * step] = sum(c, addend);
  } else {
    for (size_t i = first; i < n; ++i) {
      for (int c = 0; c < 3; ++c) out[VEC3_PLACE(i, c, plane)] = in[VEC3_PLACE(i, c, plane)] + addend;
    }
  }
}
