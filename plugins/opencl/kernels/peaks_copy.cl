// Copies a buffer: out = in.
//
// What it shows   Reading and writing at the same time: the roof of whatever moves all its data once.
// Access pattern  UNROLL vectors of WIDTH words per work-item, a group's width apart.
// Expected limit  Memory bandwidth.
//
// BLOCK is the number of work-items of a group; n counts words of 4 bytes.
#include "peaks_vector.clh"

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_copy(__global const uint* restrict in,
                                                                            __global uint* restrict out,
                                                                            const int n) {
  const size_t begin = get_group_id(0) * (BLOCK * UNROLL) + get_local_id(0);
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t place = begin + u * BLOCK;
    if ((place + 1) * WIDTH <= n) {
      STORE(uint, LOAD(uint, place, in), place, out);
    } else {
      for (size_t i = place * WIDTH; i < n; ++i) out[i] = in[i];
    }
  }
}
