// Squared length of 3-component vectors, one vector per invocation, component by component.
//
// What it shows   Reading structs against reading arrays, with a dense result: only the reads differ.
// Access pattern  Invocation i reads x, y and z of vector i in turn, every third or fourth element of structs, neighbouring
//                 elements of arrays, and writes element i.
// Expected limit  Memory bandwidth; of structs padded to four elements a quarter of what is read is padding.
//
// REAL is the element type; AOS12, AOS16 or SOA the layout.
#include "kernel.glsl"
#include "vec3_place.glsl"

IN(0, REAL, source);
OUT(1, REAL, target);
layout(push_constant) uniform Scalars { int n; int plane; };

void vec3_norm2_scalar() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const REAL x = source[VEC3_PLACE(i, 0, plane)];
  const REAL y = source[VEC3_PLACE(i, 1, plane)];
  const REAL z = source[VEC3_PLACE(i, 2, plane)];
  target[i] = x * x + y * y + z * z;
}
