// A reduction by explicit vectors: each group takes a part of the array of its own, each work-item packs of WIDTH
// elements of it.
//
// What it shows   What bounds a reduction is how many bytes are on their way. Wide loads, and four of them before the
//                 first is waited for, keep enough of them there: float4 is one load instruction of a GPU, float16 a
//                 vector register of a CPU, where a group of one work-item is one thread with a stream of its own.
// Access pattern  A group reads its part from start to end, in each round BLOCK neighbouring packs: coalesced, and a
//                 stream that a CPU's prefetchers see.
// Expected limit  Memory bandwidth.
//
// REAL is the element type, OP_IS_… the operation, WIDTH 2, 4, 8 or 16, BLOCK the number of work-items of a group,
// GRID that of groups.
#include "reduce_packs.clh"

#define ACCUMULATORS 4

__kernel void reduce_vectorized(__global const REAL* restrict x, __global const REAL* restrict y,
                                __global REAL* restrict partial, const int n) {
  __local REAL shared[BLOCK];
  __global const PACK* x_packs = (__global const PACK*)x;
  __global const PACK* y_packs = (__global const PACK*)y;
  const size_t packs = (size_t)n / WIDTH;
  const size_t share = (packs + GRID - 1) / GRID;
  const size_t end = min(packs, (get_group_id(0) + 1) * share);

  Packs wide[ACCUMULATORS];
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) start_packs(&wide[a]);
  size_t i = get_group_id(0) * share + get_local_id(0);
  for (; i + (ACCUMULATORS - 1) * BLOCK < end; i += ACCUMULATORS * BLOCK) {
#pragma unroll
    for (int a = 0; a < ACCUMULATORS; ++a) add_pack(&wide[a], pack(x_packs, y_packs, i + a * BLOCK));
  }
  for (; i < end; i += BLOCK) add_pack(&wide[0], pack(x_packs, y_packs, i));

  Running running;
  start(&running);
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) add_lanes(&running, &wide[a]);
  // The last group takes what does not fill a pack.
  if (get_group_id(0) == GRID - 1) {
    for (size_t rest = packs * WIDTH + get_local_id(0); rest < n; rest += BLOCK) {
      add(&running, element(x, y, rest));
    }
  }
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) partial[get_group_id(0)] = total;
}

__kernel void reduce_vectorized_finish(__global const REAL* restrict partial, __global REAL* restrict result,
                                       const int n) {
  __local REAL shared[BLOCK];
  Running running;
  start(&running);
  for (size_t i = get_local_id(0); i < GRID; i += BLOCK) add(&running, partial[i]);
  const REAL total = group_tree(shared, value_of(&running));
  if (get_local_id(0) == 0) *result = finish(total, n);
}
