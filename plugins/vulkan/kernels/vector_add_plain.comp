// Vector addition, one element per invocation: c = a + b.
//
// What it shows   Coalesced access, and nothing else: no value is used twice.
// Access pattern  Invocation i touches element i of a, b and c.
// Expected limit  Memory bandwidth: twelve bytes of float per addition.
//
// REAL is the element type.
#include "kernel.glsl"

IN(0, REAL, a);
IN(1, REAL, b);
OUT(2, REAL, c);
layout(push_constant) uniform Scalars { int n; };

void vector_add_plain() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < n) c[i] = a[i] + b[i];
}
