// Follows a chain: each load tells where the next one goes.
//
// What it shows   The latency of that level of memory which holds the working set: nothing can be done meanwhile.
// Access pattern  One work-item; nodes at random, a cache line or more apart, each holding the index of the next.
// Expected limit  Latency alone.
__kernel void latency_chase(__global const uint* restrict chain, __global uint* restrict end, const int steps) {
  uint place = 0;
  for (int step = 0; step < steps; ++step) place = chain[place];
  end[0] = place;
}
