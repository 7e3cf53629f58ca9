// Adds a constant to 3-component vectors padded to 16 bytes, one vector per invocation in one access.
//
// What it shows   Padding buys one 16-byte access per vector, and pays with a third more bytes.
// Access pattern  Invocation i loads and stores bytes 16·i … 16·i + 15, the padding among them: no gaps.
// Expected limit  Memory bandwidth, of which three quarters are of use.
#include "kernel.glsl"

IN(0, vec4, source);
OUT(1, vec4, target);
layout(push_constant) uniform Scalars { float addend; int n; };

void vec3_map_vector() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < n) target[i] = source[i] + vec4(addend, addend, addend, 0);
}
