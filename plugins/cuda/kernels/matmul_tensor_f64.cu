// Matrix multiplication in double precision on tensor cores: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   Tensor cores also multiply doubles, in ordinary IEEE arithmetic: nothing is lost but the order of
//                 additions, and Hopper's do it at twice the rate of its multiply-add units. A block computes TILE_M×TILE_N
//                 elements of C, a warp WARP_M×WARP_N of them in registers. Along k it walks in slabs of DEPTH, of which
//                 STAGES lie in shared memory: while one is multiplied, cp.async brings the next ones, past the
//                 registers. Operands of an instruction are loaded while the one before it is at work, across slabs, too.
// Access pattern  Slabs are copied 16 bytes per thread, neighbouring threads next to one another. Out of shared memory
//                 each lane loads single doubles, for which half a warp is served at a time: four rows by four doubles.
//                 (Loads of 16 bytes would bring two neighbours along a row, but an instruction wants its operands in
//                 neighbouring registers, and those are eight rows or four steps of k apart.)
// Rows' lengths   In shared memory a double lies at the same place in a line of 128 bytes as in global memory: the pitch of
//                 rows is congruent to their length modulo 16. (What lands in two lines is asked of the second-level cache
//                 twice, and each half of a sector of 32 bytes on its own: at 512 735,000 requests and 1.58 million sectors
//                 are 262,000 and 0.83 million. Blocks of 64×128 are quicker with pitches that are congruent modulo 4 alone,
//                 LINES = 0: at 4096 0.974 of cuBLAS instead of 0.956.) Where so the same sector of four rows would lie in the same banks, the
//                 sectors of a line are turned by the row's number. Where k is odd, every second row of A begins 8 bytes
//                 off what copies of 16 bytes can reach, and is copied from one double before on; so with n and B. Which
//                 four rows of A, or columns of B, half a warp takes depends on the length, too: such that they lie in
//                 different banks.
// Arithmetic      2·m·n·k operations. Per 8 of k and warp of 32×32: 4 KB out of shared memory for 16384 operations. Per
//                 block of 64×128: 10.7 operations per byte from the second-level cache.
// Expected limit  The tensor cores, for long the power that they take: a GPU that meets its limit lowers the clock.
//                 Small products: too few blocks for all multiprocessors.
//
// Nothing outside the matrices is read. The last slab, which may not be full, comes first, filled up with zeros; rows of A
// and columns of B beyond the edge give products that are not stored. Blocks go through C in bands of BAND tiles' height,
// so that those that run together share A and B in the second-level cache.
//
// With SPLITS > 1 as many blocks work on a tile, each on a part of k. They leave their sums in `partial`, and the one
// that ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts
// them per tile; it is zero before and after.
//
// With SLICES > 1 a block has as many groups of threads, each with a part of k and stages of its own, which add up their
// sums through shared memory. Warps of 32×32 read half as much of it as twice as many of 16×16; on a multiprocessor with
// one tile of 64×128 there are 8 of them, too few to hide latencies, and in two slices 16: 48.0 against 50.7 µs at 1001.
//
// With EVEN = 1 blocks that all run at once share out the tiles evenly, see even_shares.cuh: 200 tiles of 64×128 at 1280 are
// 1.5 for each of 132 multiprocessors, not 2.
//
// With SPREAD = 1 a slab's copies come one by one behind the instructions, not together: where rows begin 8 bytes off and
// warps are small, their addresses keep the tensor cores waiting (14.7 against 15.6 µs at 555).
//
// K_MODULO and N_MODULO are k and n modulo 16. A, B and C begin at multiples of 16 bytes, A and B better of 128.
#include "even_shares.cuh"
#include "mma_f64.cuh"
#include "slices.cuh"
#include "tensor_f64_copier.cuh"
#include "tensor_f64_shape.cuh"
#include "tile_of_block.cuh"

static_assert(SLICES == 1 || SPLITS == 1, "sums are joined in one way");

struct OfA {
  double at[4];
};
struct OfB {
  double at[column_blocks][2];
};
struct Sums {
  double at[row_blocks][column_blocks][4];
};

/// The row of A, and of C, of each sixteen, that is number `slot` in an instruction: half a warp has four of A whose pitches
/// are the same modulo 4.
__device__ inline int row_of_slot(int slot) {
  constexpr int apart = odd_k ? 4 : K_MODULO % 4 == 2 ? 2 : 1;
  return slot % 4 * apart + slot / 4 % apart + slot / 4 / apart * (4 * apart);
}
/// The column of B, of each sixteen, that is number `slot` in two instructions: what half a warp has of four rows is apart.
__device__ inline int column_of_slot(int slot) {
  if (odd_n) return slot % 4 * 4 + slot / 4;
  return N_MODULO % 4 == 2 ? slot % 2 + slot / 2 % 2 * 8 + slot / 4 * 2 : slot;
}

/// Where a lane has its first element in each of the turned sectors that follow one another.
struct Operands {
  const double* a[a_places];
  const double* b[b_places];

  /// Operands in the slab at `stage`; `row` and `column` are the lane's.
  __device__ Operands(const double* stage, int row, int column, int t) {
#pragma unroll
    for (int i = 0; i < a_places; ++i) a[i] = stage + ((row * a_pitch + t + 4 * i) ^ turn_of(row, a_modulo));
#pragma unroll
    for (int i = 0; i < b_places; ++i) {
      b[i] = stage + TILE_M * a_pitch + ((t * b_pitch + column + 8 * i) ^ turn_of(t, b_modulo));
    }
  }
  __device__ void step(int forward) {
#pragma unroll
    for (int i = 0; i < a_places; ++i) a[i] += forward;
#pragma unroll
    for (int i = 0; i < b_places; ++i) b[i] += forward;
  }
};

__device__ inline void load_a(OfA& to, const Operands& from, int row_block, int step) {
  constexpr int half = odd_k ? 2 : 8;  // row_of_slot(slot + 8) - row_of_slot(slot)
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int sector = step * k_step / 4 + i / 2;
    to.at[i] = from.a[sector % a_places][(16 * row_block + i % 2 * half) * a_pitch + sector / a_places * (4 * a_places)];
  }
}

__device__ inline void load_b(OfB& to, const Operands& from, int step) {
  constexpr int half = odd_n ? 2 : N_MODULO % 4 == 2 ? 4 : 8;  // column_of_slot(slot + 8) - column_of_slot(slot)
#pragma unroll
  for (int j = 0; j < column_blocks; ++j) {
    const int column = j / 2 * 16 + (b_places == 1 ? j % 2 * half : 0);
#pragma unroll
    for (int i = 0; i < 2; ++i) to.at[j][i] = from.b[j % b_places][(step * k_step + 4 * i) * b_pitch + column];
  }
}

/// Adds up `slabs` slabs of this block's `depth` steps of k. The warp's part of the tile begins in row `row` and column
/// `column`.
__device__ inline void multiply_slabs(Sums& sums, Copier& copier, double* stages, int slabs, int depth, int slice,
                                      int row, int column) {
  constexpr unsigned stage_bytes = stage_elements * 8;
  constexpr int slots = (steps * row_blocks - 1) * column_blocks;
  constexpr int per_slot = (copies + slots - 1) / slots;
  constexpr int last_slot = (copies - 1) / per_slot;
  const unsigned first = unsigned(__cvta_generic_to_shared(stages));
  copier.copy_last(first, (slabs - 1) * DEPTH, depth - (slabs - 1) * DEPTH);
  asm volatile("cp.async.commit_group;" ::: "memory");
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copier.copy(first + slab * stage_bytes);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
  synchronize_slice<threads>(slice);

  const int lane = threadIdx.x % 32;
  Operands from(stages, row + row_of_slot(lane / 4), column + column_of_slot(lane / 4), lane % 4);
  unsigned to = first + (STAGES - 1) * stage_bytes;  // where the next slab is copied
  int left = STAGES - 1;                             // stages that follow that of the slab being multiplied
  OfA of_a;
  OfB of_b;
  load_a(of_a, from, 0, 0);
  load_b(of_b, from, 0);
#pragma unroll 1
  for (int more = slabs; more > 0; --more) {
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int i = 0; i < row_blocks; ++i) {
        const bool last = i == row_blocks - 1;
        if (last && step == steps - 1) {
          // The next slab is complete for all, and nobody reads this one any more.
          asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
          synchronize_slice<threads>(slice);
          from.step(left > 0 ? stage_elements : (1 - STAGES) * stage_elements);
          left = left > 0 ? left - 1 : STAGES - 1;
        }
        const int next_step = last ? (step + 1) % steps : step;
        OfA next_a;
        OfB next_b;
        load_a(next_a, from, last ? 0 : i + 1, next_step);
        if (last) load_b(next_b, from, next_step);
        const auto fetched = [&] {
          asm volatile("cp.async.commit_group;" ::: "memory");
          to = to == first + (STAGES - 1) * stage_bytes ? first : to + stage_bytes;
        };
        const auto fetch = [&] {
          if (more >= STAGES) copier.copy(to);
          fetched();
        };
        const bool together = !SPREAD && step == 0 && i == 0;
        if (together && row_blocks == 1) fetch();
        mma_f64(sums.at[i], of_a.at, of_b.at, [&](int j) {
          if (!SPREAD) return;
          const int slot = (step * row_blocks + i) * column_blocks + j;
          if (more >= STAGES) {
#pragma unroll
            for (int number = slot * per_slot; number < (slot + 1) * per_slot && number < copies; ++number) {
              copier.copy(to, number);
            }
            if (slot == last_slot) copier.step();
          }
          if (slot == last_slot) fetched();
        });
        if (together && row_blocks > 1) fetch();
        of_a = next_a;
        if (last) of_b = next_b;
      }
    }
  }
}

constexpr int own_pairs = row_blocks * column_blocks * 2;  // of a thread's sums

/// Whether this slice has the block's sums in pair number `pair` of its threads, once they are joined.
__device__ inline bool has_pair(int slice, int pair) { return SLICES == 1 || slice_of_sum(pair, own_pairs) == slice; }

#if SLICES > 1
/// Adds up the sums of the block's slices through shared memory, in the order of the parts of k. `stages` are the slice's.
__device__ inline void join_slices(Sums& sums, double* stages, int slice) {
  static_assert(STAGES * stage_elements >= TILE_M * TILE_N);
  double2* own = reinterpret_cast<double2*>(stages) + threadIdx.x;
  synchronize_slice<threads>(slice);  // all have read their last operands
#pragma unroll
  for (int pair = 0; pair < own_pairs; ++pair) {
    const double(&of)[4] = sums.at[pair / (2 * column_blocks)][pair / 2 % column_blocks];
    if (!has_pair(slice, pair)) own[pair * threads] = make_double2(of[pair % 2 * 2], of[pair % 2 * 2 + 1]);
  }
  __syncthreads();
  const double2* first = own - slice * (STAGES * stage_elements / 2);
#pragma unroll
  for (int pair = 0; pair < own_pairs; ++pair) {
    if (!has_pair(slice, pair)) continue;
    double(&of)[4] = sums.at[pair / (2 * column_blocks)][pair / 2 % column_blocks];
    double2 total = make_double2(0, 0);
#pragma unroll
    for (int other = 0; other < SLICES; ++other) {
      const double2 part = other == slice_of_sum(pair, own_pairs)
                               ? make_double2(of[pair % 2 * 2], of[pair % 2 * 2 + 1])
                               : first[other * (STAGES * stage_elements / 2) + pair * threads];
      total.x += part.x;
      total.y += part.y;
    }
    of[pair % 2 * 2] = total.x;
    of[pair % 2 * 2 + 1] = total.y;
  }
}
#endif

#if SPLITS > 1 || EVEN
/// Leaves a thread's sums at `to`, among those of its block.
__device__ inline void leave_sums(const Sums& sums, double2* to) {
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
#pragma unroll
    for (int p = 0; p < 2 * column_blocks; ++p) {
      to[(i * 2 * column_blocks + p) * threads] =
          make_double2(sums.at[i][p / 2][p % 2 * 2], sums.at[i][p / 2][p % 2 * 2 + 1]);
    }
  }
}

/// Adds what a thread of a block has left at `from`.
__device__ inline void add_sums(Sums& sums, const double2* from) {
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
    __syncwarp();  // all loads at once would leave no registers
#pragma unroll
    for (int p = 0; p < 2 * column_blocks; ++p) {
      // Past the L1 cache, which may hold old values.
      const double2 pair = __ldcg(from + (i * 2 * column_blocks + p) * threads);
      sums.at[i][p / 2][p % 2 * 2] += pair.x;
      sums.at[i][p / 2][p % 2 * 2 + 1] += pair.y;
    }
  }
}
#endif

#if EVEN
/// Joins the two parts of the tile that two blocks share, whose number is `boundary`. True in one of them, which gets the
/// sums of both.
__device__ inline bool join_two(Sums& sums, double2* partial, unsigned* finished, unsigned boundary) {
  double2* place = partial + size_t{boundary} * (TILE_M * TILE_N / 2) + threadIdx.x;
  if (!comes_second(finished + boundary, [&] { leave_sums(sums, place); })) return false;
  add_sums(sums, place);
  return true;
}
#endif

#if SPLITS > 1
/// Leaves this block's sums for the others. True in the last block of the tile, which gets the sums of all.
__device__ inline bool join_parts(Sums& sums, double2* partial, unsigned* finished) {
  constexpr size_t pairs = TILE_M * TILE_N / 2;
  leave_sums(sums, partial + (size_t{blockIdx.x} * SPLITS + blockIdx.y) * pairs + threadIdx.x);
  if (!ends_last(finished)) return false;

  const double2* first = partial + size_t{blockIdx.x} * SPLITS * pairs + threadIdx.x;
  sums = {};
#pragma unroll 1
  for (int split = 0; split < SPLITS; ++split) add_sums(sums, first + split * pairs);
  return true;
}
#endif

/// Two elements of a row of C, which lie side by side if n is even.
__device__ inline void store_pair(double* row, int column, int n, double first, double second) {
  if (odd_n) {
    if (column < n) row[column] = first;
    if (column + 4 < n) row[column + 4] = second;
  } else if (column < n) {
    *reinterpret_cast<double2*>(row + column) = make_double2(first, second);
  }
}

/// Stores the warp's sums, as far as this slice has them; its part of C begins in row `row` and column `column`.
__device__ inline void store_sums(const Sums& sums, double* C, int row, int column, int slice, int m, int n) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int to_row = row + 16 * i + row_of_slot(lane / 4 + 8 * half);
      if (to_row >= m) continue;
#pragma unroll
      for (int j = 0; j < column_blocks; ++j) {
        if (!has_pair(slice, (i * column_blocks + j) * 2 + half)) continue;
        const int to_column = column + j / 2 * 16 + column_of_slot(lane % 4 * 2 + j % 2 * 8);
        store_pair(C + size_t(to_row) * n, to_column, n, sums.at[i][j][2 * half], sums.at[i][j][2 * half + 1]);
      }
    }
  }
}

/// Adds up the products of a block's, or a slice's, slabs of k.
__device__ inline void multiply_work(Sums& sums, const WorkOfBlock& work, const double* A, const double* B,
                                     double* stages, int slice, int warp_row, int warp_column, int m, int n, int k) {
  const size_t k_begin = size_t{work.begin} * DEPTH;
  const int depth = int(min(size_t{work.end} * DEPTH, size_t(k)) - k_begin);
  Copier copier(A, B, m, n, k, work.first_row, work.first_column, k_begin);
  multiply_slabs(sums, copier, stages, int(work.end - work.begin), depth, slice, warp_row, warp_column);
}

extern "C" __global__ void __launch_bounds__(threads * SLICES, resident)
    matmul_tensor_f64(const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C,
                      double2* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(128) unsigned char shared_memory[];
  const int slice = slice_of_warp();
  double* stages = reinterpret_cast<double*>(shared_memory) + slice * (STAGES * stage_elements);
  const int warp = threadIdx.x / 32;
  const int warp_row = warp / warps_n * WARP_M;
  const int warp_column = warp % warps_n * WARP_N;
#if EVEN
  const unsigned tiles = unsigned((m + TILE_M - 1) / TILE_M) * unsigned((n + TILE_N - 1) / TILE_N);
  PartOfTile part;
#pragma unroll 1
  for (unsigned turn = 0; part_of_turn(part, turn, tiles, (unsigned(k) + DEPTH - 1) / DEPTH); ++turn) {
    if (turn > 0) __syncthreads();  // all have read the last tile's operands
    const WorkOfBlock work(part.tile, part.begin, part.end, m, n);
    Sums sums = {};
    multiply_work(sums, work, A, B, stages, slice, warp_row, warp_column, m, n, k);
    if (part.shared && !join_two(sums, partial, finished, part.boundary)) continue;
    store_sums(sums, C, work.first_row + warp_row, work.first_column + warp_column, slice, m, n);
  }
#else
  WorkOfBlock work(m, n, k);
  if (SLICES > 1) take_slice(work, slice);
  Sums sums = {};
  if (SPLITS * SLICES == 1 || work.end > work.begin) {
    multiply_work(sums, work, A, B, stages, slice, warp_row, warp_column, m, n, k);
  }
#if SLICES > 1
  join_slices(sums, stages, slice);
#endif
#if SPLITS > 1
  if (!join_parts(sums, partial, finished)) return;
#endif
  store_sums(sums, C, work.first_row + warp_row, work.first_column + warp_column, slice, m, n);
#endif
}
