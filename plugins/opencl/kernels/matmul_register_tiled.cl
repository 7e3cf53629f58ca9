// Matrix multiplication at the rate of a GPU's arithmetic units: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   A multiply-add needs two operands, and local memory cannot deliver them as fast as they are used. So a
//                 work-item makes THREAD_M × THREAD_N elements of C in registers: THREAD_M + THREAD_N numbers that it
//                 loads serve THREAD_M · THREAD_N multiply-adds. A work-group makes TILE_M × TILE_N elements; along k it
//                 walks in slabs of DEPTH, and while one is multiplied, the next is on its way.
//                 How a slab comes: with ASYNC by cp.async, an instruction of NVIDIA's GPUs that leaves registers out
//                 and so lets STAGES slabs be under way, copied in PORTIONS groups between the multiplications; else
//                 through registers, which is OpenCL everywhere: loaded before the multiplications of the slab before
//                 it, put into local memory after them.
// Access pattern  A's slab is stored with k outermost, so that a work-item's rows lie side by side; 32 neighbouring
//                 work-items read runs of 32 bytes from four or more rows of A, and four elements of padding put them
//                 into different banks. Where local memory has no room for padding (two slabs of 16 steps for tiles of
//                 128×256 floats take all of 48 KB), SWIZZLED does that by the order of A's packs: in step number s of a
//                 run, row r is in place r ^ 4·s. B's slab keeps its order and is read 16 bytes at a time, or less. From
//                 local memory operands come 16 bytes at a time, and work-items are numbered in squares of 4 × 8, so that
//                 neighbours read what others read, too.
// Odd rows        Where n is not a multiple of 16 bytes, rows of B begin anywhere, and copies of 16 bytes do not. They come in
//                 smaller pieces; or, by cp.async and if eight or more multiply-adds share an element of B (WITHIN), a row
//                 is copied from the place before and lies some elements further right in local memory: by how many BEFORE
//                 = n modulo the elements of 16 bytes says, since slabs begin at multiples of eight steps. One warp copies
//                 the pack that a row needs beyond its last. Four numbers then take two loads or four instead of one, in
//                 three of four steps. With WORDS B comes in smaller pieces in any case, and every load has 16 bytes. Rows of C
//                 begin anywhere, too, and are sorted before they are written.
// Arithmetic      2·m·n·k operations; per step of k THREAD_M · THREAD_N multiply-adds and, for float,
//                 (THREAD_M + THREAD_N) / 4 loads. Per step and group TILE_M + TILE_N elements come from memory.
// Expected limit  The issue of instructions: the share of multiply-adds among them, 92 % for 16×8 elements, 88 % for 8×8.
//                 Small products: too few groups.
//
// Nothing outside of the matrices is read: rows of A, and of B packs of 16 bytes, beyond the edge are replaced by the last
// ones, smaller pieces of B are left out; their products are not stored. The last slab, which may not be full, comes
// first, filled up with zeros. Groups go through C in bands of BAND tiles' height, so that those that run together share A and B in the
// second-level cache.
//
// With SPLITS > 1 as many groups work on a tile, each on a part of k. They leave their sums in `partial`, and the one that
// ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts them
// per tile; it is zero before and after. That a group sees what another wrote before it counted is more than OpenCL 1.2
// promises, see count_up.clh.
//
// With EVEN, groups that all run at once share out the tiles evenly (even_shares.clh). Two that share a tile join its parts
// through `partial` and `finished`, too. EVEN is 3 where there are more groups than tiles, and any number of them may share
// one (even_parts.clh): 200 tiles as if they were 396.
//
// With SLICES > 1 a group has as many times the work-items, each slice of them with a part of k and stages of its own:
// where a compute unit gets one tile, it has several tiles' work-items at work on it. They add up their sums through
// local memory, in the order of the parts (slices.clh). With SPLITS > 1, too, the groups of a tile then join their parts in
// two levels (register_tiled_parts.clh): few tiles with long sums.
//
// ALONG is the order of a work-item's multiplications, see multiply. REAL is float or double (USE_FP64), a single word, since
// names are made of it.
#define ROWS 0  // values of ALONG
#define COLUMNS 1
#define SQUARES_2 2
#define SQUARES_4 3

#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define REAL_BYTES 8
#define WIDTH 2  // elements in 16 bytes
#else
#define REAL_BYTES 4
#define WIDTH 4
#endif
#define WITHIN (ASYNC && BEFORE != 0 && THREAD_M >= 8 && !WORDS)
#if BEFORE == 0 || WITHIN
#define B_WIDTH WIDTH  // elements of B that are copied at once
#elif BEFORE % 2 == 0
#define B_WIDTH 2
#else
#define B_WIDTH 1
#endif
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
#define PACK JOIN(REAL, WIDTH)

#define LANES_M 4  // work-items of a square along the rows of C
#define LANES_N 8
#define SQUARES_N (TILE_N / (LANES_N * THREAD_N))
#define THREADS (TILE_M * TILE_N / (THREAD_M * THREAD_N))  // of a slice
#define A_PITCH (TILE_M + (SWIZZLED ? 0 : 4))
#define B_PITCH (TILE_N + (WITHIN ? WIDTH : 0))
#define STAGE_ELEMENTS (DEPTH * (A_PITCH + B_PITCH))
#define STAGE_BYTES (STAGE_ELEMENTS * REAL_BYTES)
#define PACKS_M (THREAD_M / WIDTH)
#define PACKS_N (THREAD_N / WIDTH)
#define PACK_ROWS (LANES_M * WIDTH)                       // of a square: one pack of each work-item
#if SWIZZLED && THREAD_M < 2 * WIDTH
#error "A's packs change places with those of other work-items"
#endif
#define PLACES (SWIZZLED ? PACK_ROWS / SWIZZLE_ROWS : 1)  // among them, where a work-item's pack is in turn

#if EVEN
#include "even_shares.clh"
#if EVEN == 3
#include "even_parts.clh"
#endif
#elif SPLITS > 1
#include "count_up.clh"
#endif
#include "slices.clh"
#include "register_tiled_copies.clh"

typedef struct {
  REAL a[THREAD_M];
  REAL b[THREAD_N];
} Operands;

typedef struct {
  REAL at[THREAD_M][THREAD_N];
} Sums;

// WIDTH elements from the one number `before` of a pack on. Loads of several put them into neighbouring registers,
// beginning at an even one: with an odd `before` each would be at the other kind of number than in other steps, which
// costs multiply-adds that read three operands from one bank.
static void load_from_within(REAL* to, __local const REAL* packs, int before) {
  if (before == 0) {
    JOIN(vstore, WIDTH)(*(__local const PACK*)packs, 0, to);
  } else if (before % 2 == 0) {
    JOIN(vstore, 2)(*(__local const JOIN(REAL, 2)*)(packs + before), 0, to);
    JOIN(vstore, 2)(*(__local const JOIN(REAL, 2)*)(packs + before + 2), 1, to);
  } else {
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) to[j] = packs[before + j];
  }
}

// The operands of step number `step` of a slab: `a` and `b` begin with the work-item's first row and column.
static void load_operands(Operands* to, __local const REAL* const* a, __local const REAL* b, int step) {
  const int swap = SWIZZLED ? step / PLACES % 2 : 0;
#pragma unroll
  for (int i = 0; i < PACKS_M; ++i) {
    __local const REAL* from = a[step % PLACES] + step * A_PITCH + (i ^ swap) * PACK_ROWS;
    JOIN(vstore, WIDTH)(*(__local const PACK*)from, i, to->a);
  }
#pragma unroll
  for (int i = 0; i < PACKS_N; ++i) {
    load_from_within(to->b + i * WIDTH, b + step * B_PITCH + i * (LANES_N * WIDTH), WITHIN ? step * BEFORE % WIDTH : 0);
  }
}

// In an order for which the compiler finds registers without conflicts, or few: nothing but trying tells for which.
static void multiply(Sums* sums, const Operands* operands) {
#if ALONG == ROWS || ALONG == COLUMNS
  // To and fro: each product has an operand in common with the one before it.
#define OUTER (ALONG == COLUMNS ? THREAD_N : THREAD_M)
#define INNER (ALONG == COLUMNS ? THREAD_M : THREAD_N)
#pragma unroll
  for (int i = 0; i < OUTER; ++i) {
#pragma unroll
    for (int j = 0; j < INNER; ++j) {
      const int at = i % 2 == 0 ? j : INNER - 1 - j;
      const int row = ALONG == COLUMNS ? at : i;
      const int column = ALONG == COLUMNS ? i : at;
      sums->at[row][column] = fma(operands->a[row], operands->b[column], sums->at[row][column]);
    }
  }
#else
  // Squares down one strip of columns after the other, each along its columns; the larger ones to and fro.
#define EDGE (ALONG == SQUARES_2 ? 2 : 4)
#pragma unroll
  for (int strip = 0; strip < THREAD_N / EDGE; ++strip) {
#pragma unroll
    for (int down = 0; down < THREAD_M / EDGE; ++down) {
      const bool back = EDGE == 4 && strip % 2 != 0;
      const int square = back ? THREAD_M / EDGE - 1 - down : down;
#pragma unroll
      for (int j = 0; j < EDGE; ++j) {
#pragma unroll
        for (int i = 0; i < EDGE; ++i) {
          const bool up = EDGE == 4 && (j + strip * (THREAD_M / EDGE) + down) % 2 != 0;
          const int row = square * EDGE + (up ? EDGE - 1 - i : i);
          const int column = strip * EDGE + j;
          sums->at[row][column] = fma(operands->a[row], operands->b[column], sums->at[row][column]);
        }
      }
    }
  }
#endif
}

// A part of a tile of C, in slabs of k.
typedef struct {
  int first_row;
  int first_column;
  uint begin;
  uint end;
} WorkOfGroup;

// Groups go through C in bands of BAND tiles' height.
static WorkOfGroup work_on_tile(uint tile, uint begin, uint end, int m, int n) {
  const uint tiles_m = ((uint)m + TILE_M - 1) / TILE_M;
  const uint tiles_n = ((uint)n + TILE_N - 1) / TILE_N;
  // Remainders by hand: next to a division by the same number compilers make of % what Oclgrind cannot simulate.
  const uint band = tile / (BAND * tiles_n);
  const uint band_first = band * BAND;
  const uint band_height = min(tiles_m - band_first, (uint)BAND);
  const uint in_band = tile - band * (BAND * tiles_n);
  const uint across = in_band / band_height;
  WorkOfGroup work;
  work.first_row = (int)((band_first + in_band - across * band_height) * TILE_M);
  work.first_column = (int)(across * TILE_N);
  work.begin = begin;
  work.end = end;
  return work;
}

// A work-item's place in its group and its tile.
typedef struct {
  int slice;
  int square;
  int lane_m;
  int lane_n;
  int square_row;
  int column_in_tile;
} Place;

// Work-items of which number 1 differs share rows of A, those of which number 2 does columns of B: what local memory needs
// to serve 16 loads of 16 bytes at once.
static Place place_of_item(void) {
  const int lane = get_local_id(0) % 32;
  Place place;
  place.slice = slice_of_item();
  place.square = get_local_id(0) / 32;
  place.lane_m = lane / 2 % 2 + lane / 16 * 2;
  place.lane_n = lane % 2 + lane / 4 % 4 * 2;
  place.square_row = place.square / SQUARES_N * (LANES_M * THREAD_M);
  place.column_in_tile = place.square % SQUARES_N * (LANES_N * THREAD_N) + place.lane_n * WIDTH;
  return place;
}

#include "register_tiled_results.clh"
#if SLICES > 1 && SPLITS > 1
#include "register_tiled_parts.clh"
#endif

#if USE_FP64
#define WITH_BITS(x, bits) as_double(as_long(x) | (bits))
#else
#define WITH_BITS(x, bits) as_float(as_int(x) | (bits))
#endif

// The sums of a group's or a slice's part of k, by way of the slice's `stages`. FREED, they leave the loop through an operation
// that changes nothing, which the compiler does not know, k not being negative: stores of 16 bytes want four neighbouring
// registers, and compilers let the loop have its sums there, too. 1000³ in slices took 53.6 us without and 50.4 with it (in
// another order, too), 1001³ 54.8 and 55.8; fewer sums lost up to 3 % by it in CUDA's kernel.
#define FREED (THREAD_M * THREAD_N >= 128 || (THREAD_M * THREAD_N >= 64 && (BEFORE == 0 || EVEN)))
static void multiply_work(Sums* sums, const WorkOfGroup work, __global const REAL* A, __global const REAL* B,
                          __local REAL* stages, const Place place, int m, int n, int k) {
  const int slabs = slabs_to_multiply(work.end - work.begin, ((uint)k + DEPTH - 1) / DEPTH);
  const size_t k_begin = (size_t)work.begin * DEPTH;
  const int steps = (int)(min((size_t)work.end * DEPTH, (size_t)k) - k_begin);
  Sources from;
  find_sources(&from, A + k_begin, B + k_begin * n, m, n, k, work.first_row, work.first_column);
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums->at[i][j] = 0;
  }

  const int last = (slabs - 1) * DEPTH;  // steps before the last slab
  int offset = 0;                        // and before the one that is copied next
#if ASYNC
  const uint first_stage = (uint)(size_t)stages;
  copy_last(first_stage, &from, n, last, steps - last, B + (size_t)k * n);
  COMMIT();
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copy_slab(first_stage + slab * STAGE_BYTES, &from, n, offset);
    offset += DEPTH;
    COMMIT();
  }
  WAIT_FOR_NEXT();
#else
  Carried carried;
  load_last(&carried, &from, n, last, steps - last);
  put_down(stages, &carried);
#endif
  SYNCHRONIZE_SLICE(place.slice);

  __local const REAL* a[PLACES];
#pragma unroll
  for (int i = 0; i < PLACES; ++i) a[i] = stages + place.square_row + (place.lane_m * WIDTH ^ i * SWIZZLE_ROWS);
  __local const REAL* b = stages + DEPTH * A_PITCH + place.column_in_tile;
  uint free_place = (STAGES - 1) * STAGE_BYTES;  // where in `stages` the next slab comes
  int behind = STAGES - 1;                       // stages behind that of the slab being multiplied
  Operands operands[2];
  load_operands(&operands[0], a, b, 0);
#pragma unroll 1
  for (int left = slabs; left > 0; --left) {
#if !ASYNC
    if (left > 1) load_slab(&carried, &from, n, offset);
#endif
#pragma unroll
    for (int step = 0; step < DEPTH - 1; ++step) {
      load_operands(&operands[(step + 1) % 2], a, b, step + 1);
#if ASYNC
      if (step % PORTION_STEPS == 0 && step / PORTION_STEPS < PORTIONS) {
        if (left >= STAGES) copy_portion(first_stage + free_place, &from, n, offset, step / PORTION_STEPS);
        if (step / PORTION_STEPS == PORTIONS - 1) COMMIT();
      }
#endif
      multiply(sums, &operands[step % 2]);
    }
#if ASYNC
    WAIT_FOR_NEXT();
#else
    if (left > 1) put_down(stages + free_place / REAL_BYTES, &carried);
#endif
    // The next slab is complete for all, and nobody reads this one any more.
    SYNCHRONIZE_SLICE(place.slice);
    free_place = free_place == (STAGES - 1) * STAGE_BYTES ? 0 : free_place + STAGE_BYTES;
    // After the last slab something is read again, and not used.
    const int forward = !ASYNC && left == 1 ? 0 : behind > 0 ? STAGE_ELEMENTS : (1 - STAGES) * STAGE_ELEMENTS;
    behind = behind > 0 ? behind - 1 : STAGES - 1;
#pragma unroll
    for (int i = 0; i < PLACES; ++i) a[i] += forward;
    b += forward;
    offset += DEPTH;
    load_operands(&operands[0], a, b, 0);
    multiply(sums, &operands[(DEPTH - 1) % 2]);
  }
#if FREED
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums->at[i][j] = WITH_BITS(sums->at[i][j], k >> 31);
  }
#endif
}

#if EVEN == 3
#define NEXT_PART(part, turn, tiles, slabs) part_of_many(part, turn, tiles, slabs)
#define JOIN_SHARED(sums, part, tiles, slabs, number) join_many(sums, partial, finished, part, tiles, slabs, number)
#elif EVEN
#define NEXT_PART(part, turn, tiles, slabs) part_of_turn(part, turn, tiles, slabs)
#define JOIN_SHARED(sums, part, tiles, slabs, number) join_two(sums, partial, finished, (part)->boundary, number)
#endif

// With the size of a group NVIDIA's compiler overlooks the limit of registers.
#ifdef REGISTERS_LIMITED
#define GROUP_SIZE
#else
#define GROUP_SIZE __attribute__((reqd_work_group_size(THREADS, SLICES, 1)))
#endif

__kernel GROUP_SIZE
void matmul_register_tiled(__global const REAL* restrict A, __global const REAL* restrict B,
                           __global REAL* restrict C, volatile __global PACK* partial,
                           volatile __global uint* finished, const int m, const int n, const int k) {
  __local REAL all_stages[SLICES * STAGES * STAGE_ELEMENTS] __attribute__((aligned(16)));
  const Place place = place_of_item();
#if ASYNC
  // The same address, k not being negative, but one that the compiler does not know and so keeps in a register. It would find
  // it anew for each slab, with an instruction that takes long.
  __local REAL* const first_stage = (__local REAL*)(size_t)((uint)(size_t)all_stages | (uint)(k >> 31));
#else
  __local REAL* const first_stage = all_stages;
#endif
  __local REAL* const stages = first_stage + place.slice * (STAGES * STAGE_ELEMENTS);
  const uint slabs = ((uint)k + DEPTH - 1) / DEPTH;
  Sums sums;
#if EVEN
  const uint tiles = ((uint)m + TILE_M - 1) / TILE_M * (((uint)n + TILE_N - 1) / TILE_N);
  PartOfTile part;
#pragma unroll 1
  for (uint turn = 0; NEXT_PART(&part, turn, tiles, slabs); ++turn) {
    if (turn > 0) barrier(CLK_LOCAL_MEM_FENCE);  // all have read the last tile's operands
    const WorkOfGroup work = work_on_tile(part.tile, part.begin, part.end, m, n);
    multiply_work(&sums, work, A, B, stages, place, m, n, k);
    const bool stores = !part.shared || JOIN_SHARED(&sums, &part, tiles, slabs, (__local uint*)stages);
    store_tile(&sums, C, stages, work, place, stores ? m : 0, n);
  }
#else
  const uint tile = get_group_id(0);
  const size_t number = get_group_id(1) * SLICES + (size_t)place.slice;
  const WorkOfGroup work = work_on_tile(tile, (uint)(slabs * number / (SLICES * SPLITS)),
                                        (uint)(slabs * (number + 1) / (SLICES * SPLITS)), m, n);
  multiply_work(&sums, work, A, B, stages, place, m, n, k);
#if SLICES > 1
  Totals totals;
  join_slices(&totals, &sums, first_stage, place.slice);
#if SPLITS > 1
  if (!join_groups(&totals, partial, finished, (__local uint*)first_stage, place.slice)) return;
#endif
  store_tile(&totals, C, stages, work, place, m, n);
#elif SPLITS > 1
  // A group may have no memory beside the stages.
  const bool stores = join_parts(&sums, partial, finished + tile, (__local uint*)stages);
  store_tile(&sums, C, stages, work, place, stores ? m : 0, n);
#else
  store_tile(&sums, C, stages, work, place, m, n);
#endif
#endif
}
