// Squared length of 3-component vectors of 12 bytes, staged through shared memory.
//
// What it shows   Coalesced loads of structs by loading elements as they lie, and taking them apart in shared memory.
// Access pattern  A workgroup owns 3·BLOCK elements of the input, from 3·BLOCK times its number on, and BLOCK of the output.
//                 Loads and stores have no gaps; in shared memory invocation t reads elements 3t, 3t + 1, 3t + 2.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel the detour gains nothing.
//
// REAL is the element type; BLOCK the number of invocations of a workgroup; WIDTH the elements per global load.
#include "kernel.glsl"
#include "vec3_stage.glsl"

OUT(1, REAL, target);
layout(push_constant) uniform Scalars { int n; };

void vec3_norm2_shared_staging() {
  const uint first = gl_WorkGroupID.x * 3 * BLOCK;
  const uint count = min(3 * uint(n) - first, 3 * BLOCK);
  stage(first, count);
  barrier();
  const uint t = gl_LocalInvocationID.x;
  if (3 * t >= count) return;
  const REAL x = staged[3 * t];
  const REAL y = staged[3 * t + 1];
  const REAL z = staged[3 * t + 2];
  target[gl_WorkGroupID.x * BLOCK + t] = x * x + y * y + z * z;
}
