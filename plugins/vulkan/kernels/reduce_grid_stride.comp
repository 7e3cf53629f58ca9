// A reduction by as many workgroups as the device can hold: each invocation takes every (GRID·BLOCK)-th element, then the
// group joins its values in a tree; a second launch joins the groups' values.
//
// What it shows   That the work of agreeing should not grow with the input: the tree is taken once per group, and the
//                 number of groups is the device's, not the problem's. Everything else is load and add.
// Access pattern  In each round the grid reads one run of GRID·BLOCK elements.
// Expected limit  Memory bandwidth of a GPU, if enough loads are in flight.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of invocations of a workgroup, GRID that of groups.
#include "reduce.glsl"

#ifdef reduce_grid_stride_finish
#define FINISH reduce_grid_stride_finish
#define PARTIALS GRID
#include "reduce_finish.glsl"
#else
IN(0, REAL, x);
IN(1, REAL, y);
OUT(2, REAL, partial);
layout(push_constant) uniform Scalars { int n; };

void reduce_grid_stride() {
  Running running = start();
  ADD_TERMS(running, gl_GlobalInvocationID.x, GRID * BLOCK, uint(n), ELEMENT)
  const REAL total = group_tree(value_of(running));
  if (gl_LocalInvocationID.x == 0) partial[gl_WorkGroupID.x] = total;
}
#endif
