// Does nothing for a known time, on a GPU whose clock counts nanoseconds.
//
// What it shows   Whether a measured time is true.
// Access pattern  One invocation; three small buffers, read and written once.
// Expected limit  None: it ends when its duration is over, prolonged by STRETCH thousandths.
//
// Which clock is true: the device's clock counts nanoseconds at a fixed rate, but may step by as much as a
// microsecond; the cycle counter steps finely, but its rate is that of the compute unit. So the clock's edges tell the
// rate, and cycles tell the time since the kernel began.
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
#include "kernel.glsl"

IN(0, uint, token);
OUT(1, uint, echo);
OUT(2, uint64_t, counted);
layout(push_constant) uniform Scalars { int duration_ns; };

void spin_clock() {
  const uint64_t entered = clockARB();
  const uint64_t wanted = uint64_t(duration_ns) * (1000 + STRETCH) / 1000;
  uint64_t cycles = 0;
  uint64_t edge_cycles = 0;
  uint64_t edge_ns = 0;
  if (wanted > 0) {
    const uint64_t before = clockRealtimeEXT();
    uint64_t first = before;
    while (first == before) first = clockRealtimeEXT();
    const uint64_t first_cycles = clockARB();
    uint64_t last = first;
    // cycles * edge_ns / edge_cycles is the time so far; both products stay below 2^63 for two seconds.
    do {
      const uint64_t now = clockRealtimeEXT();
      if (now != last) {
        edge_cycles = clockARB() - first_cycles;
        edge_ns = now - first;
        last = now;
      }
      cycles = clockARB() - entered;
    } while (edge_ns == 0 || cycles * edge_ns < wanted * edge_cycles);
  }
  echo[0] = token[0] + uint(duration_ns);
  counted[0] = cycles;
  counted[1] = edge_cycles;
  counted[2] = edge_ns;
}
