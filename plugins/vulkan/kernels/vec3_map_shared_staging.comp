// Adds a constant to 3-component vectors of 12 bytes, staged through shared memory.
//
// What it shows   The cure for structs from the days without caches: load elements as they lie, take them apart in shared
//                 memory, store elements as they lie.
// Access pattern  A workgroup owns 3·BLOCK elements, from 3·BLOCK times its number on, and moves them in runs without gaps.
//                 In shared memory invocation t works on elements 3t, 3t + 1, 3t + 2: the step of 3 is odd, so there are
//                 no bank conflicts.
// Expected limit  Memory bandwidth; where a cache does the same for the plain kernel the detour gains nothing.
//
// REAL is the element type; BLOCK the number of invocations of a workgroup; WIDTH the elements per global access.
#include "kernel.glsl"
#include "vec3_stage.glsl"

OUT(1, REAL, target);
OUT(1, Pack, target_packs);
layout(push_constant) uniform Scalars { REAL addend; int n; };

void vec3_map_shared_staging() {
  const uint first = gl_WorkGroupID.x * 3 * BLOCK;
  const uint count = min(3 * uint(n) - first, 3 * BLOCK);
  stage(first, count);
  barrier();
  const uint t = gl_LocalInvocationID.x;
  if (3 * t < count) {
    for (uint c = 0; c < 3; ++c) staged[3 * t + c] += addend;
  }
  barrier();
  const uint packs = count / WIDTH;
  for (uint p = t; p < packs; p += BLOCK) target_packs[first / WIDTH + p] = staged_pack(p);
  const uint rest = packs * WIDTH + t;
  if (rest < count) target[first + rest] = staged[rest];
}
