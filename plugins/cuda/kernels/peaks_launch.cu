// Adds one to a word: the smallest kernel whose run can be seen.
//
// What it shows   What it costs to start a kernel and to hear that it has ended (basis "host_sync"), and how short a
//                 kernel can be at all (basis "device").
// Access pattern  One thread, one load, one store.
// Expected limit  The driver and the bus: a few microseconds.
extern "C" __global__ void peaks_launch(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  out[0] = in[0] + 1;
}
