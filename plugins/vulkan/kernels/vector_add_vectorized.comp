// Vector addition, WIDTH neighbouring elements per invocation in one access: c = a + b.
//
// What it shows   Explicit vectors: more bytes per access.
// Access pattern  Invocation i touches elements WIDTH·i … WIDTH·i + WIDTH - 1. The last one that has anything to do
//                 adds what is left one by one.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH is 2, 4, 8 or 16.
#include "kernel.glsl"
#include "packs.glsl"

IN(0, REAL, a);
IN(0, Pack, a_packs);
IN(1, REAL, b);
IN(1, Pack, b_packs);
OUT(2, REAL, c);
OUT(2, Pack, c_packs);
layout(push_constant) uniform Scalars { int n; };

void vector_add_vectorized() {
  const uint pack = gl_GlobalInvocationID.x;
  const uint first = pack * WIDTH;
  if (first + WIDTH <= n) {
    for (int p = 0; p < PACK_PARTS; ++p) {
      c_packs[pack].part[p] = a_packs[pack].part[p] + b_packs[pack].part[p];
    }
  } else {
    for (uint i = first; i < n; ++i) c[i] = a[i] + b[i];
  }
}
