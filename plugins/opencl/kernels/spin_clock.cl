// Does nothing for a known time, on a GPU whose clocks PTX can read.
//
// What it shows   Whether a measured time is true.
// Access pattern  One work-item; three small buffers, read and written once.
// Expected limit  None: it ends when its duration is over, prolonged by STRETCH thousandths.
//
// Which clock is true: the global timer counts nanoseconds at a fixed rate, but may step by as much as a
// microsecond; the cycle counter steps finely, but its rate is that of the multiprocessor. So the timer's
// edges tell the rate, and cycles tell the time since the kernel began.
long timer_ns(void) {
  long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

long cycle_count(void) {
  long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
  return now;
}

kernel void spin_clock(global const uint* restrict token, global uint* restrict echo,
                       global long* restrict clock, int duration_ns) {
  const long entered = cycle_count();
  const long wanted = (long)duration_ns * (1000 + STRETCH) / 1000;
  long cycles = 0;
  long edge_cycles = 0;
  long edge_ns = 0;
  if (wanted > 0) {
    const long before = timer_ns();
    long first = before;
    while (first == before) first = timer_ns();
    const long first_cycles = cycle_count();
    long last = first;
    // cycles * edge_ns / edge_cycles is the time so far; both products stay below 2^63 for two seconds.
    do {
      const long now = timer_ns();
      if (now != last) {
        edge_cycles = cycle_count() - first_cycles;
        edge_ns = now - first;
        last = now;
      }
      cycles = cycle_count() - entered;
    } while (edge_ns == 0 || cycles * edge_ns < wanted * edge_cycles);
  }
  echo[0] = token[0] + (uint)duration_ns;
  clock[0] = cycles;
  clock[1] = edge_cycles;
  clock[2] = edge_ns;
}
