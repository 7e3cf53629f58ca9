// A reduction in one launch: the group that finishes last joins the values of all groups.
//
// What it shows   A launch costs microseconds, so that for small inputs the second one is most of the time. Groups cannot
//                 wait for each other, but they can count: each writes its value, fences, then takes a number. Whoever
//                 draws the last one knows that all values are there. It reads them in the order of the groups,
//                 whichever group it is: the result does not change from run to run. It also sets the count back to
//                 zero: no second operation has to.
// Access pattern  Packs of 16 bytes are dealt out item by item over the whole device, UNROLL of them in flight per
//                 work-item; what does not fill a pack goes to the first ones. One atomic operation per group.
// Expected limit  Memory bandwidth for large inputs; one launch for small ones.
//
// That a group sees what another wrote before it counted is more than OpenCL 1.2 promises: the fence must hold for the
// device, as it does on GPUs.
//
// REAL is the element type, OP_IS_… the operation, WIDTH · sizeof(REAL) 16 bytes, BLOCK the number of work-items of a
// group, GRID that of groups. `finished` is zero before and after.
#include "reduce_packs.clh"

// One accumulator per load in flight, so that no addition waits for the one before it; a norm's has three sums already.
#if OP_IS_NORM
#define ACCUMULATORS 1
#else
#define ACCUMULATORS UNROLL
#endif

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void reduce_single_pass(__global const REAL* restrict x, __global const REAL* restrict y,
                        volatile __global REAL* partial, volatile __global uint* finished,
                        __global REAL* restrict result, const int n) {
  __local REAL shared[BLOCK];
  __local bool is_last;
  __global const PACK* x_packs = (__global const PACK*)x;
  __global const PACK* y_packs = (__global const PACK*)y;
  const size_t packs = (size_t)n / WIDTH;
  const size_t items = (size_t)GRID * BLOCK;
  const size_t item = get_group_id(0) * BLOCK + get_local_id(0);

  Packs wide[ACCUMULATORS];
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) start_packs(&wide[a]);
  size_t i = item;
#pragma unroll 1
  for (; i + (UNROLL - 1) * items < packs; i += UNROLL * items) {
    PACK loaded[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) loaded[u] = pack(x_packs, y_packs, i + u * items);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) add_pack(&wide[u % ACCUMULATORS], loaded[u]);
  }
  // The last round, not full: its loads are in flight together, too.
  PACK loaded[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL - 1; ++u) {
    if (i + u * items < packs) loaded[u] = pack(x_packs, y_packs, i + u * items);
  }
#pragma unroll
  for (int u = 0; u < UNROLL - 1; ++u) {
    if (i + u * items < packs) add_pack(&wide[u % ACCUMULATORS], loaded[u]);
  }

  Running running;
  start(&running);
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) add_lanes(&running, &wide[a]);
  const size_t rest = packs * WIDTH + item;
  if (rest < (size_t)n) add(&running, element(x, y, rest));
  const REAL own = group_tree(shared, value_of(&running));
#if GRID == 1  // nobody else to wait for
  if (get_local_id(0) == 0) *result = finish(own, n);
#else
  if (get_local_id(0) == 0) {
    partial[get_group_id(0)] = own;
    mem_fence(CLK_GLOBAL_MEM_FENCE);  // the value before the number
    is_last = atomic_inc(finished) == GRID - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // The others go through the tree, too, with nothing: not every compiler copes with barriers in a branch.
  start(&running);
  if (is_last) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);  // the number before the others' values
    for (uint other = get_local_id(0); other < GRID; other += BLOCK) add(&running, partial[other]);
  }
  const REAL total = group_tree(shared, value_of(&running));
  if (is_last && get_local_id(0) == 0) {
    *result = finish(total, n);
    *finished = 0;
  }
#endif
}
