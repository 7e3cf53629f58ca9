// Squared length of 3-component vectors padded to 16 bytes, one vector per invocation, read in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes to read.
// Access pattern  Invocation i reads bytes 16·i … 16·i + 15 and writes element i: no gaps in either.
// Expected limit  Memory bandwidth, of which four fifths are of use.
#include "kernel.glsl"

IN(0, vec4, source);
OUT(1, float, target);
layout(push_constant) uniform Scalars { int n; };

void vec3_norm2_vector() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const vec4 v = source[i];
  target[i] = v.x * v.x + v.y * v.y + v.z * v.z;
}
