// Squared length of 3-component vectors padded to 16 bytes, read in the two accesses that a struct aligned to 8 bytes
// allows: x and y together, z alone.
//
// What it shows   What the alignment that a type promises is worth: the bytes lie as for the one 16-byte access.
// Access pattern  Invocation i reads 8 bytes at 16·i and 4 bytes at 16·i + 8, and writes element i.
// Expected limit  Memory bandwidth, of which four fifths are of use.
#include "kernel.glsl"

IN(0, float, source);
IN(0, vec2, source_pairs);
OUT(1, float, target);
layout(push_constant) uniform Scalars { int n; };

void vec3_norm2_pair() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const vec2 xy = source_pairs[2 * i];
  const float z = source[4 * i + 2];
  target[i] = xy.x * xy.x + xy.y * xy.y + z * z;
}
