// Adds a constant to 3-component vectors, one vector per invocation, component by component.
//
// What it shows   What code does that sees vectors as structs: out of structs the accesses of neighbours have gaps between
//                 them, out of three arrays they have none.
// Access pattern  Invocation i touches x, y and z of vector i in turn: every third or fourth element of structs,
//                 neighbouring elements of arrays.
// Expected limit  Memory bandwidth, as long as a cache keeps lines for the two accesses that follow; structs padded to four
//                 elements move a third more.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#include "kernel.glsl"
#include "vec3_place.glsl"

IN(0, REAL, source);
OUT(1, REAL, target);
layout(push_constant) uniform Scalars { REAL addend; int n; int plane; };

void vec3_map_scalar() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const REAL x = source[VEC3_PLACE(i, 0, plane)];
  const REAL y = source[VEC3_PLACE(i, 1, plane)];
  const REAL z = source[VEC3_PLACE(i, 2, plane)];
  target[VEC3_PLACE(i, 0, plane)] = x + addend;
  target[VEC3_PLACE(i, 1, plane)] = y + addend;
  target[VEC3_PLACE(i, 2, plane)] = z + addend;
}
