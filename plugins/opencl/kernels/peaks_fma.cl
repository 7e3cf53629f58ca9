// Fused multiply-adds and nothing else: x = x * scale + shift, `rounds` times, in CHAINS vectors per work-item.
//
// What it shows   The arithmetic roof. A multiply-add is finished some cycles after it is issued, so there must be
//                 several independent chains to have one to issue in every cycle.
// Access pattern  A work-item loads the starts of its chains and stores their ends: nothing, next to some thousand
//                 rounds.
// Expected limit  The FMA units. WIDTH = 1 suits a GPU, whose lanes are work-items; a CPU wants whole vectors.
//
// REAL is float or double; BLOCK the work-items of a work-group. The starts repeat after 1024 chains, so that each
// end is known to the bit.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "peaks_vector.clh"

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void peaks_fma(
    __global const REAL* restrict start, __global REAL* restrict out, const int n, const int rounds,
    const REAL scale, const REAL shift) {
  const size_t first = get_group_id(0) * (BLOCK * CHAINS) + get_local_id(0);  // counted in vectors
  VECTOR(REAL) x[CHAINS];
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) x[j] = LOAD(REAL, (first + j * BLOCK) % (1024 / WIDTH), start);

  const VECTOR(REAL) scales = scale;
  const VECTOR(REAL) shifts = shift;
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) x[j] = fma(x[j], scales, shifts);
  }
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) {
    const size_t place = first + j * BLOCK;
    if ((place + 1) * WIDTH <= n) {
      STORE(REAL, x[j], place, out);
    } else {
      const PARTS(REAL) part = {x[j]};
      for (size_t i = place * WIDTH; i < n; ++i) out[i] = part.of[i - place * WIDTH];
    }
  }
}
