// Matrix multiplication on the ordinary arithmetic units, as fast as they go: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   A multiply-add needs two operands, and shared memory cannot deliver them at the rate at which they
//                 are consumed. So each thread computes THREAD_M×THREAD_N elements of C in registers: THREAD_M +
//                 THREAD_N loaded numbers serve THREAD_M·THREAD_N multiply-adds. A block computes TILE_M×TILE_N
//                 elements; along k it walks in slabs of DEPTH, of which STAGES lie in shared memory: while one is
//                 multiplied, cp.async brings the next ones, past the registers, in PORTIONS groups between the
//                 multiplications.
// Access pattern  A's slab is stored with k outermost, so that a thread's rows lie side by side; it is copied element
//                 by element, a warp taking runs of 32 bytes, and the padding of four elements puts them into
//                 different banks. B's slab keeps its order and is copied 16 bytes at a time. From there registers are
//                 filled 16 bytes at a time, four by eight threads of a warp reading what others read, too: two passes
//                 of the shared memory per instruction, not four.
// Odd rows        Where n is not a multiple of 16 bytes, rows of B begin anywhere, and copies of 16 bytes do not. So a row is
//                 copied from the place before, and lies some elements further right in shared memory. By how many is
//                 known when this is compiled, since slabs begin at multiples of four steps: BEFORE = n modulo the
//                 elements of 16 bytes says it all. The pack that a row needs beyond its last is copied by one warp for
//                 all rows of a slab. Four numbers then take two loads or four instead of one, in three of four steps.
//                 With B_WIDTH = 1 (and BEFORE = 0) B is copied element by element instead, as A is, and every load
//                 has 16 bytes: 3 to 5 % quicker with tiles of 64×64 and 128×128, no quicker where three blocks of 64×128
//                 share a multiprocessor. With B_WIDTH = 2, where n is even, half as many copies do, which is quicker with
//                 all of them. Rows of C, too, begin anywhere (C_BEFORE = n modulo the elements of 16 bytes); a warp sorts
//                 its part of them in shared memory, so that it writes each in order.
// Arithmetic      2·m·n·k operations. Per step of k a thread issues THREAD_M·THREAD_N multiply-adds and, for float,
//                 (THREAD_M + THREAD_N) / 4 loads: 128 to 6 for 16×8, 64 to 4 for 8×8. Per block and step of k
//                 TILE_M + TILE_N elements come from the second-level cache for TILE_M·TILE_N multiply-adds:
//                 43 operations per byte for 256×128 floats.
// Expected limit  The issue of instructions: the share of multiply-adds among them. Small products: too few blocks for
//                 all multiprocessors, which SPLITS > 1 helps, or too few warps on each, which SLICES > 1 helps; flat ones
//                 (small k) the writing of C.
//
// Nothing outside the matrices is read: rows of A and columns of B beyond the edge are replaced by others, whose
// products are not stored; the last slab, which may not be full, comes first, filled up with zeros. Blocks go through C
// in bands of BAND tiles' height, so that those that run together share A and B in the second-level cache.
//
// With SPLITS > 1 as many blocks work on a tile, each on a part of k. They leave their sums in `partial`, and the one
// that ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts
// them per tile; it is zero before and after.
//
// With EVEN, blocks that all run at once share out the tiles evenly, see even_shares.cuh: 512 tiles on 132 multiprocessors
// take 3.88 turns, not 4. Blocks that share a tile join its two parts through `partial` and `finished`, too. EVEN is 2 where
// there are more blocks than tiles, see shared_chains.cuh: 120 tiles as if they were 132; and 3 where there may be more than two
// for each, see even_parts.cuh: 200 tiles as if they were 396.
//
// With SLICES > 1 a block has as many groups of threads, each with a part of k and stages of its own: where a multiprocessor
// gets one tile, it has three tiles' warps at work on it. They add up their sums through shared memory, in the order of the
// parts, for some 1 µs, where parts of the grid take 5 at n = 1001. With SPLITS > 1, too, slices add up a block's sums, and
// the blocks of a tile join theirs in two levels, see grouped_parts.cuh: few tiles with long sums.
//
// ALONG is the order of a thread's multiplications, see multiply. REAL is float or double. A and B begin at multiples of
// 16 bytes, and the 16 bytes in which B ends are its own: what is copied from the place before may reach that far.
#include "register_tiled_copier.cuh"
#include "register_tiled_parts.cuh"
#include "register_tiled_results.cuh"
#include "tile_of_block.cuh"

/// `width` elements from the one number `before` of a pack on. Loads of several elements put them into neighbouring
/// registers, beginning at an even one; with an odd `before` each would be at the other kind of number than in other
/// steps, where multiply-adds that read three operands from one bank cost an eighth of the time.
__device__ inline void load_from_within(REAL* to, const REAL* packs, int before) {
  if (before == 0) {
    const Pack pack = *reinterpret_cast<const Pack*>(packs);
#pragma unroll
    for (int j = 0; j < width; ++j) to[j] = pack.element[j];
  } else if (before % 2 == 0) {
    struct alignas(8) Half {
      REAL element[2];
    };
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const Half pair = *reinterpret_cast<const Half*>(packs + before + 2 * half);
      to[half * 2] = pair.element[0];
      to[half * 2 + 1] = pair.element[1];
    }
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j) to[j] = packs[before + j];
  }
}

/// The operands of step number `step` of a slab for one thread: `a` and `b` begin with its first row and column.
__device__ inline void load_operands(Operands& to, const REAL* a, const REAL* b, int step) {
#pragma unroll
  for (int i = 0; i < packs_m; ++i) {
    load_from_within(to.a + i * width, a + step * a_pitch + i * lanes_m * width, 0);
  }
#pragma unroll
  for (int i = 0; i < packs_n; ++i) {
    load_from_within(to.b + i * width, b + step * b_pitch + i * lanes_n * width, step * BEFORE % width);
  }
}

/// In an order for which the compiler finds registers without conflicts, or few: ALONG says which. Nothing but trying
/// tells them apart, and between the best and the worst lies a tenth of the time (2.66 and 2.97 ms for 4096³ in 16×8).
__device__ inline void multiply(Sums& sums, const Operands& operands) {
#if ALONG == ROWS || ALONG == COLUMNS
  // To and fro: each product has an operand in common with the one before it.
  constexpr int outer = ALONG == COLUMNS ? THREAD_N : THREAD_M;
  constexpr int inner = ALONG == COLUMNS ? THREAD_M : THREAD_N;
#pragma unroll
  for (int i = 0; i < outer; ++i) {
#pragma unroll
    for (int j = 0; j < inner; ++j) {
      const int at = i % 2 == 0 ? j : inner - 1 - j;
      const int row = ALONG == COLUMNS ? at : i;
      const int column = ALONG == COLUMNS ? i : at;
      sums.at[row][column] += operands.a[row] * operands.b[column];
    }
  }
#else
  // Squares down one strip of columns after the other, each along its columns; the larger ones to and fro.
  constexpr int edge = ALONG == SQUARES_2 ? 2 : 4;
  constexpr int squares_m = THREAD_M / edge;
#pragma unroll
  for (int i = 0; i < THREAD_M * THREAD_N; ++i) {
    const int square = i / (edge * edge);
    const int strip = square / squares_m;
    const int column = i % (edge * edge) / edge;
    const bool back = edge == 4 && strip % 2 != 0;
    const bool up = edge == 4 && (column + square) % 2 != 0;
    const int down = back ? squares_m - 1 - square % squares_m : square % squares_m;
    const int row = up ? edge - 1 - i % edge : i % edge;
    sums.at[down * edge + row][strip * edge + column] +=
        operands.a[down * edge + row] * operands.b[strip * edge + column];
  }
#endif
}

/// Adds up `slabs` slabs of this block's `steps` steps of k; `B` and `end` as for Copier::copy_last.
__device__ inline void multiply_slabs(Sums& sums, Copier& copier, REAL* stages, int slabs, int steps,
                                      const REAL* B, const REAL* end, int slice, int row_in_tile, int column_in_tile) {
  constexpr int portion_steps = (DEPTH - 1) / PORTIONS;
  constexpr unsigned stage_bytes = stage_elements * sizeof(REAL);
  const unsigned first = unsigned(__cvta_generic_to_shared(stages));
  copier.copy_last(first, steps - (slabs - 1) * DEPTH, (slabs - 1) * DEPTH, B, end);
  asm volatile("cp.async.commit_group;" ::: "memory");
  int offset = 0;
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copier.copy(first + slab * stage_bytes, offset);
    offset += DEPTH;
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
  synchronize_slice<threads>(slice);

  const REAL* a = stages + row_in_tile;
  const REAL* b = stages + DEPTH * a_pitch + column_in_tile;
  unsigned to = first + (STAGES - 1) * stage_bytes;  // where the next slab is copied
  int left = STAGES - 1;                             // stages that follow that of the slab being multiplied
  Operands operands[2];
  load_operands(operands[0], a, b, 0);
#pragma unroll 1
  for (int more = slabs; more > 0; --more) {
#pragma unroll
    for (int step = 0; step < DEPTH - 1; ++step) {
      load_operands(operands[(step + 1) % 2], a, b, step + 1);
      if (step % portion_steps == 0 && step / portion_steps < PORTIONS) {
        const int portion = step / portion_steps;
        if (more >= STAGES) copier.copy(to, offset, portion);
        if (portion == PORTIONS - 1) asm volatile("cp.async.commit_group;" ::: "memory");
      }
      multiply(sums, operands[step % 2]);
    }
    // The next slab is complete for all, and nobody reads this one any more.
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    synchronize_slice<threads>(slice);
    to = to + stage_bytes == first + STAGES * stage_bytes ? first : to + stage_bytes;
    const int forward = left > 0 ? stage_elements : (1 - STAGES) * stage_elements;
    left = left > 0 ? left - 1 : STAGES - 1;
    a += forward;
    b += forward;
    offset += DEPTH;
    load_operands(operands[0], a, b, 0);
    multiply(sums, operands[(DEPTH - 1) % 2]);
  }
}

__device__ inline float with_bits(float x, int bits) { return __int_as_float(__float_as_int(x) | bits); }
__device__ inline double with_bits(double x, int bits) { return __longlong_as_double(__double_as_longlong(x) | bits); }

/// A thread's place in its block and its tile.
struct Place {
  int slice;
  int warp;
  int lane_m;
  int lane_n;
  int row_in_tile;
  int column_in_tile;

  /// Threads of which number 1 differs share rows of A, those of which number 2 does columns of B: what shared memory needs
  /// to serve half a warp's 16-byte loads at once.
  __device__ Place() {
    const int lane = threadIdx.x % 32;
    slice = slice_of_warp();
    warp = threadIdx.x / 32;
    lane_m = lane / 2 % 2 + lane / 16 * 2;
    lane_n = lane % 2 + lane / 4 % 4 * 2;
    row_in_tile = warp / warps_n * (lanes_m * THREAD_M) + lane_m * width;
    column_in_tile = warp % warps_n * (lanes_n * THREAD_N) + lane_n * width;
  }
};

/// Adds up this block's part of k. Stores of 16 bytes want four neighbouring registers, and compilers let the loop have its
/// sums there, too, which cost up to 2 % of the time (4096³ along rows; along columns nothing). So sums leave the loop
/// through an operation that changes nothing, which the compiler does not know: `k` is not negative.
__device__ inline void multiply_work(Sums& sums, const WorkOfBlock& work, const REAL* A, const REAL* B, REAL* stages,
                                     const Place& place, int m, int n, int k) {
  const int slabs = int(work.end - work.begin);
  if (SPLITS * SLICES > 1 && slabs <= 0) return;
  const size_t k_begin = size_t{work.begin} * DEPTH;
  const int steps = int(min(size_t{work.end} * DEPTH, size_t(k)) - k_begin);
  const size_t last = k_begin + (slabs - 1) * DEPTH;
  Copier copier(A + last, B + last * n, m, n, k, work.first_row, work.first_column);
  multiply_slabs(sums, copier, stages, slabs, steps, B, B + size_t(k) * n, place.slice, place.row_in_tile,
                 place.column_in_tile);
  // That pays with many sums, and takes a few registers more.
  if (keeps_own || THREAD_M * THREAD_N < 64) return;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = with_bits(sums.at[i][j], k >> 31);
  }
}

__device__ inline void store_sums(const Sums& sums, REAL* C, REAL* stages, const WorkOfBlock& work, const Place& place,
                                  int m, int n) {
  const int first_row = work.first_row + place.row_in_tile;
  const int first_column = work.first_column + place.column_in_tile;
#if C_BEFORE != 0
  __syncthreads();  // all have read their last operands
  REAL* held = stages + place.warp * (lanes_m * (lanes_n * THREAD_N + 64 / int(sizeof(REAL))));
  store_rows(sums, C, held, first_row - place.lane_m * width, first_column - place.lane_n * width, place.slice,
             place.lane_m, place.lane_n, m, n);
#else
  const bool whole = work.first_row + TILE_M <= m && work.first_column + TILE_N <= n;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    if (!has_row(place.slice, i)) continue;
    const int row = first_row + i / width * (lanes_m * width) + i % width;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      const int column = first_column + p * (lanes_n * width);
      if (whole || (row < m && column < n)) store_pack(C + size_t(row) * n + column, sums.at[i] + p * width);
    }
  }
#endif
}

#if EVEN
__device__ inline bool next_part(PartOfTile& part, unsigned turn, unsigned tiles, unsigned slabs) {
  if (EVEN == 3) return part_of_many(part, turn, tiles, slabs);
  return EVEN == 2 ? part_of_chain(part, turn, tiles, slabs) : part_of_turn(part, turn, tiles, slabs);
}

__device__ inline bool join_shared(Sums& sums, Pack* partial, unsigned* finished, const PartOfTile& part, unsigned tiles,
                                   unsigned slabs) {
#if EVEN == 3
  return join_many(sums, partial, finished, part, tiles, slabs);
#else
  return join_two(sums, partial, finished, part.boundary);
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(threads * SLICES, resident)
    matmul_register_tiled(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C,
                          Pack* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
#if EVEN
  const Place place;
  REAL* stages = reinterpret_cast<REAL*>(shared_memory);
  const unsigned tiles = unsigned((m + TILE_M - 1) / TILE_M) * unsigned((n + TILE_N - 1) / TILE_N);
  PartOfTile part;
#pragma unroll 1
  for (unsigned turn = 0; next_part(part, turn, tiles, (unsigned(k) + DEPTH - 1) / DEPTH); ++turn) {
    if (turn > 0) __syncthreads();  // all have read the last tile's operands
    const WorkOfBlock work(part.tile, part.begin, part.end, m, n);
    Sums sums = {};
    multiply_work(sums, work, A, B, stages, place, m, n, k);
    if (part.shared && !join_shared(sums, partial, finished, part, tiles, (unsigned(k) + DEPTH - 1) / DEPTH)) continue;
    store_sums(sums, C, stages, work, place, m, n);
  }
#else
  WorkOfBlock work(m, n, k);
  const Place place;
  REAL* stages = reinterpret_cast<REAL*>(shared_memory) + place.slice * (STAGES * stage_elements);
  if (SLICES > 1) take_slice(work, place.slice);
  Sums sums = {};
  multiply_work(sums, work, A, B, stages, place, m, n, k);
#if SLICES > 1 && SPLITS > 1
  join_slices_of_parts(sums, C, reinterpret_cast<REAL*>(shared_memory), partial, finished, work, place.slice,
                       place.row_in_tile, place.column_in_tile, m, n);
#else
#if SLICES > 1
  join_slices(sums, stages, place.slice);
#elif SPLITS > 1
  if (!join_parts(sums, partial, finished)) return;
#endif
  store_sums(sums, C, stages, work, place, m, n);
#endif
#endif
}
