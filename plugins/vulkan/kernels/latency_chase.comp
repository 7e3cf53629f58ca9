// Follows a chain: each load tells where the next one goes.
//
// What it shows   The latency of that level of memory which holds the working set: nothing can be done meanwhile.
// Access pattern  One invocation; nodes at random, a cache line or more apart, each holding the index of the next.
// Expected limit  Latency alone.
#include "kernel.glsl"

IN(0, uint, chain);
OUT(1, uint, end);
layout(push_constant) uniform Scalars { int steps; };

void latency_chase() {
  uint place = 0;
  for (int i = 0; i < steps; ++i) place = chain[place];
  end[0] = place;
}
