// The triad c = a + 2 * b: two loads and a store for each multiply-add.
//
// What it shows   The roof of everything that combines two arrays into a third.
// Access pattern  UNROLL packs of WIDTH elements per invocation and array, a workgroup's width apart.
// Expected limit  Memory bandwidth: twelve bytes for two operations.
//
// BLOCK is the number of invocations of a workgroup; n counts elements.
#define REAL float
#define USE_FP64 0
#include "kernel.glsl"
#include "packs.glsl"

IN(0, float, a);
IN(0, Pack, a_packs);
IN(1, float, b);
IN(1, Pack, b_packs);
OUT(2, float, c);
OUT(2, Pack, c_packs);
layout(push_constant) uniform Scalars { int n; };

void peaks_triad() {
  const uint begin = gl_WorkGroupID.x * (BLOCK * UNROLL) + gl_LocalInvocationID.x;
  for (uint u = 0; u < UNROLL; ++u) {
    const uint place = begin + u * BLOCK;
    if ((place + 1) * WIDTH <= n) {
      for (int p = 0; p < PACK_PARTS; ++p) {
        c_packs[place].part[p] = a_packs[place].part[p] + 2 * b_packs[place].part[p];
      }
    } else {
      for (uint i = place * WIDTH; i < n; ++i) c[i] = a[i] + 2 * b[i];
    }
  }
}
