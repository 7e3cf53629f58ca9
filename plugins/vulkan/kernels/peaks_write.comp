// Writes a buffer: word i becomes first + i * step.
//
// What it shows   How fast data can be written.
// Access pattern  UNROLL packs of WIDTH words per invocation, a workgroup's width apart.
// Expected limit  Memory bandwidth.
//
// BLOCK is the number of invocations of a workgroup; n counts words of 4 bytes.
#define PACKS_OF_WORDS 1
#include "kernel.glsl"
#include "packs.glsl"

OUT(0, uint, target);
OUT(0, Pack, target_packs);
layout(push_constant) uniform Scalars { int n; uint first; uint increment; };

// Words number `word` … of a pack's part.
PACK_PART part_from(uint word) {
#if PACK_LANES == 1
  return first + word * increment;
#elif PACK_LANES == 2
  return first + (word + uvec2(0, 1)) * increment;
#else
  return first + (word + uvec4(0, 1, 2, 3)) * increment;
#endif
}

void peaks_write() {
  const uint begin = gl_WorkGroupID.x * (BLOCK * UNROLL) + gl_LocalInvocationID.x;
  for (uint u = 0; u < UNROLL; ++u) {
    const uint place = begin + u * BLOCK;
    const uint word = place * WIDTH;
    if (word + WIDTH <= n) {
      for (uint p = 0; p < PACK_PARTS; ++p) target_packs[place].part[p] = part_from(word + p * PACK_LANES);
    } else {
      for (uint i = word; i < n; ++i) target[i] = first + i * increment;
    }
  }
}
