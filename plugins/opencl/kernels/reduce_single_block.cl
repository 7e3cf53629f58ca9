// A reduction by one work-group: each work-item takes every BLOCK-th element, then the group joins its values in a
// tree.
//
// What it shows   How the work-items of a group agree on one number: a tree through local memory, with a barrier per
//                 level, log2(BLOCK) levels. And that one group uses one compute unit of many.
// Access pattern  In each round work-item t reads element t of the next BLOCK: coalesced. Local memory without bank
//                 conflicts.
// Expected limit  What one compute unit can have in flight. For a few thousand elements nothing is faster, since it is
//                 one launch. On a CPU a group is one thread, with strided reads and little to vectorise.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of work-items of a group.
#include "reduce.clh"

__kernel void reduce_single_block(__global const REAL* restrict x, __global const REAL* restrict y,
                                  __global REAL* restrict result, const int n) {
  __local REAL shared[BLOCK];
  Running running;
  start(&running);
  for (size_t i = get_local_id(0); i < n; i += BLOCK) add(&running, element(x, y, i));
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) *result = finish(total, n);
}
