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
//                 different banks. B's slab keeps its order and is copied 16 bytes at a time; where its rows begin at odd
//                 places, cp.async would have to go word by word, for which it is slow, and B goes through registers
//                 instead, one slab ahead. From there registers are filled 16 bytes at a time, four by eight threads of
//                 a warp reading what others read, too: two passes of the shared memory per instruction, not four.
// Arithmetic      2·m·n·k operations. Per step of k a thread issues THREAD_M·THREAD_N multiply-adds and, for float,
//                 (THREAD_M + THREAD_N) / 4 loads: 128 to 6 for 16×8, 64 to 4 for 8×8. Per block and step of k
//                 TILE_M + TILE_N elements come from the second-level cache for TILE_M·TILE_N multiply-adds:
//                 43 operations per byte for 256×128 floats.
// Expected limit  The issue of instructions: the share of multiply-adds among them. Small products: too few blocks for
//                 all multiprocessors, which SPLITS > 1 helps; flat ones (small k) the writing of C.
//
// Nothing outside the matrices is read: rows of A and columns of B beyond the edge are replaced by the last ones, whose
// products are not stored; the slab that is not full comes first, filled up with zeros. Blocks go through C in bands of
// BAND tiles' height, so that those that run together share A and B in the second-level cache.
//
// With SPLITS > 1 as many blocks work on a tile, each on a part of k. They leave their sums in `partial`, and the one
// that ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts
// them per tile; it is zero before and after.
//
// REAL is float or double. B_BYTES says how many bytes of B can be copied at once: 16 where n is a multiple of that.
// B_PADDED says that rows of B are as much longer than n as makes them whole packs of 16 bytes (align_rows.cu).
constexpr int width = 16 / int(sizeof(REAL));  // elements that a thread loads at once
constexpr int lanes_m = 4;                     // threads of a warp along the rows of C
constexpr int lanes_n = 8;
constexpr int warps_n = TILE_N / (lanes_n * THREAD_N);
constexpr int threads = TILE_M * TILE_N / (THREAD_M * THREAD_N);
constexpr int a_pitch = TILE_M + 4;
constexpr int stage_elements = DEPTH * (a_pitch + TILE_N);
constexpr int packs_m = THREAD_M / width;
constexpr int packs_n = THREAD_N / width;


// Copies of one slab by one thread.
constexpr int run = 32 / int(sizeof(REAL));  // elements of a row of A that a warp copies side by side
constexpr int a_rows = threads / run;        // rows of A that the block copies at a time
constexpr int a_copies = TILE_M / a_rows;
constexpr int b_width = B_BYTES / int(sizeof(REAL));
constexpr int b_pieces = TILE_N / b_width;  // of a row of B
constexpr int b_parts = b_pieces > threads ? b_pieces / threads : 1;  // of a row of B, if it takes several times
constexpr int b_rows = b_pieces > threads ? 1 : threads / b_pieces;   // of B that the block copies at a time
constexpr int b_copies = (DEPTH + b_rows - 1) / b_rows * b_parts;
static_assert(b_copies / b_parts % PORTIONS == 0 || b_parts == 1);
constexpr bool b_carried = B_BYTES < 16;  // through registers, this many pieces at a time:
constexpr int carried = b_carried ? (b_copies + PORTIONS - 1) / PORTIONS : 0;
static_assert(a_copies * a_rows == TILE_M && DEPTH % run == 0);
static_assert(b_pieces > threads ? b_pieces % threads == 0 : threads % b_pieces == 0);

// Registers are planned for as many blocks per multiprocessor as their sums and operands leave room for. What is left
// for the rest is a little more on architectures whose compilers want it, and where copies in two groups, or the parts
// of a product of padded rows, keep more addresses than fit beside 64 sums, or pairs of B are carried.
constexpr bool crowded =
    THREAD_M * THREAD_N == 64 && (PORTIONS == 2 || (B_PADDED && SPLITS > 1) || B_BYTES == 8);
#if __CUDA_ARCH__ != 900
constexpr int few = B_BYTES == 8 ? 40 : 24;
constexpr int spare = crowded ? 28 : THREAD_M * THREAD_N < 64 || PORTIONS > 2 ? few : 20;
#else
constexpr int spare = crowded ? 28 : 20;
#endif
constexpr int words =
    int(sizeof(REAL)) / 4 * (THREAD_M * THREAD_N + 2 * (THREAD_M + THREAD_N) + carried * b_width) +
    (carried > 8 ? carried : 0) +  // addresses
    2 * (a_copies + b_parts) + spare;
constexpr int by_registers = 512 / words * 4 * 32 / threads;  // a quarter of 65536 for each of four schedulers
constexpr int by_threads = 1536 / threads;
constexpr int resident = by_registers < 1 ? 1 : by_registers < by_threads ? by_registers : by_threads;

struct alignas(16) Pack {
  REAL element[width];
};

/// What is copied of B at once.
struct alignas(B_BYTES) Piece {
  REAL element[b_width];
};

struct Operands {
  REAL a[THREAD_M];
  REAL b[THREAD_N];
};

struct Sums {
  REAL at[THREAD_M][THREAD_N];
};

/// `bytes` from global to shared memory.
template <int bytes>
__device__ inline void copy_piece(unsigned to, const REAL* from) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(bytes));
  }
}

/// The same, or zeros if they are not `there`.
template <int bytes>
__device__ inline void copy_piece(unsigned to, const REAL* from, bool there) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(bytes),
                 "r"(there ? bytes : 0));
  }
}

/// `offset` elements further on, in one instruction; the compiler would take two.
__device__ inline const REAL* further(const REAL* from, unsigned offset) {
  const REAL* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(offset), "n"(int(sizeof(REAL))), "l"(from));
  return to;
}

/// What one thread copies of each slab.
struct Copier {
  const REAL* a[a_copies];  // of the first slab
  const REAL* b[b_parts];
  int n;  // from one row of B to the next
  unsigned a_to;  // in a stage, in bytes
  unsigned b_to;

  /// `columns` are those that B has in memory.
  __device__ Copier(const REAL* A, const REAL* B, int rows, int columns, int k, int first_row, int first_column)
      : n(columns),
        a_to((a_step() * a_pitch + a_row()) * sizeof(REAL)),
        b_to((DEPTH * a_pitch + int(threadIdx.x) * b_width) * sizeof(REAL)) {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
      a[i] = A + size_t(min(first_row + a_row() + i * a_rows, rows - 1)) * k + a_step();
    }
#pragma unroll
    for (int part = 0; part < b_parts; ++part) {
      b[part] = B + size_t(b_step()) * n + min(first_column + b_column() + part * threads * b_width, n - b_width);
    }
  }

  /// The first slab, of which `depth` steps exist.
  __device__ void copy_first(unsigned stage, int depth) const {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) {
        const bool there = a_step() + q < depth;
        copy_piece<sizeof(REAL)>(stage + a_to + a_place(i, q), there ? a[i] + q : a[i] - a_step(), there);
      }
    }
#pragma unroll
    for (int i = 0; i < b_copies; ++i) {
      const int step = b_step() + i / b_parts * b_rows;
      const bool there = step < depth;
      if (step < DEPTH) {
        const REAL* first = b[i % b_parts] - size_t(b_step()) * n;
        copy_piece<B_BYTES>(stage + b_to + b_place(i), there ? first + size_t(step) * n : first, there);
      }
    }
  }

  /// Portion number `portion` of a slab `offset` steps after the first, all of which exist; B only where it is not
  /// carried.
  __device__ void copy(unsigned stage, int offset, int portion) const {
#pragma unroll
    for (int i = portion * a_copies / PORTIONS; i < (portion + 1) * a_copies / PORTIONS; ++i) {
      const REAL* from = further(a[i], unsigned(offset));
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) copy_piece<sizeof(REAL)>(stage + a_to + a_place(i, q), from + q);
    }
    if constexpr (!b_carried) {
      for_each_of_b(offset, portion,
                    [&](int i, const REAL* from) { copy_piece<B_BYTES>(stage + b_to + b_place(i), from); });
    }
  }
  __device__ void copy(unsigned stage, int offset) const {
#pragma unroll
    for (int portion = 0; portion < PORTIONS; ++portion) copy(stage, offset, portion);
  }

  /// B's part of a portion into registers, and from there into a stage.
  __device__ void load(Piece* pieces, int offset, int portion) const {
    for_each_of_b(offset, portion, [&](int i, const REAL* from) {
      pieces[i - first_of_b(portion)] = *reinterpret_cast<const Piece*>(from);
    });
  }
  __device__ void put(REAL* stage, const Piece* pieces, int portion) const {
    if (b_rows > DEPTH && b_step() >= DEPTH) return;
    unsigned char* to = reinterpret_cast<unsigned char*>(stage) + b_to;
#pragma unroll
    for (int i = first_of_b(portion); i < first_of_b(portion + 1); ++i) {
      *reinterpret_cast<Piece*>(to + b_place(i)) = pieces[i - first_of_b(portion)];
    }
  }

 private:
  static constexpr __device__ int first_of_b(int portion) { return portion * b_copies / PORTIONS; }

  /// `move(i, from)` for every piece of B in a portion, with its number and its place in memory.
  template <class Move>
  __device__ void for_each_of_b(int offset, int portion, Move move) const {
    if (b_rows > DEPTH && b_step() >= DEPTH) return;
    const int first = first_of_b(portion);
    const size_t down = size_t(unsigned(offset + first / b_parts * b_rows)) * unsigned(n);
    const REAL* from[b_parts];
#pragma unroll
    for (int part = 0; part < b_parts; ++part) from[part] = b[part] + down;
#pragma unroll
    for (int i = first; i < first_of_b(portion + 1); ++i) {
      move(i, from[i % b_parts]);
      if (i % b_parts == b_parts - 1) {
#pragma unroll
        for (int part = 0; part < b_parts; ++part) from[part] = further(from[part], b_rows * unsigned(n));
      }
    }
  }

  static __device__ int a_step() { return int(threadIdx.x) % run; }
  static __device__ int a_row() { return int(threadIdx.x) / run; }
  static __device__ int b_step() { return int(threadIdx.x) * b_width / TILE_N; }
  static __device__ int b_column() { return int(threadIdx.x) * b_width % TILE_N; }
  static __device__ unsigned a_place(int i, int q) { return (q * a_pitch + i * a_rows) * sizeof(REAL); }
  static __device__ unsigned b_place(int i) { return i * threads * b_width * sizeof(REAL); }
};

/// The operands of one step of k for one thread: `a` and `b` begin with its first row and column.
__device__ inline void load_operands(Operands& to, const REAL* a, const REAL* b) {
#pragma unroll
  for (int i = 0; i < packs_m; ++i) {
    const Pack pack = *reinterpret_cast<const Pack*>(a + i * lanes_m * width);
#pragma unroll
    for (int j = 0; j < width; ++j) to.a[i * width + j] = pack.element[j];
  }
#pragma unroll
  for (int i = 0; i < packs_n; ++i) {
    const Pack pack = *reinterpret_cast<const Pack*>(b + i * lanes_n * width);
#pragma unroll
    for (int j = 0; j < width; ++j) to.b[i * width + j] = pack.element[j];
  }
}

/// To and fro along the rows: each product has an operand in common with the one before it.
__device__ inline void multiply(Sums& sums, const Operands& operands) {
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) {
      const int column = i % 2 == 0 ? j : THREAD_N - 1 - j;
      sums.at[i][column] += operands.a[i] * operands.b[column];
    }
  }
}

/// Adds up `slabs` slabs, of which the first has `first_depth` steps.
__device__ inline void multiply_slabs(Sums& sums, const Copier& copier, REAL* stages, int slabs, int first_depth,
                                      int row_in_tile, int column_in_tile) {
  constexpr int portion_steps = (DEPTH - 1) / PORTIONS;
  constexpr unsigned stage_bytes = stage_elements * sizeof(REAL);
  const unsigned first = unsigned(__cvta_generic_to_shared(stages));
  copier.copy_first(first, first_depth);
  asm volatile("cp.async.commit_group;" ::: "memory");
  int offset = first_depth;
#pragma unroll
  for (int slab = 1; slab < STAGES - 1; ++slab) {
    if (slab < slabs) copier.copy(first + slab * stage_bytes, offset);
    offset += DEPTH;
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
  __syncthreads();

  const REAL* a = stages + row_in_tile;
  const REAL* b = stages + DEPTH * a_pitch + column_in_tile;
  unsigned to = first + (STAGES - 1) * stage_bytes;  // where the next slab is copied
  int left = STAGES - 1;                             // stages that follow that of the slab being multiplied
  Operands operands[2];
  Piece pieces[carried > 0 ? carried : 1];
  load_operands(operands[0], a, b);
#pragma unroll 1
  for (int slab = 0; slab < slabs; ++slab) {
    const int forward = left > 0 ? stage_elements : (1 - STAGES) * stage_elements;
    left = left > 0 ? left - 1 : STAGES - 1;
    REAL* next = const_cast<REAL*>(a) - row_in_tile + forward;  // the stage of the next slab
#pragma unroll
    for (int step = 0; step < DEPTH - 1; ++step) {
      load_operands(operands[(step + 1) % 2], a + (step + 1) * a_pitch, b + (step + 1) * TILE_N);
      if (step % portion_steps == 0 && step / portion_steps < PORTIONS) {
        const int portion = step / portion_steps;
        if (slab + STAGES - 1 < slabs) copier.copy(to, offset, portion);
        if (portion == PORTIONS - 1) asm volatile("cp.async.commit_group;" ::: "memory");
        if (b_carried && slab + 1 < slabs) {
          if (portion > 0) copier.put(next, pieces, portion - 1);
          copier.load(pieces, offset - (STAGES - 2) * DEPTH, portion);
        }
      }
      multiply(sums, operands[step % 2]);
    }
    if (b_carried && slab + 1 < slabs) copier.put(next, pieces, PORTIONS - 1);
    // The next slab is complete for all, and nobody reads this one any more.
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    to = unsigned(__cvta_generic_to_shared(a - row_in_tile));
    a += forward;
    b += forward;
    offset += DEPTH;
    load_operands(operands[0], a, b);
    multiply(sums, operands[(DEPTH - 1) % 2]);
  }
}

__device__ inline void store_pack(REAL* to, const REAL* from) {
  Pack pack;
#pragma unroll
  for (int j = 0; j < width; ++j) pack.element[j] = from[j];
  *reinterpret_cast<Pack*>(to) = pack;
}

/// A pack of a row of C, of which `left` elements exist. `packed` if every row begins at a pack.
__device__ inline void store_edge(REAL* to, const REAL* from, int left, bool packed) {
  if (packed && left >= width) {
    store_pack(to, from);
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j) {
      if (j < left) to[j] = from[j];
    }
  }
}

#if SPLITS > 1
/// Leaves this block's sums for the others. True in the last block of the tile, which gets the sums of all.
__device__ inline bool join_parts(Sums& sums, Pack* partial, unsigned* finished) {
  constexpr size_t packs = packs_n * THREAD_M;
  Pack* own = partial + (size_t{blockIdx.x} * SPLITS + blockIdx.y) * packs * threads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      Pack pack;
#pragma unroll
      for (int j = 0; j < width; ++j) pack.element[j] = sums.at[i][p * width + j];
      own[(i * packs_n + p) * threads] = pack;
    }
  }
  __threadfence();  // the sums before the number
  __syncthreads();
  bool is_last = false;
  if (threadIdx.x == 0) is_last = atomicAdd(finished + blockIdx.x, 1U) == SPLITS - 1;
  if (!__syncthreads_or(is_last)) return false;
  if (threadIdx.x == 0) finished[blockIdx.x] = 0;
  __threadfence();  // the number before the others' sums

  const Pack* first = partial + size_t{blockIdx.x} * SPLITS * packs * threads + threadIdx.x;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }
#pragma unroll 1
  for (int split = 0; split < SPLITS; ++split) {
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
      for (int p = 0; p < packs_n; ++p) {
        // Past the L1 cache, which may hold old values.
        const Pack* from = first + (split * packs + i * packs_n + p) * threads;
        const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(from));
        const Pack& pack = reinterpret_cast<const Pack&>(bits);
#pragma unroll
        for (int j = 0; j < width; ++j) sums.at[i][p * width + j] += pack.element[j];
      }
    }
  }
  return true;
}
#endif

extern "C" __global__ void __launch_bounds__(threads, resident)
    matmul_register_tiled(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C,
                          Pack* partial, unsigned* finished, int m, int n, int k) {
  extern __shared__ __align__(16) unsigned char shared_memory[];
  REAL* stages = reinterpret_cast<REAL*>(shared_memory);

  const unsigned tiles_m = (unsigned(m) + TILE_M - 1) / TILE_M;
  const unsigned tiles_n = (unsigned(n) + TILE_N - 1) / TILE_N;
  const unsigned band_first = blockIdx.x / (BAND * tiles_n) * BAND;
  const unsigned band_height = min(tiles_m - band_first, unsigned(BAND));
  const unsigned in_band = blockIdx.x % (BAND * tiles_n);
  const int first_row = int((band_first + in_band % band_height) * TILE_M);
  const int first_column = int(in_band / band_height * TILE_N);

  // This block's part of k, in slabs.
  const unsigned all_slabs = (unsigned(k) + DEPTH - 1) / DEPTH;
  const unsigned begin = unsigned(size_t{all_slabs} * blockIdx.y / SPLITS);
  const unsigned end = unsigned(size_t{all_slabs} * (blockIdx.y + 1) / SPLITS);
  const int slabs = int(end - begin);
  const size_t k_begin = size_t{begin} * DEPTH;
  const int steps = int(min(size_t{end} * DEPTH, size_t(k)) - k_begin);

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // Threads of which number 1 differs share rows of A, those of which number 2 does columns of B: what shared memory
  // needs to serve half a warp's 16-byte loads at once.
  const int lane_m = lane / 2 % 2 + lane / 16 * 2;
  const int lane_n = lane % 2 + lane / 4 % 4 * 2;
  const int row_in_tile = warp / warps_n * (lanes_m * THREAD_M) + lane_m * width;
  const int column_in_tile = warp % warps_n * (lanes_n * THREAD_N) + lane_n * width;

  Sums sums = {};
  if (SPLITS == 1 || slabs > 0) {
    const int b_row = B_PADDED ? (n + width - 1) / width * width : n;  // elements from one to the next
    const Copier copier(A + k_begin, B + k_begin * b_row, m, b_row, k, first_row, first_column);
    multiply_slabs(sums, copier, stages, slabs, steps - (slabs - 1) * DEPTH, row_in_tile, column_in_tile);
  }
#if SPLITS > 1
  if (!join_parts(sums, partial, finished)) return;
#endif

  const bool packed = n % width == 0;
  const bool whole = packed && first_row + TILE_M <= m && first_column + TILE_N <= n;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + row_in_tile + i / width * (lanes_m * width) + i % width;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      const int column = first_column + column_in_tile + p * (lanes_n * width);
      REAL* to = C + size_t(row) * n + column;
      if (whole) {
        store_pack(to, sums.at[i] + p * width);
      } else if (row < m) {
        store_edge(to, sums.at[i] + p * width, n - column, packed);
      }
    }
  }
}
