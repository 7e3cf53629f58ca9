// Keeps a GPU busy with one work-item for a number of steps, while the host queues what is to be measured.
//
// Work     A chain of integer operations, each of which needs the one before; none can be left out, since
//          the result is stored. 5.4 ns a step on an H200.
// Memory   One word, read once and written once, so that no cache is emptied by it.
__kernel void hold(__global uint* word, uint steps) {
  uint value = *word;
  for (uint i = 0; i < steps; ++i) value = (value * 1664525u + 1013904223u) ^ (value >> 3);
  *word = value;
}
