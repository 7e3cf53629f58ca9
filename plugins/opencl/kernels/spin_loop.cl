// Takes a number of dependent steps that is proportional to a duration.
//
// What it shows   Whether measured times are proportional to work, where kernels have no clock to read.
// Access pattern  One work-item; small buffers, read and written once.
// Expected limit  The latency of a multiplication and an addition. STEPS_PER_US of them stand for a
//                 microsecond; STRETCH thousandths are added.
kernel void spin_loop(global const uint* restrict token, global uint* restrict echo,
                      global uint* restrict sink, int duration_ns) {
  const ulong steps = (ulong)duration_ns * STEPS_PER_US / 1000 * (1000 + STRETCH) / 1000;
  uint x = token[0];
  for (ulong step = 0; step < steps; ++step) x = x * 1664525u + 1013904223u;
  sink[0] = x;
  echo[0] = token[0] + (uint)duration_ns;
}
