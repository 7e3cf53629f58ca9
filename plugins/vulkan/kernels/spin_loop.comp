// Takes a number of dependent steps that is proportional to a duration.
//
// What it shows   Whether measured times are proportional to work, where kernels have no clock to read.
// Access pattern  One invocation; small buffers, read and written once.
// Expected limit  The latency of a multiplication and an addition. STEPS_PER_US of them stand for a microsecond; STRETCH
//                 thousandths are added.
#include "kernel.glsl"

IN(0, uint, token);
OUT(1, uint, echo);
OUT(2, uint, sink);
layout(push_constant) uniform Scalars { int duration_ns; };

// duration · STEPS_PER_US / 1000 · (1000 + STRETCH) / 1000, in 32 bits: by microseconds and what is left of them.
uint steps_of(uint duration) {
  const uint steps = duration / 1000 * STEPS_PER_US + duration % 1000 * STEPS_PER_US / 1000;
  return steps + steps / 1000 * STRETCH + steps % 1000 * STRETCH / 1000;
}

void spin_loop() {
  const uint steps = steps_of(uint(duration_ns));
  uint x = token[0];
  for (uint i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  sink[0] = x;
  echo[0] = token[0] + uint(duration_ns);
}
