// A reduction as grid_stride's, with the workgroup's values joined by subgroup operations.
//
// What it shows   The invocations of a subgroup need neither shared memory nor barriers to agree: one operation joins
//                 what they hold in registers. One barrier is left, between the subgroups of a workgroup.
// Access pattern  As grid_stride; shared memory holds one value per subgroup.
// Expected limit  Memory bandwidth, as grid_stride.
//
// Nothing depends on the size of a subgroup, nor on whether all of its invocations are at work.
//
// REAL is the element type, OP_IS_… the operation, BLOCK the number of invocations of a workgroup, GRID that of groups.
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#include "reduce.glsl"

#define NAN uintBitsToFloat(0x7fc00000u)

// The running values of a subgroup as one; all get it.
Running of_subgroup(Running running) {
#if OP_IS_NORM
  running.small = subgroupAdd(running.small);
  running.ordinary = subgroupAdd(running.ordinary);
  running.large = subgroupAdd(running.large);
#elif OP_IS_MIN || OP_IS_MAX
  // What the operations make of NaN is left to the driver.
  const bool no_number = subgroupAny(isnan(running.value));
#if OP_IS_MIN
  running.value = subgroupMin(running.value);
#else
  running.value = subgroupMax(running.value);
#endif
  if (no_number) running.value = REAL(NAN);
#else
  running.value = subgroupAdd(running.value);
#endif
  return running;
}

// The values of a workgroup as one, in its first subgroup.
REAL of_group(Running running) {
  const REAL own = value_of(of_subgroup(running));
  if (subgroupElect()) values[gl_SubgroupID] = own;
  barrier();
  running = start();
  const uint place = subgroupExclusiveAdd(1u);
  const uint lanes = subgroupAdd(1u);
  if (gl_SubgroupID == 0) {
    for (uint i = place; i < gl_NumSubgroups; i += lanes) add(running, values[i]);
  }
  return value_of(of_subgroup(running));
}

layout(push_constant) uniform Scalars { int n; };

#ifdef reduce_subgroup_finish
OUT(1, REAL, result);
IN(0, REAL, partial);

void reduce_subgroup_finish() {
  Running running = start();
  ADD_TERMS(running, gl_LocalInvocationID.x, BLOCK, GRID, PARTIAL)
  const REAL total = of_group(running);
  if (gl_SubgroupID == 0 && subgroupElect()) result[0] = finish(total, n);
}
#else
IN(0, REAL, x);
IN(1, REAL, y);
OUT(2, REAL, partial);

void reduce_subgroup() {
  Running running = start();
  ADD_TERMS(running, gl_GlobalInvocationID.x, GRID * BLOCK, uint(n), ELEMENT)
  const REAL total = of_group(running);
  if (gl_SubgroupID == 0 && subgroupElect()) partial[gl_WorkGroupID.x] = total;
}
#endif
