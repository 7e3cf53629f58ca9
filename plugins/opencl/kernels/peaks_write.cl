// Writes a buffer: word i becomes first + i * step.
//
// What it shows   How fast data can be written.
// Access pattern  UNROLL vectors of WIDTH words per work-item, a group's width apart.
// Expected limit  Memory bandwidth; on a CPU, whose stores read each line before they overwrite it, half of it.
//
// BLOCK is the number of work-items of a group; n counts words of 4 bytes.
#include "peaks_vector.clh"

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_write(__global uint* restrict out,
                                                                             const int n, const uint first,
                                                                             const uint step) {
  const size_t begin = get_group_id(0) * (BLOCK * UNROLL) + get_local_id(0);
  PARTS(uint) ahead;
  for (uint i = 0; i < WIDTH; ++i) ahead.of[i] = i * step;
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t place = begin + u * BLOCK;
    const size_t word = place * WIDTH;
    if (word + WIDTH <= n) {
      STORE(uint, first + (uint)word * step + ahead.v, place, out);
    } else {
      for (size_t i = word; i < n; ++i) out[i] = first + (uint)i * step;
    }
  }
}
