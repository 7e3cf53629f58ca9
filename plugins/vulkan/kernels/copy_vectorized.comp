// Copy, WIDTH neighbouring elements per invocation in one access: out = in.
//
// What it shows   More bytes per invocation: more under way.
// Access pattern  Invocation i touches elements WIDTH·i … WIDTH·i + WIDTH - 1. The last one that has anything to do
//                 copies what is left one by one.
// Expected limit  Memory bandwidth: the roof of a transpose.
//
// REAL is the element type; WIDTH is 2, 4, 8 or 16.
#include "kernel.glsl"
#include "packs.glsl"

IN(0, REAL, source);
IN(0, Pack, source_packs);
OUT(1, REAL, target);
OUT(1, Pack, target_packs);
layout(push_constant) uniform Scalars { int n; };

void copy_vectorized() {
  const uint pack = gl_GlobalInvocationID.x;
  const uint first = pack * WIDTH;
  if (first + WIDTH <= n) {
    for (int p = 0; p < PACK_PARTS; ++p) target_packs[pack].part[p] = source_packs[pack].part[p];
  } else {
    for (uint i = first; i < n; ++i) target[i] = source[i];
  }
}
