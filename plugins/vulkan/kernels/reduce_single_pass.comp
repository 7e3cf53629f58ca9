// A reduction in one launch: the workgroup that finishes last joins the values of all groups.
//
// What it shows   A launch costs microseconds, so that for small inputs the second one is most of the time. Groups cannot
//                 wait for each other, but they can count: each writes its value, then takes a number. Whoever draws the
//                 last one knows that all values are there. It reads them in the order of the groups, whichever group it
//                 is: the result does not change from run to run. It also sets the count back to zero: no second
//                 operation has to.
// Access pattern  Packs of 16 bytes, UNROLL of them in flight per invocation: dealt out one by one over the whole device, or
//                 NEAR in one piece per group, which memory likes better, but leaves some groups without where there are
//                 few. What does not fill a pack goes to the first invocations. One atomic operation per group.
// Expected limit  Memory bandwidth for large inputs; one launch for small ones.
//
// REAL is the element type, OP_IS_… the operation, WIDTH · sizeof(REAL) 16 bytes, BLOCK the number of invocations of a
// workgroup, GRID that of groups. `finished` is zero before and after.
#extension GL_EXT_control_flow_attributes : require
#include "reduce_packs.glsl"

IN(0, REAL, x);
IN(0, Pack, x_packs);
IN(1, REAL, y);
IN(1, Pack, y_packs);
SHARED_BY_ALL(2, REAL, partial);
SHARED_BY_ALL(3, uint, finished);
OUT(4, REAL, result);
layout(push_constant) uniform Scalars { int n; };

shared bool is_last;

void reduce_single_pass() {
  const uint group = gl_WorkGroupID.x;
  const uint t = gl_LocalInvocationID.x;
  const uint packs = uint(n) / WIDTH;
  const uint items = GRID * BLOCK;
  const uint item = group * BLOCK + t;

  Packs wide = start_packs();
  const uint apart = NEAR != 0 ? BLOCK : items;  // the packs of a round
  uint i = NEAR != 0 ? group * (BLOCK * UNROLL) + t : item;
  for (; i + (UNROLL - 1) * apart < packs; i += UNROLL * items) {
    Pack loaded[UNROLL];
    [[unroll]] for (int u = 0; u < UNROLL; ++u) loaded[u] = PACK_AT(i + u * apart);
    [[unroll]] for (int u = 0; u < UNROLL; ++u) add_pack(wide, loaded[u]);
  }
  // The last round, not full.
  [[unroll]] for (int u = 0; u < UNROLL - 1; ++u) {
    if (i + u * apart < packs) add_pack(wide, PACK_AT(i + u * apart));
  }

  Running running = start();
  add_lanes(running, wide);
  const uint rest = packs * WIDTH + item;
  if (rest < n) add(running, ELEMENT(rest));
  const REAL own = group_tree(value_of(running));
#if GRID == 1  // nobody else to wait for
  if (t == 0) result[0] = finish(own, n);
#else
  if (t == 0) {
    partial[group] = own;
    memoryBarrierBuffer();  // the value before the number
    is_last = atomicAdd(finished[0], 1) == GRID - 1;
    memoryBarrierBuffer();  // the number before what others wrote
  }
  barrier();
  if (!is_last) return;
  running = start();
  ADD_TERMS(running, t, BLOCK, GRID, PARTIAL)
  const REAL total = group_tree(value_of(running));
  if (t == 0) {
    result[0] = finish(total, n);
    finished[0] = 0;
  }
#endif
}
