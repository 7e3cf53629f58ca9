// A reduction in one launch: the group that finishes last joins the values of all groups.
//
// What it shows   A launch costs microseconds, so that for small inputs the second one is most of the time. Groups cannot
//                 wait for each other, but they can count: each writes its value, then takes a number (count_up.clh).
//                 Whoever draws the last one knows that all values are there. It reads them in the order of the groups,
//                 whichever group it is: the result does not change from run to run. It also sets the count back to
//                 zero: no second operation has to.
// Access pattern  Packs of 16 bytes, UNROLL of them in flight per work-item: dealt out item by item over the whole device,
//                 or NEAR in one piece per group, which memory likes better, but leaves some groups without where there
//                 are few. What does not fill a pack goes to the first items. One atomic operation per group.
// Expected limit  Memory bandwidth for large inputs; one launch for small ones.
//
// REAL is the element type, OP_IS_… the operation, WIDTH · sizeof(REAL) 16 bytes, BLOCK the number of work-items of a
// group, GRID that of groups. `finished` is zero before and after.
#include "count_up.clh"
#include "numbers.clh"
#include "reduce_packs.clh"

// One accumulator per load in flight, so that no addition waits for the one before it; a norm's has three sums already.
#if OP_IS_NORM
#define ACCUMULATORS 1
#else
#define ACCUMULATORS UNROLL
#endif

// Joins one value per work-item; the first one gets the result.
#if BLOCK % 32 == 0 && (defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll))
// On NVIDIA's GPUs by shuffles between the registers of a warp, which OpenCL 1.2 has not: in PTX.
static uint word_from_above(uint word, uint distance) {
  uint from;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=r"(from) : "r"(word), "r"(distance));
  return from;
}

static REAL from_lane_above(REAL value, uint distance) {
#if USE_FP64
  const uint2 words = as_uint2(value);
  return as_double((uint2)(word_from_above(words.x, distance), word_from_above(words.y, distance)));
#else
  return as_float(word_from_above(as_uint(value), distance));
#endif
}

static REAL join_values(__local REAL* shared, REAL value) {
  const uint warps = BLOCK / 32;
  const uint lane = item_number() % 32;
  const uint warp = item_number() / 32;
#pragma unroll
  for (uint distance = 16; distance > 0; distance /= 2) value = combine(value, from_lane_above(value, distance));
  if (lane == 0) shared[warp] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (warp == 0) {
    value = lane < warps ? shared[lane] : IDENTITY;
#pragma unroll
    for (uint distance = 16; distance > 0; distance /= 2) {
      if (distance < warps) value = combine(value, from_lane_above(value, distance));
    }
  }
  return value;
}
#elif OP_IS_NORM
static REAL join_values(__local REAL* shared, REAL value) { return group_tree(shared, value); }
#else
// Elsewhere in two steps, some sixteen values after each other in each of them: two barriers, where a tree has one for each
// of its levels. Roots of norms are too slow for that.
static REAL join_values(__local REAL* shared, REAL value) {
  const uint t = item_number();
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
}
#endif

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void reduce_single_pass(__global const REAL* restrict x, __global const REAL* restrict y,
                        volatile __global REAL* partial, volatile __global uint* finished,
                        __global REAL* restrict result, const int n) {
  __local REAL shared[BLOCK];
  __local bool is_last;
  __global const PACK* x_packs = (__global const PACK*)x;
  __global const PACK* y_packs = (__global const PACK*)y;
  const uint packs = (uint)n / WIDTH;
  const uint items = GRID * BLOCK;
  const uint item = group_number(0) * BLOCK + item_number();

  Packs wide[ACCUMULATORS];
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) start_packs(&wide[a]);
  const uint apart = NEAR ? BLOCK : items;  // the packs of a round
  size_t i = NEAR ? group_number(0) * (BLOCK * UNROLL) + item_number() : item;
#pragma unroll 1
  for (; i + (UNROLL - 1) * apart < packs; i += UNROLL * items) {
    PACK loaded[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) loaded[u] = pack(x_packs, y_packs, i + u * apart);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) add_pack(&wide[u % ACCUMULATORS], loaded[u]);
  }
  // The last round, not full: its loads are in flight together, too; so products are formed after all of them.
  PACK a[UNROLL];
  PACK b[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL - 1; ++u) {
    if (i + u * apart < packs) {
      a[u] = x_packs[i + u * apart];
#if OP_IS_DOT
      b[u] = y_packs[i + u * apart];
#endif
    }
  }
#pragma unroll
  for (int u = 0; u < UNROLL - 1; ++u) {
    if (i + u * apart < packs) add_pack(&wide[u % ACCUMULATORS], OP_IS_DOT ? a[u] * b[u] : a[u]);
  }

  Running running;
  start(&running);
#if !OP_IS_NORM
#pragma unroll
  for (int other = 1; other < ACCUMULATORS; ++other) add_pack(&wide[0], wide[other].value);
#endif
  add_lanes(&running, &wide[0]);
  const uint rest = packs * WIDTH + item;
  if (rest < (uint)n) add(&running, element(x, y, rest));
  const REAL own = join_values(shared, value_of(&running));
#if GRID == 1  // nobody else to wait for
  if (item_number() == 0) *result = finish(own, n);
#else
  if (item_number() == 0) {
    partial[group_number(0)] = own;
    is_last = count_up(finished) == GRID - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // The others join values, too, with nothing: not every compiler copes with barriers in a branch.
  start(&running);
  if (is_last) {
    for (uint other = item_number(); other < GRID; other += BLOCK) add(&running, partial[other]);
  }
  const REAL total = join_values(shared, value_of(&running));
  if (is_last && item_number() == 0) {
    *result = finish(total, n);
    *finished = 0;
  }
#endif
}
