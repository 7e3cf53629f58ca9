// A reduction in two launches: one element per work-item to one partial value per group, then one group for those.
//
// What it shows   How all compute units come to work: groups cannot wait for each other, but the end of a launch is a
//                 barrier for all of them. A work-item loads one element and then takes part in log2(BLOCK) barriers:
//                 most of the time goes into the tree.
// Access pattern  Work-item i reads element i: coalesced. Each group writes one value; the second launch reads those in
//                 runs.
// Expected limit  Instructions and barriers of the tree, below memory bandwidth; for few elements the two launches.
//
// A single pass, whose last group would join the others' values, cannot be written portably: OpenCL 1.2 does not say
// when a group's writes are seen by another one of the same launch, whatever fences and atomics it uses.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of work-items of a group.
#include "reduce.clh"

__kernel void reduce_two_kernel(__global const REAL* restrict x, __global const REAL* restrict y,
                                __global REAL* restrict partial, const int n) {
  __local REAL shared[BLOCK];
  const size_t i = get_global_id(0);
  // The last group may have more work-items than elements: they bring the identity element.
  const REAL total = group_tree(shared, i < n ? one(element(x, y, i)) : IDENTITY);
  if (get_local_id(0) == 0) partial[get_group_id(0)] = total;
}

__kernel void reduce_two_kernel_finish(__global const REAL* restrict partial, __global REAL* restrict result,
                                       const int n) {
  __local REAL shared[BLOCK];
  const size_t partials = ((size_t)n + BLOCK - 1) / BLOCK;
  Running running;
  start(&running);
  for (size_t i = get_local_id(0); i < partials; i += BLOCK) add(&running, partial[i]);
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) *result = finish(total, n);
}
