// Follows a chain: each load tells where the next one goes.
//
// What it shows   The latency of that level of memory which holds the working set: nothing can be done meanwhile.
// Access pattern  One thread; nodes at random, a cache line or more apart, each holding the index of the next.
// Expected limit  Latency alone. The counted cycles hold one address calculation per load.
//
// LOAD is the cache operator: ca through the first-level cache, cg past it.
#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)

extern "C" __global__ void latency_chase(const unsigned* __restrict__ chain, unsigned* __restrict__ end,
                                         unsigned* __restrict__ cycles, int steps) {
  unsigned place = 0;
  const long long start = clock64();
  for (int step = 0; step < steps; ++step) {
    asm volatile("ld.global." TEXT(LOAD) ".u32 %0, [%1];" : "=r"(place) : "l"(chain + place));
  }
  const long long stop = clock64();
  end[0] = place;
  cycles[0] = unsigned(stop - start);
  cycles[1] = unsigned((stop - start) >> 32);
}
