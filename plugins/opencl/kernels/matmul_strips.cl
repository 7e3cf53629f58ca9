// Products of which C is small beside A or B: C (m×n) = A (m×k) · B (k×n), row-major, floats. Few columns, or few of both and
// long sums.
//
// What it shows   Such a product has too few tiles for all compute units, and too little arithmetic per byte to hide the
//                 reading. So a tile spans the columns of C, up to 64 of them, and its sums are shared out: WARPS_K warps
//                 (32 neighbouring work-items) of a group each take a part of every slab of k, SPLITS groups each a part of all
//                 slabs. A work-item has THREAD_M×THREAD_N sums. STAGES slabs of DEPTH steps are in local memory or on their way
//                 there by cp.async (ASYNC), which is what memory needs to be busy: 20 to 70 KB of a compute unit.
// Access pattern  A's slab keeps its order, k along rows, and is copied 16 bytes at a time; a work-item reads four steps of
//                 a row at once. Eight rows side by side are in different banks by a padding of four floats. B's slab
//                 keeps its order, too; a work-item reads four columns of a step at once. Copies of the next slab are spread
//                 over the multiplications, four steps of k apart.
// Odd rows        (SHIFTED) Where k is not a multiple of four, rows of A begin anywhere, and copies of 16 bytes do not. So a row's
//                 slab begins with the 16 bytes that its first step lies in, up to three steps early, and it is multiplied
//                 with rows of B as much earlier. All lanes run the same loop; each begins at its own row of B, and four rows
//                 of B are in different banks. That costs three more rows of B per slab and nothing per step.
// Arithmetic      2·m·n·k operations. Per four steps of k a work-item issues 4·THREAD_M·THREAD_N multiply-adds and THREAD_M +
//                 THREAD_N loads of 16 bytes: 256 to 16 for 8×8, 128 to 12 for 4×8. Memory gives 4·m·k bytes: n/2
//                 operations per byte.
// Expected limit  Memory up to 32 columns: 4096 × 16 × 4096 on an H100 takes 31 µs, 4096 × 32 × 4096 36 µs, where 64 MB
//                 take 25. With more columns the issue of instructions. From launch to launch pass 1 to 1.5 µs, which CUDA's
//                 graphs save: the same kernels take as long there without a graph.
//
// Groups that share a tile leave their sums in `partial`. The last of each GROUP of them adds up their parts, and the last of
// those all, in the order of the parts: the result does not change from run to run, and no group reads more than some dozen
// parts. `finished` counts them; it is zero before and after. PACKED: n is a multiple of four. ONE_STRIP: it is no more than a
// tile's columns. A and B begin at multiples of 16 bytes. Nothing outside the matrices is read: rows beyond the edge are not
// copied, and their results not stored.
//
// Without ASYNC it is OpenCL alone, and nothing is under way while a slab is multiplied.
#define INLINE __attribute__((always_inline))  // where PoCL 3.1 does not inline, all groups share local memory
#include "numbers.clh"
#include "strips_shape.clh"
#include "strips_copies.clh"
#include "strips_results.clh"

// What one work-item reads of a slab: where it begins.
typedef struct {
  __local const float* a;
  __local const float* b;
  __local const float* b_pair;  // columns that are not four
} Operands;

static INLINE Operands find_operands(__local const float* stage, const Place* place, int k) {
  Operands from;
  from.a = stage + (place->along_m * WARP_M + place->lane_m) * A_PITCH + place->along_k * WARP_DEPTH;
  const int step = place->along_k * WARP_DEPTH + BEFORE - shift_of_row(place->lane_m, k);
  __local const float* row = stage + A_FLOATS + step * B_PITCH;
  from.b = row + place->lane_n * 4;
  from.b_pair = row + QUADS_N * LANES_N * 4 + place->lane_n * 2;
  return from;
}

static INLINE void load_quad(float* to, __local const float* from) { vstore4(*(__local const float4*)from, 0, to); }

// A work-item's part of B's row number `step` of a slab.
static INLINE void load_step(float* to, const Operands* from, int step) {
#pragma unroll
  for (int q = 0; q < QUADS_N; ++q) load_quad(to + q * 4, from->b + step * B_PITCH + q * LANES_N * 4);
#if HAS_PAIR
  vstore2(*(__local const float2*)(from->b_pair + step * B_PITCH), THREAD_N / 2 - 1, to);
#endif
}

typedef struct {
  float at[THREAD_M][4];
} QuadsOfA;

static INLINE void multiply_quad(Sums* sums, const QuadsOfA* a, const Operands* from, int quad) {
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    float b[THREAD_N];
    load_step(b, from, quad * 4 + step);
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) {
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
        const int row = j % 2 == 0 ? i : THREAD_M - 1 - i;
        sums->at[row][j] = fma(a->at[row][step], b[j], sums->at[row][j]);
      }
    }
  }
}

// The slab that `from` points to. Meanwhile the next slab that is to be copied, if there is one more, goes to `stage`.
static INLINE void multiply_slab(Sums* sums, const Operands* from, Copier* copier, Target stage, bool more) {
#pragma unroll
  for (int quad = 0; quad < QUADS; ++quad) {
    QuadsOfA a;
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) load_quad(a.at[i], from->a + i * LANES_M * A_PITCH + quad * 4);
    if (more) copy_portion(copier, stage, quad);
    multiply_quad(sums, &a, from, quad);
  }
}

// Adds up slabs number `begin` to before `end` of k. The last one comes first: only the two that the loop does not copy may
// end, or begin, outside of the matrices.
static INLINE void multiply_slabs(Sums* sums, Copier* copier, __local float* stages, const Place* place, int begin,
                                  int end, int k, __global const float* A, __global const float* B) {
  const int slabs = end - begin;
  const Target first = TARGET_OF(stages);
  move_on(copier, end - 1);
#pragma unroll
  for (int slab = 0; slab < STAGES - 1; ++slab) {
    const int number = slab == 0 ? end - 1 : begin + slab - 1;
    if (slab < slabs) copy_edge(copier, TARGET(first, slab * STAGE_FLOATS), number, A, B);
    if (slab == 0) move_on(copier, -slabs);
    COMMIT();
  }
  const Operands of_first = find_operands(stages, place, k);
  const int begins_before = !SHIFTED || begin > 0 ? -1 : slabs > 1 ? 1 : 0;
  int stage = 0;
  int free = STAGES - 1;  // the stage that the next slab is copied to
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
    WAIT_FOR_NEXT();
    barrier(CLK_LOCAL_MEM_FENCE);  // the slab is complete for all, and nobody reads the one before any more
    if (SHIFTED && slab == begins_before) {
      clear_before(stages + stage * STAGE_FLOATS, k);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int left = slabs - slab - STAGES;  // to copy, after the next one
    if (SHIFTED && left == 0) copy_edge(copier, TARGET(first, free * STAGE_FLOATS), end - 2, A, B);
    // Moved before what is constant is added, which so stays in the instructions.
    Operands operands = of_first;
    operands.a += stage * STAGE_FLOATS;
    operands.b += stage * STAGE_FLOATS;
    operands.b_pair += stage * STAGE_FLOATS;
    multiply_slab(sums, &operands, copier, TARGET(first, free * STAGE_FLOATS), left >= BEFORE / 3);
    COMMIT();
    free = stage;
    stage = stage + 1 == STAGES ? 0 : stage + 1;
  }
  WAIT_FOR_ALL_BUT(0);
}

// With the size of a group NVIDIA's compiler overlooks the limit of registers.
#ifdef REGISTERS_LIMITED
#define GROUP_SIZE
#else
#define GROUP_SIZE __attribute__((reqd_work_group_size(THREADS, 1, 1)))
#endif

__kernel GROUP_SIZE
void matmul_strips(__global const float* restrict A, __global const float* restrict B, __global float* restrict C,
                   LEFT float4* partial, volatile __global uint* finished, const int m, const int n,
                   const int k) {
  __local float all_stages[STAGES * STAGE_FLOATS] __attribute__((aligned(16)));
#if ASYNC
  // The same address, but one that the compiler does not know and so keeps in a register. It would find it anew for each slab,
  // with an instruction that takes long.
  __local float* const stages = (__local float*)(size_t)kept((uint)(size_t)all_stages);
#else
  __local float* const stages = all_stages;
  // What is beyond the edge is multiplied, too, though not stored.
  for (int i = (int)item_of_group(); i < STAGES * STAGE_FLOATS; i += THREADS) stages[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  const Place place = place_of_item();
  const uint tile = group_number(0);
  const uint tiles_n = ONE_STRIP ? 1 : (uint)(n - 1) / TILE_N + 1;  // a division takes as long as some dozen instructions
  const uint strip = tile / tiles_n;
  Results to;
  to.C = C;
  to.first_row = (int)(strip * TILE_M);
  to.first_column = (int)((tile - strip * tiles_n) * TILE_N);
  to.m = m;
  to.n = n;
  const uint slabs = ((uint)k + BEFORE - 1) / DEPTH + 1;
  const uint split = group_number(1);
  Sums sums;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }
  Copier copier;
  find_sources(&copier, A, B, to.first_row, to.first_column, m, n, k);
  multiply_slabs(&sums, &copier, stages, &place, (int)((size_t)slabs * split / SPLITS),
                 (int)((size_t)slabs * (split + 1) / SPLITS), k, A, B);
#if SPLITS > 1
  LEFT float4* parts = partial + (size_t)tile * SPLITS * TILE_QUADS;
  to.part = parts + (size_t)split * TILE_QUADS;
#endif
  join_warps(&sums, stages, &place, &to);
#if SPLITS > 1
  join_parts(parts, finished + (size_t)tile * (GROUPS + 1), (__local uint*)stages, &to);
#endif
}
