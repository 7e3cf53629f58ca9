// Copy, one element per invocation: out = in.
//
// What it shows   The simplest kernel that reads and writes each byte once.
// Access pattern  Invocation i touches element i of in and out.
// Expected limit  Memory bandwidth.
//
// REAL is the element type.
#include "kernel.glsl"

IN(0, REAL, source);
OUT(1, REAL, target);
layout(push_constant) uniform Scalars { int n; };

void copy_plain() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < n) target[i] = source[i];
}
