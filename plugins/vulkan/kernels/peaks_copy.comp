// Copies a buffer: out = in.
//
// What it shows   Reading and writing at the same time: the roof of whatever moves all its data once.
// Access pattern  UNROLL packs of WIDTH words per invocation, a workgroup's width apart.
// Expected limit  Memory bandwidth.
//
// BLOCK is the number of invocations of a workgroup; n counts words of 4 bytes.
#define PACKS_OF_WORDS 1
#include "kernel.glsl"
#include "packs.glsl"

IN(0, uint, source);
IN(0, Pack, source_packs);
OUT(1, uint, target);
OUT(1, Pack, target_packs);
layout(push_constant) uniform Scalars { int n; };

void peaks_copy() {
  const uint begin = gl_WorkGroupID.x * (BLOCK * UNROLL) + gl_LocalInvocationID.x;
  for (uint u = 0; u < UNROLL; ++u) {
    const uint place = begin + u * BLOCK;
    if ((place + 1) * WIDTH <= n) {
      for (int p = 0; p < PACK_PARTS; ++p) target_packs[place].part[p] = source_packs[place].part[p];
    } else {
      for (uint i = place * WIDTH; i < n; ++i) target[i] = source[i];
    }
  }
}
