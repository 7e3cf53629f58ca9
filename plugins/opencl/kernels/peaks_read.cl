// Reads a buffer: work-group g adds up the words of segment g mod (count of segments), 64 KiB each.
//
// What it shows   How fast data can be read, out of memory or, where there are more groups than segments, again
//                 and again out of a cache. A sum over every word is the least that proves it.
//                 With PERIOD = 2 every other piece of 64 bytes, the first among them, is read and the others are not.
// Access pattern  UNROLL vectors of WIDTH words per work-item in flight, a group's width apart.
// Expected limit  Bandwidth of the memory or cache that holds the buffer. A GPU wants groups of hundreds and 16
//                 bytes per load; a CPU groups of one work-item that walks through its segment in long vectors.
//                 OpenCL knows no way past a first-level cache, so that a GPU's may serve a few of the loads.
//
// BLOCK is the number of work-items of a group, a power of two; PERIOD is 1 or 2, WIDTH at most 16; n counts words of 4 bytes.
#include "peaks_vector.clh"

// Vector number v of those that are read.
#define WHERE(v) ((v) / of_piece * (of_piece * PERIOD) + (v) % of_piece)

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_read(__global const uint* restrict in,
                                                                            __global uint* restrict out,
                                                                            const int n) {
  const uint segment_words = 16384;
  const uint segments = ((uint)n + segment_words - 1) / segment_words;
  const size_t first = (size_t)(get_group_id(0) % segments) * segment_words;
  const uint words = min((size_t)segment_words, n - first);
  const uint of_piece = 16 / WIDTH;     // vectors
  const uint group_words = 16 * PERIOD;  // of which 16 are read
  const uint groups = words / group_words;
  const uint count = groups * of_piece;
  __global const uint* segment = in + first;

  const uint t = get_local_id(0);
  VECTOR(uint) sums[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) sums[u] = 0;
  uint place = t;
  for (; place + (UNROLL - 1) * BLOCK < count; place += UNROLL * BLOCK) {
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) sums[u] += LOAD(uint, WHERE(place + u * BLOCK), segment);
  }
  for (; place < count; place += BLOCK) sums[0] += LOAD(uint, WHERE(place), segment);

  uint sum = 0;
#pragma unroll
  for (int u = 1; u < UNROLL; ++u) sums[0] += sums[u];
  const PARTS(uint) parts = {sums[0]};
  for (int i = 0; i < WIDTH; ++i) sum += parts.of[i];
  // What is left after the last whole group.
  const uint rest = groups * group_words;
  for (uint i = rest + t; i < min(words, rest + 16); i += BLOCK) sum += segment[i];

  __local uint sum_of_item[BLOCK];
  sum_of_item[t] = sum;
  for (uint half_of = BLOCK / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < half_of) sum_of_item[t] += sum_of_item[t + half_of];
  }
  if (t == 0) out[get_group_id(0)] = sum_of_item[0];
}
