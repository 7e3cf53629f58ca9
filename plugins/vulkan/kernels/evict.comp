// Pushes everything else out of the caches by reading a buffer that is larger than the last of them.
//
// Why reading     Lines that were only read are dropped for free when the timed kernel needs their place. Writing would
//                 leave dirty lines, and the timed kernel would pay for writing them back.
// Access pattern  Neighbouring invocations read neighbouring 16-byte words; each walks on by the whole grid.
//
// The sums are stored where they cannot be left out by the compiler: one word per invocation.
#include "kernel.glsl"

IN(0, uvec4, words);
OUT(1, uint, sums);
layout(push_constant) uniform Scalars { uint count; };

void evict() {
  uvec4 sum = uvec4(0);
  const uint all = gl_NumWorkGroups.x * LOCAL_SIZE_X;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += all) sum += words[i];
  sums[gl_GlobalInvocationID.x] = sum.x + sum.y + sum.z + sum.w;
}
