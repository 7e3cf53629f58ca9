// Adds one to a word: the smallest kernel whose run can be seen.
//
// What it shows   What it costs to start a kernel and to hear that it has ended (basis "host_sync").
// Access pattern  One invocation, one load, one store.
// Expected limit  The driver: some microseconds.
#include "kernel.glsl"

IN(0, uint, source);
OUT(1, uint, target);

void peaks_launch() { target[0] = source[0] + 1; }
