// Sums over a small table in global memory: what constant memory is compared with.
//
// What it shows   Loads through a data cache do not care whether neighbours read one address or 32 of a run: both are one
//                 request.
// Access pattern  Each invocation goes through all 256 entries, over and over. LANE_SHIFT 0: 32 neighbours are at the same
//                 entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The load units: one request per step, the table stays in the cache.
#include "kernel.glsl"

#define ENTRIES 256

IN(0, uint, table);
IN(1, uint, key);
OUT(2, uint, target);
layout(push_constant) uniform Scalars { int n; int rounds; };

void constant_broadcast_global() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  const uint mine = key[i];
  const uint first = i / 32 + LANE_SHIFT * (i % 32);
  uint sum = 0;
  for (uint at = 0; at < rounds * ENTRIES; ++at) sum += table[(first + at) % ENTRIES] ^ mine;
  target[i] = sum;
}
