// Squared length of 3-component vectors, four vectors per invocation: three 16-byte loads, one 16-byte store.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without shared
//                 memory; an invocation keeps four times the bytes in flight.
// Access pattern  12-byte structs: invocation i reads the three 16-byte parts of bytes 48·i … 48·i + 47. Three arrays: 16
//                 bytes at 16·i of each. The last invocation that has anything to do takes what is left one by one.
// Expected limit  Memory bandwidth.
//
// AOS12 or SOA is the layout.
#include "kernel.glsl"
#include "vec3_place.glsl"

IN(0, float, source);
IN(0, vec4, source_quads);
OUT(1, float, target);
OUT(1, vec4, target_quads);
layout(push_constant) uniform Scalars { int n; int plane; };

float norm2(float x, float y, float z) { return x * x + y * y + z * z; }

void vec3_norm2_quad() {
  const uint quad = gl_GlobalInvocationID.x;
  const uint first = 4 * quad;
  if (first + 4 <= n) {
#if AOS12
    const vec4 a = source_quads[3 * quad];      // x0 y0 z0 x1
    const vec4 b = source_quads[3 * quad + 1];  // y1 z1 x2 y2
    const vec4 c = source_quads[3 * quad + 2];  // z2 x3 y3 z3
    target_quads[quad] = vec4(norm2(a.x, a.y, a.z), norm2(a.w, b.x, b.y), norm2(b.z, b.w, c.x),
                              norm2(c.y, c.z, c.w));
#else
    const uint apart = uint(plane) / 4;
    const vec4 x = source_quads[quad];
    const vec4 y = source_quads[quad + apart];
    const vec4 z = source_quads[quad + 2 * apart];
    target_quads[quad] = x * x + y * y + z * z;
#endif
  } else {
    for (uint i = first; i < n; ++i) {
      target[i] = norm2(source[VEC3_PLACE(i, 0, plane)], source[VEC3_PLACE(i, 1, plane)],
                        source[VEC3_PLACE(i, 2, plane)]);
    }
  }
}
