// The triad c = a + 2 * b: two loads and a store for each multiply-add.
//
// What it shows   The roof of everything that combines two arrays into a third.
// Access pattern  UNROLL vectors of WIDTH elements per work-item and array, a group's width apart.
// Expected limit  Memory bandwidth: twelve bytes for two operations.
//
// BLOCK is the number of work-items of a group; n counts elements.
#include "peaks_vector.clh"

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_triad(__global const float* restrict a,
                                                                             __global const float* restrict b,
                                                                             __global float* restrict c,
                                                                             const int n) {
  const size_t begin = get_group_id(0) * (BLOCK * UNROLL) + get_local_id(0);
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const size_t place = begin + u * BLOCK;
    if ((place + 1) * WIDTH <= n) {
      STORE(float, LOAD(float, place, a) + 2 * LOAD(float, place, b), place, c);
    } else {
      for (size_t i = place * WIDTH; i < n; ++i) c[i] = a[i] + 2 * b[i];
    }
  }
}
