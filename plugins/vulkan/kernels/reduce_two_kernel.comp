// A reduction in two launches: one element per invocation to one partial value per workgroup, then one group for those.
//
// What it shows   How all compute units come to work: groups cannot wait for each other, but the end of a launch is a
//                 barrier for all of them. An invocation loads one element and then takes part in log2(BLOCK) barriers:
//                 most of the time goes into the tree.
// Access pattern  Invocation i reads element i: coalesced. Each group writes one value; the second launch reads those in
//                 runs.
// Expected limit  Instructions and barriers of the tree, below memory bandwidth; for few elements the two launches.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of invocations of a workgroup.
#include "reduce.glsl"

#ifdef reduce_two_kernel_finish
#define FINISH reduce_two_kernel_finish
#define PARTIALS ((uint(n) + BLOCK - 1) / BLOCK)
#include "reduce_finish.glsl"
#else
IN(0, REAL, x);
IN(1, REAL, y);
OUT(2, REAL, partial);
layout(push_constant) uniform Scalars { int n; };

void reduce_two_kernel() {
  const uint i = gl_GlobalInvocationID.x;
  // The last group may have more invocations than elements: they bring the identity element.
  REAL own = IDENTITY;
  if (i < n) own = one(ELEMENT(i));
  const REAL total = group_tree(own);
  if (gl_LocalInvocationID.x == 0) partial[gl_WorkGroupID.x] = total;
}
#endif
