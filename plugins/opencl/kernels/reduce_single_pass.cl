// A reduction in one launch: the group that finishes last joins the values of all groups.
//
// What it shows   A launch costs microseconds, so that for small inputs the second one is most of the time. Groups cannot
//                 wait for each other, but they can count: each writes its value, then takes a number (count_up.clh).
//                 Whoever draws the last one knows that all values are there. It reads them in the order of the groups,
//                 whichever group it is: the result does not change from run to run. It also sets the count back to
//                 zero: no second operation has to.
// Access pattern  Packs of 16 bytes are dealt out item by item over the whole device, UNROLL of them in flight per
//                 work-item; what does not fill a pack goes to the first ones. One atomic operation per group.
// Expected limit  Memory bandwidth for large inputs; one launch for small ones.
//
// REAL is the element type, OP_IS_… the operation, WIDTH · sizeof(REAL) 16 bytes, BLOCK the number of work-items of a
// group, GRID that of groups. `finished` is zero before and after.
#include "count_up.clh"
#include "reduce_packs.clh"

// One accumulator per load in flight, so that no addition waits for the one before it; a norm's has three sums already.
#if OP_IS_NORM
#define ACCUMULATORS 1
#else
#define ACCUMULATORS UNROLL
#endif

// Joins one value per work-item in two steps, some sixteen values after each other in each of them: two barriers, where
// a tree has one for each of its levels. Roots of norms are too slow for that. The first work-item gets the result.
static REAL join_values(__local REAL* shared, REAL value) {
#if OP_IS_NORM
  return group_tree(shared, value);
#else
  const uint t = get_local_id(0);
  const uint side = BLOCK < 16 ? BLOCK : 16;
  shared[t] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < side) {
    for (uint i = t + side; i < BLOCK; i += side) value = combine(value, shared[i]);
    shared[t] = value;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0) {
    for (uint i = 1; i < side; ++i) value = combine(value, shared[i]);
  }
  return value;
#endif
}

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
  const REAL own = join_values(shared, value_of(&running));
#if GRID == 1  // nobody else to wait for
  if (get_local_id(0) == 0) *result = finish(own, n);
#else
  if (get_local_id(0) == 0) {
    partial[get_group_id(0)] = own;
    is_last = count_up(finished) == GRID - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // The others join values, too, with nothing: not every compiler copes with barriers in a branch.
  start(&running);
  if (is_last) {
    for (uint other = get_local_id(0); other < GRID; other += BLOCK) add(&running, partial[other]);
  }
  const REAL total = join_values(shared, value_of(&running));
  if (is_last && get_local_id(0) == 0) {
    *result = finish(total, n);
    *finished = 0;
  }
#endif
}
