// Part of the kernels that stage vectors through shared memory: loading `count` elements by all invocations of a
// workgroup. Neighbours move neighbouring packs, whatever they mean; what fills no pack goes one by one.
//
// REAL is the element type; BLOCK the number of invocations of a workgroup; WIDTH 1, 2 or 4 the elements of a pack. A
// workgroup's elements start where a pack may.
#pragma once

#include "packs.glsl"

IN(0, REAL, source);
IN(0, Pack, source_packs);

shared REAL staged[3 * BLOCK];

void stage(uint first, uint count) {
  const uint t = gl_LocalInvocationID.x;
  const uint packs = count / WIDTH;
  for (uint p = t; p < packs; p += BLOCK) {
    const Pack pack = source_packs[first / WIDTH + p];
    for (uint i = 0; i < WIDTH; ++i) staged[p * WIDTH + i] = lane_of(pack, i);
  }
  const uint rest = packs * WIDTH + t;
  if (rest < count) staged[rest] = source[first + rest];
}

// Pack number p of what is staged.
Pack staged_pack(uint p) {
  Pack pack;
#if PACK_LANES == 1
  pack.part[0] = staged[p];
#else
  for (uint i = 0; i < WIDTH; ++i) pack.part[0][i] = staged[p * WIDTH + i];
#endif
  return pack;
}
