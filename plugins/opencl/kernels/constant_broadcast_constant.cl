// Sums over a small table in constant memory.
//
// What it shows   Constant memory is made for one address at a time: neighbours that read the same one are served at once,
//                 where they read 32 different ones they are served 32 times.
// Access pattern  Each work-item goes through all 256 entries, over and over. LANE_SHIFT 0: 32 neighbours are at the same
//                 entry. LANE_SHIFT 1: each is one entry further than its neighbour.
// Expected limit  The constant cache, which holds the table: one address per step. A CPU has ordinary memory instead.
#define ENTRIES 256

__kernel void constant_broadcast_constant(__constant const uint* restrict table, __global const uint* restrict key,
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
