// A reduction by one workgroup: each invocation takes every BLOCK-th element, then the group joins its values in a tree.
//
// What it shows   How the invocations of a workgroup agree on one number: a tree through shared memory, with a barrier per
//                 level, log2(BLOCK) levels. And that one group uses one compute unit of many.
// Access pattern  In each round invocation t reads element t of the next BLOCK: coalesced. Shared memory without bank
//                 conflicts.
// Expected limit  What one compute unit can have in flight. For a few thousand elements nothing is faster, since it is
//                 one launch.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of invocations of a workgroup.
#include "reduce.glsl"

IN(0, REAL, x);
IN(1, REAL, y);
OUT(2, REAL, result);
layout(push_constant) uniform Scalars { int n; };

void reduce_single_block() {
  Running running = start();
  ADD_TERMS(running, gl_LocalInvocationID.x, BLOCK, uint(n), ELEMENT)
  const REAL total = group_tree(value_of(running));
  if (gl_LocalInvocationID.x == 0) result[0] = finish(total, n);
}
