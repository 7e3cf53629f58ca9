// Does nothing for a known time.
//
// What it shows   Whether a measured time is true.
// Access pattern  One thread; three small buffers, read and written once.
// Expected limit  None: it ends when its duration is over, prolonged by STRETCH thousandths.
//
// Which clock is true: the global timer counts nanoseconds at a fixed rate, but may step by as much as a
// microsecond; the cycle counter steps finely, but its rate is that of the multiprocessor. So the timer's
// edges tell the rate, and cycles tell the time since the kernel began.
typedef long long i64;

__device__ inline i64 timer_ns() {
  i64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

extern "C" __global__ void spin_clock(const unsigned* __restrict__ token, unsigned* __restrict__ echo,
                                      i64* __restrict__ clock, int duration_ns) {
  const i64 entered = clock64();
  const i64 wanted = i64(duration_ns) * (1000 + STRETCH) / 1000;
  i64 cycles = 0;
  i64 edge_cycles = 0;
  i64 edge_ns = 0;
  if (wanted > 0) {
    const i64 before = timer_ns();
    i64 first = before;
    while (first == before) first = timer_ns();
    const i64 first_cycles = clock64();
    i64 last = first;
    // cycles * edge_ns / edge_cycles is the time so far; both products stay below 2^63 for two seconds.
    do {
      const i64 now = timer_ns();
      if (now != last) {
        edge_cycles = clock64() - first_cycles;
        edge_ns = now - first;
        last = now;
      }
      cycles = clock64() - entered;
    } while (edge_ns == 0 || cycles * edge_ns < wanted * edge_cycles);
  }
  echo[0] = token[0] + unsigned(duration_ns);
  clock[0] = cycles;
  clock[1] = edge_cycles;
  clock[2] = edge_ns;
}
