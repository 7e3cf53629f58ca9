// Sums over a small table in global memory: what constant memory is compared with.
//
// What it shows   Loads through a data cache do not care whether neighbours read one address or 32 of a run: both are one
//                 request.
// Access pattern  Each work-item goes through all 256 entries, over and over. LANE_SHIFT 0: 32 neighbours are at the same
//                 entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The load units: one request per step, the table stays in the cache.
#define ENTRIES 256

__kernel void constant_broadcast_global(__global const uint* restrict table, __global const uint* restrict key,
                                       __global uint* restrict out, const int n, const int rounds) {
  const size_t i = get_global_id(0);
  if (i >= n) return;
  const uint mine = key[i];
  const uint first = i / 32 + LANE_SHIFT * (i % 32);
  uint sum = 0;
  for (int step = 0; step < rounds * ENTRIES; ++step) {
    sum += table[(first + step) % ENTRIES] ^ mine;
  }
  out[i] = sum;
}
