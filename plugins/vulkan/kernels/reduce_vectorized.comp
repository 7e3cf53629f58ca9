// A reduction by explicit vectors: each workgroup takes a part of the array of its own, each invocation packs of WIDTH
// elements of it.
//
// What it shows   What bounds a reduction is how many bytes are on their way. Wide loads, and four of them before the first
//                 is waited for, keep enough of them there.
// Access pattern  A group reads its part from start to end, in each round BLOCK neighbouring packs: coalesced.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, OP_IS_… the operation, WIDTH 2, 4, 8 or 16, BLOCK the number of invocations of a workgroup,
// GRID that of groups.
#extension GL_EXT_control_flow_attributes : require
#include "reduce_packs.glsl"

#ifdef reduce_vectorized_finish
#define FINISH reduce_vectorized_finish
#define PARTIALS GRID
#include "reduce_finish.glsl"
#else
#define ACCUMULATORS 4

IN(0, REAL, x);
IN(0, Pack, x_packs);
IN(1, REAL, y);
IN(1, Pack, y_packs);
OUT(2, REAL, partial);
layout(push_constant) uniform Scalars { int n; };

void reduce_vectorized() {
  const uint group = gl_WorkGroupID.x;
  const uint t = gl_LocalInvocationID.x;
  const uint packs = uint(n) / WIDTH;
  const uint share = (packs + GRID - 1) / GRID;
  const uint end = min(packs, (group + 1) * share);

  Packs wide[ACCUMULATORS];
  [[unroll]] for (int a = 0; a < ACCUMULATORS; ++a) wide[a] = start_packs();
  uint i = group * share + t;
  for (; i + (ACCUMULATORS - 1) * BLOCK < end; i += ACCUMULATORS * BLOCK) {
    [[unroll]] for (int a = 0; a < ACCUMULATORS; ++a) add_pack(wide[a], PACK_AT(i + a * BLOCK));
  }
  for (; i < end; i += BLOCK) add_pack(wide[0], PACK_AT(i));

  Running running = start();
  [[unroll]] for (int a = 0; a < ACCUMULATORS; ++a) add_lanes(running, wide[a]);
  // The last group takes what does not fill a pack.
  if (group == GRID - 1) {
    for (uint rest = packs * WIDTH + t; rest < n; rest += BLOCK) add(running, ELEMENT(rest));
  }
  const REAL total = group_tree(value_of(running));
  if (t == 0) partial[group] = total;
}
#endif
