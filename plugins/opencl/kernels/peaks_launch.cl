// Adds one to a word: the smallest kernel whose run can be seen.
//
// What it shows   What it costs to start a kernel and to hear that it has ended (basis "host_sync").
// Access pattern  One work-item, one load, one store.
// Expected limit  The driver: some microseconds.
__kernel void peaks_launch(__global const uint* restrict in, __global uint* restrict out) { out[0] = in[0] + 1; }
