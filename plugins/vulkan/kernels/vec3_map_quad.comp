// Adds a constant to 3-component vectors, four vectors per invocation in three 16-byte accesses.
//
// What it shows   Four vectors of float are 48 bytes, which 16-byte accesses divide without padding and without shared
//                 memory; an invocation keeps four times the bytes in flight.
// Access pattern  12-byte structs: invocation i touches the three 16-byte parts of bytes 48·i … 48·i + 47. Three arrays: 16
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
layout(push_constant) uniform Scalars { float addend; int n; int plane; };

void vec3_map_quad() {
  const uint quad = gl_GlobalInvocationID.x;
  const uint first = 4 * quad;
  if (first + 4 <= n) {
#if AOS12
    const uint place = 3 * quad;
    const uint apart = 1;
#else
    const uint place = quad;
    const uint apart = uint(plane) / 4;
#endif
    const vec4 a = source_quads[place];
    const vec4 b = source_quads[place + apart];
    const vec4 c = source_quads[place + 2 * apart];
    target_quads[place] = a + addend;
    target_quads[place + apart] = b + addend;
    target_quads[place + 2 * apart] = c + addend;
  } else {
    for (uint i = first; i < n; ++i) {
      for (uint c = 0; c < 3; ++c) {
        target[VEC3_PLACE(i, c, plane)] = source[VEC3_PLACE(i, c, plane)] + addend;
      }
    }
  }
}
