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
// Rows' lengths   Where k is no multiple of 4, rows of A begin anywhere in the sectors of 32 bytes that memory is read in,
//                 and where it is odd, every second one 8 bytes off what copies of 16 bytes can reach; so with n and B.
//                 In shared memory a double lies at the same place in a sector as in global memory: the pitch of rows is
//                 congruent to their length modulo 4. (Otherwise each half of a sector is read on its own.) Rows that
//                 begin 8 bytes off are copied from one double before on. Which four rows of A, or columns of B, half a
//                 warp takes depends on the length, too: such that they lie in different banks.
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
// K_MODULO and N_MODULO are k and n modulo 4. A, B and C begin at multiples of 16 bytes, A and B better of 32.
#include "mma_f64.cuh"
#include "tile_of_block.cuh"

constexpr int k_step = 8;  // of one instruction
constexpr int steps = DEPTH / k_step;
constexpr int row_blocks = WARP_M / 16;
constexpr int column_blocks = WARP_N / 8;
constexpr int warps_n = TILE_N / WARP_N;
constexpr int threads = TILE_M / WARP_M * warps_n * 32;
constexpr bool odd_k = K_MODULO % 2 != 0;
constexpr bool odd_n = N_MODULO % 2 != 0;
constexpr int a_pitch = DEPTH + 2 + (K_MODULO + 2) % 4;
constexpr int b_pitch = TILE_N + 2 + (N_MODULO + 2) % 4;
constexpr int stage_elements = TILE_M * a_pitch + DEPTH * b_pitch;
static_assert(WARP_M % 16 == 0 && WARP_N % 16 == 0 && DEPTH % k_step == 0 && steps * row_blocks > 1);

// Copies of one slab by one thread, two doubles each.
constexpr int a_pairs = DEPTH / 2;                                    // of a row of A
constexpr int a_rows = threads / a_pairs;                             // of A that the block copies at a time
constexpr int b_pairs = TILE_N / 2;                                   // of a row of B
constexpr int b_parts = b_pairs > threads ? b_pairs / threads : 1;    // of a row of B, if it takes several times
constexpr int b_rows = b_pairs > threads ? 1 : threads / b_pairs;     // of B that the block copies at a time
static_assert(a_rows % 2 == 0 && (b_pairs > threads ? b_pairs % threads == 0 : threads % b_pairs == 0));

// Registers are planned for as many blocks per multiprocessor as their sums, operands and slabs leave room for.
constexpr bool odd = odd_k || odd_n;  // more addresses
constexpr int spare = odd && WARP_N == 16 ? 72 : WARP_M == 16 || DEPTH > 16 ? 48 : odd || SPLITS > 1 ? 40 : 32;
constexpr int by_registers = 65536 / (threads * (WARP_M * WARP_N / 16 + WARP_N + spare));
constexpr int by_memory = 227 * 1024 / (STAGES * stage_elements * 8 + 1024);
constexpr int by_either = by_registers < by_memory ? by_registers : by_memory;
constexpr int resident = by_either < 1 ? 1 : by_either * threads > 1536 ? 1536 / threads : by_either;

/// Two doubles from global to shared memory, or zeros from byte number `bytes` on.
__device__ inline void copy_pair(unsigned to, const double* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

/// Of a pair that begins in column `column` of `columns`.
__device__ inline int bytes_of_pair(int column, int columns) {
  return column + 1 < columns ? 16 : column < columns ? 8 : 0;
}

/// `rows` rows of `stride` doubles further on, in one instruction; the compiler would take several.
template <int rows>
__device__ inline const double* further(const double* from, int stride) {
  const double* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(stride), "n"(rows * 8), "l"(from));
  return to;
}

/// What one thread copies of each slab. Rows that begin one double early (odd numbers, if rows have an odd length) end one
/// pair later.
class Copier {
 public:
  /// For slabs from step `k_begin` of k on.
  __device__ Copier(const double* A, const double* B, int m, int n, int k, int first_row, int first_column,
                    size_t k_begin)
      : a_(A + size_t(first_row + a_row()) * k + k_begin + a_column()),
        b_(B + (k_begin + b_row()) * n + first_column + b_column(0)),
        k_(k),
        n_(n),
        rows_left_(m - first_row),
        columns_left_(n - first_column) {}

  /// The slab that begins `offset` steps further on, of which `depth` exist; nothing comes after it.
  __device__ void copy_last(unsigned stage, int offset, int depth) const {
    Copier last = *this;
    last.a_ += offset;
    last.b_ += size_t(offset) * n_;
    last.copy_slab<true>(stage, depth);
  }

  /// The next slab, which is not the last one.
  __device__ void copy(unsigned stage) {
    copy_slab<false>(stage, DEPTH);
    a_ += DEPTH;
    b_ = further<DEPTH>(b_, n_);
  }

 private:
  template <bool is_last>
  __device__ void copy_slab(unsigned stage, int depth) const {
    const unsigned a_to = stage + (a_row() * a_pitch + a_column()) * 8;
    const int a_bytes = is_last ? bytes_of_pair(a_column(), depth) : 16;
    const double* from = a_;
#pragma unroll
    for (int i = 0; i < TILE_M; i += a_rows) {
      const bool there = i + a_row() < rows_left_;
      if (a_rows <= TILE_M || a_row() < TILE_M) copy_pair(a_to + i * a_pitch * 8, from, there ? a_bytes : 0);
      from = further<a_rows>(from, k_);
    }
    const unsigned b_to = stage + (TILE_M * a_pitch + b_row() * b_pitch) * 8;
    from = b_;
#pragma unroll
    for (int i = 0; i < DEPTH; i += b_rows) {
#pragma unroll
      for (int part = 0; part < b_parts; ++part) {
        const int column = b_column(i) + part * threads * 2;
        const int bytes = is_last ? bytes_of_pair(column, columns_left_) : column < columns_left_ ? 16 : 0;
        const bool there = !is_last || i + b_row() < depth;
        if (b_rows <= DEPTH || b_row() < DEPTH) {
          copy_pair(b_to + (i * b_pitch + column) * 8, from + column - b_column(0), there ? bytes : 0);
        }
      }
      from = further<b_rows>(from, n_);
    }
    if (odd_k) copy_ends_of_a<is_last>(stage, depth);
    if (odd_n) copy_ends_of_b<is_last>(stage, depth);
  }

  template <bool is_last>
  __device__ void copy_ends_of_a(unsigned stage, int depth) const {
#pragma unroll
    for (int i = 0; i < TILE_M; i += threads) {
      const int row = i + int(threadIdx.x);
      if (row % 2 == 0 || row >= TILE_M) continue;
      const double* from = a_ + ptrdiff_t(row - a_row()) * k_ + (DEPTH - 1 - a_column());
      const int bytes = is_last ? bytes_of_pair(DEPTH - 1, depth) : 16;
      copy_pair(stage + (row * a_pitch + DEPTH - 1) * 8, from, row < rows_left_ ? bytes : 0);
    }
  }

  template <bool is_last>
  __device__ void copy_ends_of_b(unsigned stage, int depth) const {
    const int row = threadIdx.x;
    if (row % 2 == 0 || row >= DEPTH) return;
    const double* from = b_ + ptrdiff_t(row - b_row()) * n_ + (TILE_N - 1 - b_column(0));
    const bool there = (!is_last || row < depth) && TILE_N - 1 < columns_left_;
    const int bytes = is_last ? bytes_of_pair(TILE_N - 1, columns_left_) : 16;
    copy_pair(stage + (TILE_M * a_pitch + row * b_pitch + TILE_N - 1) * 8, from, there ? bytes : 0);
  }

  static __device__ int a_row() { return int(threadIdx.x) / a_pairs; }
  static __device__ int a_column() { return int(threadIdx.x) % a_pairs * 2 - (odd_k ? a_row() % 2 : 0); }
  static __device__ int b_row() { return b_pairs > threads ? 0 : int(threadIdx.x) / b_pairs; }
  /// In the row number `below` from the thread's first one on.
  static __device__ int b_column(int below) {
    return (b_pairs > threads ? int(threadIdx.x) : int(threadIdx.x) % b_pairs) * 2 -
           (odd_n ? (b_row() + below) % 2 : 0);
  }

  const double* a_;  // the thread's first pair of the next slab
  const double* b_;
  int k_;
  int n_;
  int rows_left_;
  int columns_left_;
};

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
  constexpr int apart = odd_k ? 4 : K_MODULO == 2 ? 2 : 1;
  return slot % 4 * apart + slot / 4 % apart + slot / 4 / apart * (4 * apart);
}
/// The column of B, of each sixteen, that is number `slot` in two instructions: what half a warp has of four rows is apart.
__device__ inline int column_of_slot(int slot) {
  if (odd_n) return slot % 4 * 4 + slot / 4;
  return N_MODULO == 2 ? slot % 2 + slot / 2 % 2 * 8 + slot / 4 * 2 : slot;
}

/// `a` and `b` are where the lane has its first element.
__device__ inline void load_a(OfA& to, const double* a, int row_block, int step) {
  constexpr int half = odd_k ? 2 : 8;  // row_of_slot(slot + 8) - row_of_slot(slot)
#pragma unroll
  for (int i = 0; i < 4; ++i) to.at[i] = a[(16 * row_block + i % 2 * half) * a_pitch + step * k_step + i / 2 * 4];
}

__device__ inline void load_b(OfB& to, const double* b, int step) {
  constexpr int half = odd_n ? 2 : N_MODULO == 2 ? 4 : 8;  // column_of_slot(slot + 8) - column_of_slot(slot)
#pragma unroll
  for (int j = 0; j < column_blocks; ++j) {
#pragma unroll
    for (int i = 0; i < 2; ++i) to.at[j][i] = b[(step * k_step + 4 * i) * b_pitch + j / 2 * 16 + j % 2 * half];
  }
}

/// Adds up `slabs` slabs of this block's `depth` steps of k. The warp's part of the tile begins in row `row` and column
/// `column`.
__device__ inline void multiply_slabs(Sums& sums, Copier& copier, double* stages, int slabs, int depth, int row,
                                      int column) {
  constexpr unsigned stage_bytes = stage_elements * 8;
  const unsigned first = unsigned(__cvta_generic_to_shared(stages));
  copier.copy_last(first, (slabs - 1) * DEPTH, depth - (slabs - 1) * DEPTH);
  asm volatile("cp.async.commit_group;" ::: "memory");
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copier.copy(first + slab * stage_bytes);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
  __syncthreads();

  const int lane = threadIdx.x % 32;
  const int t = lane % 4;
  const double* a = stages + (row + row_of_slot(lane / 4)) * a_pitch + t;
  const double* b = stages + TILE_M * a_pitch + t * b_pitch + column + column_of_slot(lane / 4);
  unsigned to = first + (STAGES - 1) * stage_bytes;  // where the next slab is copied
  int left = STAGES - 1;                             // stages that follow that of the slab being multiplied
  OfA of_a;
  OfB of_b;
  load_a(of_a, a, 0, 0);
  load_b(of_b, b, 0);
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
          __syncthreads();
          const int forward = left > 0 ? stage_elements : (1 - STAGES) * stage_elements;
          left = left > 0 ? left - 1 : STAGES - 1;
          a += forward;
          b += forward;
        }
        const int next_step = last ? (step + 1) % steps : step;
        OfA next_a;
        OfB next_b;
        load_a(next_a, a, last ? 0 : i + 1, next_step);
        if (last) load_b(next_b, b, next_step);
        const auto fetch = [&] {
          if (more >= STAGES) copier.copy(to);
          asm volatile("cp.async.commit_group;" ::: "memory");
          to = to == first + (STAGES - 1) * stage_bytes ? first : to + stage_bytes;
        };
        const bool first_instructions = step == 0 && i == 0;
        if (first_instructions && row_blocks == 1) fetch();
        mma_f64(sums.at[i], of_a.at, of_b.at);
        if (first_instructions && row_blocks > 1) fetch();
        of_a = next_a;
        if (last) of_b = next_b;
      }
    }
  }
}

#if SPLITS > 1
/// Leaves this block's sums for the others. True in the last block of the tile, which gets the sums of all.
__device__ inline bool join_parts(Sums& sums, double2* partial, unsigned* finished) {
  constexpr size_t pairs = TILE_M * TILE_N / 2;
  double2* own = partial + (size_t{blockIdx.x} * SPLITS + blockIdx.y) * pairs + threadIdx.x;
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
#pragma unroll
    for (int p = 0; p < 2 * column_blocks; ++p) {
      own[(i * 2 * column_blocks + p) * threads] =
          make_double2(sums.at[i][p / 2][p % 2 * 2], sums.at[i][p / 2][p % 2 * 2 + 1]);
    }
  }
  if (!ends_last(finished)) return false;

  const double2* first = partial + size_t{blockIdx.x} * SPLITS * pairs + threadIdx.x;
  sums = {};
#pragma unroll 1
  for (int split = 0; split < SPLITS; ++split) {
#pragma unroll
    for (int i = 0; i < row_blocks; ++i) {
      __syncwarp();  // all loads at once would leave no registers
#pragma unroll
      for (int p = 0; p < 2 * column_blocks; ++p) {
        // Past the L1 cache, which may hold old values.
        const double2 pair = __ldcg(first + split * pairs + (i * 2 * column_blocks + p) * threads);
        sums.at[i][p / 2][p % 2 * 2] += pair.x;
        sums.at[i][p / 2][p % 2 * 2 + 1] += pair.y;
      }
    }
  }
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

extern "C" __global__ void __launch_bounds__(threads, resident)
    matmul_tensor_f64(const double* __restrict__ A, const double* __restrict__ B, double* __restrict__ C,
                      double2* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(32) unsigned char shared_memory[];
  double* stages = reinterpret_cast<double*>(shared_memory);

  const WorkOfBlock work(m, n, k);
  const int first_row = work.first_row;
  const int first_column = work.first_column;
  const size_t k_begin = size_t{work.begin} * DEPTH;

  const int warp = threadIdx.x / 32;
  const int warp_row = warp / warps_n * WARP_M;
  const int warp_column = warp % warps_n * WARP_N;
  Sums sums = {};
  if (SPLITS == 1 || work.end > work.begin) {
    const int depth = int(min(size_t{work.end} * DEPTH, size_t(k)) - k_begin);
    Copier copier(A, B, m, n, k, first_row, first_column, k_begin);
    multiply_slabs(sums, copier, stages, int(work.end - work.begin), depth, warp_row, warp_column);
  }
#if SPLITS > 1
  if (!join_parts(sums, partial, finished)) return;
#endif

  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + warp_row + 16 * i + row_of_slot(lane / 4 + 8 * half);
      if (row >= m) continue;
#pragma unroll
      for (int j = 0; j < column_blocks; ++j) {
        const int column = first_column + warp_column + j / 2 * 16 + column_of_slot(lane % 4 * 2 + j % 2 * 8);
        store_pair(C + size_t(row) * n, column, n, sums.at[i][j][2 * half], sums.at[i][j][2 * half + 1]);
      }
    }
  }
}
