// Vector addition for OpenCL on a CPU: c = a + b, one work-item per group, a stretch of the arrays for each.
//
// What it shows   A CPU wants few groups: each is a loop on one core, and its three streams are what prefetchers see.
//                 Several per core let threads end together that begin at different times.
//                 Stores past the caches spare the reading of each line of c before it is overwritten, which is a
//                 quarter of what moves; they pay where c would not stay in the caches.
// Access pattern  A group goes through its stretch from start to end, four vectors at a time, loads before stores. The
//                 last one adds what fills no vector.
// Expected limit  Memory bandwidth; in cache, two loads and a store per addition.
//
// REAL is the element type; WIDTH, elements of a vector, is 4, 8 or 16; GRID is the number of groups; STREAM is 1 for
// stores past the caches, where the compiler has them.
#include "packs.clh"
#define PACKS_AT_ONCE 4

#define PUT(value, place) (*(place) = (value))
#define STREAM_END()
#if STREAM && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#undef PUT
#define PUT(value, place) __builtin_nontemporal_store(value, place)
// Such stores keep no order with others: none may be under way when the group is said to be done.
#if __has_builtin(__builtin_ia32_sfence)
#undef STREAM_END
#define STREAM_END() __builtin_ia32_sfence()
#endif
#endif
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void vector_add_cpu_streams(__global const REAL* restrict a, __global const REAL* restrict b,
                            __global REAL* restrict c, const int n) {
  // A buffer begins where the largest vector may.
  __global const PACK* a_packs = (__global const PACK*)a;
  __global const PACK* b_packs = (__global const PACK*)b;
  __global PACK* c_packs = (__global PACK*)c;
  const size_t count = (size_t)n;
  const size_t packs = count / WIDTH;
  const size_t share = (packs / PACKS_AT_ONCE + GRID - 1) / GRID * PACKS_AT_ONCE;
  const size_t begin = get_group_id(0) * share;
  const bool is_last = get_group_id(0) == GRID - 1;
  const size_t end = is_last ? packs : min(packs, begin + share);

  size_t i = begin;
  for (; i + PACKS_AT_ONCE <= end; i += PACKS_AT_ONCE) {
    PACK sum[PACKS_AT_ONCE];
#pragma unroll
    for (int v = 0; v < PACKS_AT_ONCE; ++v) sum[v] = a_packs[i + v] + b_packs[i + v];
#pragma unroll
    for (int v = 0; v < PACKS_AT_ONCE; ++v) PUT(sum[v], &c_packs[i + v]);
  }
  for (; i < end; ++i) PUT(a_packs[i] + b_packs[i], &c_packs[i]);
  STREAM_END();
  if (is_last) {
    for (size_t rest = packs * WIDTH; rest < count; ++rest) c[rest] = a[rest] + b[rest];
  }
}
