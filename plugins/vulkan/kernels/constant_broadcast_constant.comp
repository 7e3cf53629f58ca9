// Sums over a small table in a uniform block, which is Vulkan's constant memory.
//
// What it shows   Caches of constants are made for one address at a time: neighbours that read the same one are served at
//                 once, where they read 32 different ones they are served 32 times.
// Access pattern  Each invocation goes through all 256 entries, over and over. LANE_SHIFT 0: 32 neighbours are at the same
//                 entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The cache of constants, which holds the table: one address per step.
//
// A uniform block has arrays of 16-byte elements: four entries each.
#include "kernel.glsl"

#define ENTRIES 256

layout(std140, binding = 0) uniform table_block { uvec4 table[ENTRIES / 4]; };
IN(1, uint, key);
OUT(2, uint, target);
layout(push_constant) uniform Scalars { int n; int rounds; };

void constant_broadcast_constant() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const uint mine = key[i];
  const uint first = i / 32 + LANE_SHIFT * (i % 32);
  uint sum = 0;
  for (uint at = 0; at < rounds * ENTRIES; ++at) {
    const uint entry = (first + at) % ENTRIES;
    sum += table[entry / 4][entry % 4] ^ mine;
  }
  target[i] = sum;
}
