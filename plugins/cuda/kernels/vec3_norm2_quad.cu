// Squared length of 3-component vectors, four vectors per thread: three 16-byte loads, one 16-byte store.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without
//                 shared memory; a thread keeps four times the bytes in flight.
// Access pattern  12-byte structs: thread i reads the three 16-byte parts of bytes 48·i … 48·i + 47; each load of a
//                 warp spreads over 1536 bytes, the cache serves the other two. Three arrays: 16 bytes at 16·i of
//                 each, without a gap. The last thread that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// AOS12 or SOA is the layout.
#include "vec3_place.cuh"

__device__ float norm2(float x, float y, float z) { return x * x + y * y + z * z; }

extern "C" __global__ void vec3_norm2_quad(const float* __restrict__ in, float* __restrict__ out, int n, int plane) {
  const size_t quad = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const size_t first = 4 * quad;
  if (first + 4 <= n) {
    const float4* from = reinterpret_cast<const float4*>(in);
    float4 lengths;
#if AOS12
    const float4 a = from[3 * quad];      // x0 y0 z0 x1
    const float4 b = from[3 * quad + 1];  // y1 z1 x2 y2
    const float4 c = from[3 * quad + 2];  // z2 x3 y3 z3
    lengths.x = norm2(a.x, a.y, a.z);
    lengths.y = norm2(a.w, b.x, b.y);
    lengths.z = norm2(b.z, b.w, c.x);
    lengths.w = norm2(c.y, c.z, c.w);
#else
    const size_t step = plane / 4;
    const float4 x = from[quad];
    const float4 y = from[quad + step];
    const float4 z = from[quad + 2 * step];
    lengths.x = norm2(x.x, y.x, z.x);
    lengths.y = norm2(x.y, y.y, z.y);
    lengths.z = norm2(x.z, y.z, z.z);
    lengths.w = norm2(x.w, y.w, z.w);
#endif
    reinterpret_cast<float4*>(out)[quad] = lengths;
  } else {
    for (size_t i = first; i < n; ++i) {
      out[i] = norm2(in[VEC3_PLACE(i, 0, plane)], in[VEC3_PLACE(i, 1, plane)], in[VEC3_PLACE(i, 2, plane)]);
    }
  }
}
