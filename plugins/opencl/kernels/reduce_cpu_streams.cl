// A reduction for OpenCL on a CPU: one work-item per group, a stretch of the array for each, one launch.
//
// What it shows   A CPU wants few groups: each is a loop on one core with a stream that prefetchers see. One will do for
//                 some 100 KB, which it has read before another thread is awake; for more, several per core: threads
//                 begin at different times, and PoCL hands each of two that asks half of what is left. Eight vectors of
//                 sums hide the latency of an addition. A launch costs as much as the reading of 100 KB or more, so the
//                 group that ends last joins the values of all; it reads them in the order of the groups, whichever it
//                 is, and sets the count back to zero for the next time.
// Access pattern  A group reads its stretch from start to end, eight vectors at a time; one of more than 1 MB in four pieces
//                 side by side, but for dot products, since prefetchers follow each by itself. The last group also reads
//                 what fills no vector.
// Arithmetic      Minimum and maximum compare twice: once for the value, once for NaN, which overrides
//                 the result. Squares of floats are added up in double, where none can overflow or vanish.
// Expected limit  Memory bandwidth; in cache, loads.
//
// That a group sees what another wrote before it counted is more than OpenCL 1.2 promises; on a CPU fences see to it.
//
// REAL is the element type, OP_IS_… the operation, WIDTH 4, 8 or 16, GRID the number of groups. `finished` is zero before
// and after. BLOCK is 1.
#include "count_up.clh"
#include "reduce.clh"

#if OP_IS_NORM && !USE_FP64 && defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define IN_DOUBLE 1
#endif

#define PACK JOIN(REAL, WIDTH)

#if OP_IS_NORM && IN_DOUBLE
#define WIDE JOIN(double, WIDTH)
#define ACCUMULATORS 4
#elif OP_IS_NORM
#define WIDE PACK
#define ACCUMULATORS 2
#else
#define WIDE PACK
#define ACCUMULATORS 8
#endif

// What a comparison of two vectors gives.
#if USE_FP64
#define MASK JOIN(long, WIDTH)
#else
#define MASK JOIN(int, WIDTH)
#endif

#if OP_IS_NORM && !IN_DOUBLE
typedef struct {
  PACK small;
  PACK ordinary;
  PACK large;
} Packs;

static void start_packs(Packs* packs) { packs->small = packs->ordinary = packs->large = (PACK)0; }

static void add_pack(Packs* packs, PACK element) {
  const PACK x = fabs(element);
  packs->large += x > (PACK)LARGE ? (x * DOWN) * (x * DOWN) : (PACK)0;
  packs->small += x < (PACK)SMALL ? (x * UP) * (x * UP) : (PACK)0;
  packs->ordinary += x > (PACK)LARGE || x < (PACK)SMALL ? (PACK)0 : x * x;
}
#else
typedef struct {
  WIDE value;
} Packs;

static void start_packs(Packs* packs) { packs->value = (WIDE)IDENTITY; }

#if OP_IS_NORM
static void add_pack(Packs* packs, PACK element) {
  const WIDE x = JOIN(convert_double, WIDTH)(element);
  packs->value = fma(x, x, packs->value);
}
#endif
#endif

#if OP_IS_MIN
#define JOINED(a, b) ((a) < (b) ? (a) : (b))
#elif OP_IS_MAX
#define JOINED(a, b) ((a) > (b) ? (a) : (b))
#else
#define JOINED(a, b) ((a) + (b))
#endif

#if OP_IS_NORM && IN_DOUBLE
#define LANE double
#else
#define LANE REAL
#endif

// The lanes of a vector, joined in halves: one after the other, by way of memory, they take as long as two kilobytes.
static LANE join_lanes(WIDE v) {
#if WIDTH == 16
  const JOIN(LANE, 8) eight = JOINED(v.lo, v.hi);
#elif WIDTH == 8
  const WIDE eight = v;
#endif
#if WIDTH >= 8
  const JOIN(LANE, 4) four = JOINED(eight.lo, eight.hi);
#else
  const WIDE four = v;
#endif
  const JOIN(LANE, 2) two = JOINED(four.lo, four.hi);
  return JOINED(two.lo, two.hi);
}

// Pack number `at` joins accumulator a. Minimum and maximum take two that follow each other, and one comparison finds NaN
// in either.
#if OP_IS_MIN || OP_IS_MAX
#define AT_ONCE 2
#define STEP(a, at)                                  \
  do {                                               \
    const PACK p = x[at];                            \
    const PACK q = x[(at) + 1];                      \
    wide[a].value = JOINED(p, wide[a].value);        \
    wide[a + 1].value = JOINED(q, wide[a + 1].value); \
    odd |= (p != p) | (q != q);                      \
  } while (0)
#else
#define AT_ONCE 1
#if OP_IS_NORM
#define STEP(a, at) add_pack(&wide[a], x[at])
#elif OP_IS_DOT
#define STEP(a, at) wide[a].value = fma(x[at], y[at], wide[a].value)
#else
#define STEP(a, at) wide[a].value += x[at]
#endif
#endif

// Pieces of a stretch of more than 1 MB that are read side by side, and accumulators of each. The two operands of a dot
// product are two already; more gain nothing.
#define PIECES 4
#define SIDE_BY_SIDE (!OP_IS_DOT && ACCUMULATORS >= PIECES)
#define OF_PIECE (ACCUMULATORS / PIECES)
#define SIDE_BY_SIDE_FROM (1048576 / sizeof(PACK))

// The value of packs [begin, end) and of elements [rest, n).
static REAL stretch(__global const PACK* x, __global const PACK* y, size_t begin, size_t end,
                    __global const REAL* x_rest, __global const REAL* y_rest, size_t rest, size_t n) {
  Packs wide[ACCUMULATORS];
#pragma unroll
  for (int a = 0; a < ACCUMULATORS; ++a) start_packs(&wide[a]);
#if OP_IS_MIN || OP_IS_MAX
  MASK odd = (MASK)0;
#endif
  size_t i = begin;
#if SIDE_BY_SIDE
  const size_t piece = end - begin > SIDE_BY_SIDE_FROM ? (end - begin) / ACCUMULATORS * OF_PIECE : 0;
  for (; i < begin + piece; i += OF_PIECE) {
#pragma unroll
    for (int a = 0; a < ACCUMULATORS; a += AT_ONCE) STEP(a, i + a / OF_PIECE * piece + a % OF_PIECE);
  }
  i = begin + PIECES * piece;
#endif
  for (; i + ACCUMULATORS <= end; i += ACCUMULATORS) {
#pragma unroll
    for (int a = 0; a < ACCUMULATORS; a += AT_ONCE) STEP(a, i + a);
  }
#if OP_IS_MIN || OP_IS_MAX
  for (; i < end; ++i) {
    const PACK p = x[i];
    wide[0].value = JOINED(p, wide[0].value);
    odd |= p != p;
  }
#else
  for (; i < end; ++i) STEP(0, i);
#endif

  Running running;
  start(&running);
#if OP_IS_NORM && IN_DOUBLE
  double squares = join_lanes((wide[0].value + wide[1].value) + (wide[2].value + wide[3].value));
  for (; rest < n; ++rest) squares = fma((double)x_rest[rest], (double)x_rest[rest], squares);
  return (REAL)sqrt(squares);
#else
#if OP_IS_NORM
  running.small = join_lanes(wide[0].small + wide[1].small);
  running.ordinary = join_lanes(wide[0].ordinary + wide[1].ordinary);
  running.large = join_lanes(wide[0].large + wide[1].large);
#else
#pragma unroll
  for (int a = 0; a < 4; ++a) wide[a].value = JOINED(wide[a + 4].value, wide[a].value);
#pragma unroll
  for (int a = 0; a < 2; ++a) wide[a].value = JOINED(wide[a + 2].value, wide[a].value);
  running.value = join_lanes(JOINED(wide[1].value, wide[0].value));
#endif
#if OP_IS_MIN || OP_IS_MAX
  if (any(odd)) running.value = (REAL)NAN;
#endif
  for (; rest < n; ++rest) add(&running, element(x_rest, y_rest, rest));
  return value_of(&running);
#endif
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void reduce_cpu_streams(__global const REAL* restrict x, __global const REAL* restrict y,
                        volatile __global REAL* partial, volatile __global uint* finished,
                        __global REAL* restrict result, const int n) {
  const size_t count = (size_t)n;
  const size_t packs = count / WIDTH;
  const size_t share = (packs / ACCUMULATORS + GRID - 1) / GRID * ACCUMULATORS;
  const size_t group = get_group_id(0);
  const bool is_end = group == GRID - 1;
  const size_t begin = min(packs, group * share);
  const size_t end = is_end ? packs : min(packs, begin + share);
  const REAL own = stretch((__global const PACK*)x, (__global const PACK*)y, begin, end, x, y,
                           is_end ? packs * WIDTH : count, count);
  if (GRID == 1) {  // nobody else to wait for
    *result = finish(own, n);
    return;
  }
  partial[group] = own;
  if (count_up(finished) != GRID - 1) return;
  *finished = 0;
  REAL total = partial[0];
  for (size_t i = 1; i < GRID; ++i) total = combine(total, partial[i]);
  *result = finish(total, n);
}
