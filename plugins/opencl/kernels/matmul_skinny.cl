// Products with few columns or few rows: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   The larger operand is read once and hardly used again, so that such a product is as fast as memory, if
//                 enough reads are under way. Tiles for large products would be empty for the most part, and too few.
// Few columns     (BY_COLUMNS, skinny_columns.clh) LANES work-items lie along k and read packs of ROWS rows of A; as many
//                 teams of them as a group has lie below one another, so that they share what local memory has of B.
// Few rows        (skinny_rows.clh) LANES work-items lie along a row of B, a pack each; teams take its rows in turns. All read
//                 the same elements of A at once, from local memory.
// Access pattern  The larger operand once, in order, 128 bytes of a row at a time or more, the next packs under way while
//                 these are multiplied; the smaller one once per group, from the second-level cache.
//                 Where rows do not begin at multiples of 16 bytes (PACKED 0), elements come one by one.
// Arithmetic      2·m·n·k operations, n/2 (m/2) of floats per byte of the larger operand. Per pack and row of A a work-item
//                 takes n/ROWS packs from local memory and 4·n multiply-adds; per pack of B m/4 and 4·m.
// Expected limit  Memory. From about 24 columns on the multiply-adds; short ones: the launch, and joining parts.
//
// Nothing but plain OpenCL. Sums of a group are added up through local memory. SPLITS groups share a part of C, each for
// PART steps of k. They leave their sums in `partial`, and the one that ends last adds them up in the order of the parts: the
// result does not change from run to run. `finished` counts them; it is zero before and after. REAL is float or double
// (USE_FP64), WIDTH · sizeof(REAL) 16 bytes. CHUNK steps of the smaller operand are held at a time.
#include "count_up.clh"
#include "packs.clh"

#define TEAMS (ITEMS / LANES)
#define OUTPUT_PACKS ((OUTPUTS + WIDTH - 1) / WIDTH)  // of the sums of a group

// A work-item's place, and what its group computes: part number `group` of C, and of that the steps of k from `begin` to
// before `end`.
typedef struct {
  int item;
  int team;
  int lane;
  int group;
  int begin;
  int end;
} Share;

// Where a group's sums go: to C, or to its place in `partial`.
typedef struct {
  __global REAL* C;
  volatile __global REAL* partial;
  int group;
  int m;
  int n;
} Results;

// Puts the group's sum number `output` of OUTPUTS there.
static void put_sum(const Results* to, int output, REAL value);

#if BY_COLUMNS
#include "skinny_columns.clh"
#else
#include "skinny_rows.clh"
#endif

static void put_sum(const Results* to, int output, REAL value) {
#if SPLITS == 1
  store_output(to, output, value);
#else
  to->partial[output] = value;
#endif
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void matmul_skinny(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict C,
                   volatile __global REAL* partial, volatile __global uint* finished, const int m, const int n,
                   const int k) {
  __local PACK held[(HELD + WIDTH - 1) / WIDTH];
  Share share;
  share.item = (int)get_local_id(0);
#if BY_COLUMNS && LANES == 8 && COLUMNS * WIDTH > 64
  // Items of different teams that read the same from local memory differ in bits 1 and 4 of their numbers: so GPUs with 32
  // banks serve 16 of them at once. (32 columns took 57 us without, 53 with it; fewer, read less often, took a bit longer.)
  const int item = share.item;
  share.team = (item >> 5) * 4 + (item >> 4 & 1) * 2 + (item >> 1 & 1);
  share.lane = (item >> 2 & 3) * 2 + (item & 1);
#else
  share.team = share.item / LANES;
  share.lane = share.item - share.team * LANES;
#endif
  share.group = (int)get_group_id(0);
  share.begin = (int)get_group_id(1) * PART;
  share.end = k - share.begin > PART ? share.begin + PART : k;
  volatile __global REAL* parts = partial + get_group_id(0) * (size_t)(SPLITS * OUTPUT_PACKS * WIDTH);
  Results to;
  to.C = C;
  to.partial = parts + get_group_id(1) * (OUTPUT_PACKS * WIDTH);
  to.group = share.group;
  to.m = m;
  to.n = n;
  compute((__local REAL*)held, A, B, &share, &to, k);
#if SPLITS > 1
  __local uint before;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (share.item == 0) before = count_up(finished + share.group);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (before != SPLITS - 1) return;
  for (int pack = share.item; pack < OUTPUT_PACKS; pack += ITEMS) {
    PACK total = 0;
#pragma unroll 8
    for (int split = 0; split < SPLITS; ++split) {
      total += ((volatile __global const PACK*)parts)[split * OUTPUT_PACKS + pack];
    }
    REAL totals[WIDTH];
    JOIN(vstore, WIDTH)(total, 0, totals);
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
      if (pack * WIDTH + i < OUTPUTS) store_output(&to, pack * WIDTH + i, totals[i]);
    }
  }
  if (share.item == 0) finished[share.group] = 0;
#endif
}
