// A reduction by as many groups as the device can hold: each work-item takes every (GRID·BLOCK)-th element, then the
// group joins its values in a tree; a second launch joins the groups' values.
//
// What it shows   That the work of agreeing should not grow with the input: the tree is taken once per group, and the
//                 number of groups is the device's, not the problem's. Everything else is load and add.
// Access pattern  In each round the grid reads one run of GRID·BLOCK elements.
// Expected limit  Memory bandwidth of a GPU, if enough loads are in flight. On a CPU each work-item strides over the
//                 array, which no cache likes: `vectorized` with small groups is the kernel for that.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of work-items of a group, GRID that of groups.
#include "reduce.clh"

__kernel void reduce_grid_stride(__global const REAL* restrict x, __global const REAL* restrict y,
                                 __global REAL* restrict partial, const int n) {
  __local REAL shared[BLOCK];
  Running running;
  start(&running);
  for (size_t i = get_global_id(0); i < n; i += (size_t)GRID * BLOCK) add(&running, element(x, y, i));
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) partial[get_group_id(0)] = total;
}

__kernel void reduce_grid_stride_finish(__global const REAL* restrict partial, __global REAL* restrict result,
                                        const int n) {
  __local REAL shared[BLOCK];
  Running running;
  start(&running);
  for (size_t i = get_local_id(0); i < GRID; i += BLOCK) add(&running, partial[i]);
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) *result = finish(total, n);
}
