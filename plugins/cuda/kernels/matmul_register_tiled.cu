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
// Odd rows        Where n is no multiple of 16 bytes, rows of B begin anywhere, and copies of 16 bytes do not. So a row is
//                 copied from the place before, and lies some elements further right in shared memory. By how many is
//                 known when this is compiled, since slabs begin at multiples of four steps: BEFORE = n modulo the
//                 elements of 16 bytes says it all. The pack that a row needs beyond its last is copied by one warp for
//                 all rows of a slab. Four numbers then take two loads or four instead of one, in three of
//                 four steps. Rows of C, too, begin anywhere; a warp sorts its part of them in shared memory, so that it
//                 writes each in order.
// Arithmetic      2·m·n·k operations. Per step of k a thread issues THREAD_M·THREAD_N multiply-adds and, for float,
//                 (THREAD_M + THREAD_N) / 4 loads: 128 to 6 for 16×8, 64 to 4 for 8×8. Per block and step of k
//                 TILE_M + TILE_N elements come from the second-level cache for TILE_M·TILE_N multiply-adds:
//                 43 operations per byte for 256×128 floats.
// Expected limit  The issue of instructions: the share of multiply-adds among them. Small products: too few blocks for
//                 all multiprocessors, which SPLITS > 1 helps; flat ones (small k) the writing of C.
//
// Nothing outside the matrices is read: rows of A and columns of B beyond the edge are replaced by others, whose
// products are not stored; the last slab, which may not be full, comes first, filled up with zeros. Blocks go through C
// in bands of BAND tiles' height, so that those that run together share A and B in the second-level cache.
//
// With SPLITS > 1 as many blocks work on a tile, each on a part of k. They leave their sums in `partial`, and the one
// that ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts
// them per tile; it is zero before and after.
//
// ALONG is the order of a thread's multiplications, see multiply. REAL is float or double. A and B begin at multiples of
// 16 bytes.
#define ROWS 0  // values of ALONG
#define COLUMNS 1
#define SQUARES_2 2
#define SQUARES_4 3

constexpr int width = 16 / int(sizeof(REAL));  // elements that a thread loads at once
constexpr int lanes_m = 4;                     // threads of a warp along the rows of C
constexpr int lanes_n = 8;
constexpr int warps_n = TILE_N / (lanes_n * THREAD_N);
constexpr int threads = TILE_M * TILE_N / (THREAD_M * THREAD_N);
constexpr int a_pitch = TILE_M + 4;
constexpr int b_pitch = TILE_N + (BEFORE == 0 ? 0 : width);
constexpr int stage_elements = DEPTH * (a_pitch + b_pitch);
constexpr int packs_m = THREAD_M / width;
constexpr int packs_n = THREAD_N / width;

// Copies of one slab by one thread.
constexpr int run = 32 / int(sizeof(REAL));  // elements of a row of A that a warp copies side by side
constexpr int a_rows = threads / run;        // rows of A that the block copies at a time
constexpr int a_copies = TILE_M / a_rows;
constexpr int b_packs = TILE_N / width;                               // of a row of B
constexpr int b_parts = b_packs > threads ? b_packs / threads : 1;    // of a row of B, if it takes several times
constexpr int b_rows = b_packs > threads ? 1 : threads / b_packs;     // of B that the block copies at a time
constexpr int b_copies = (DEPTH + b_rows - 1) / b_rows * b_parts;
constexpr bool one_place = b_rows % width == 0;  // all rows that a thread copies begin at the same place in a pack
static_assert(b_copies / b_parts % PORTIONS == 0 || b_parts == 1);
static_assert(a_copies * a_rows == TILE_M && DEPTH % run == 0 && DEPTH % width == 0);
static_assert(b_packs > threads ? b_packs % threads == 0 : threads % b_packs == 0);

// Registers are planned for as many blocks per multiprocessor as their sums and operands leave room for. What is left
// for the rest is a little more on architectures whose compilers want it, and where copies in two groups, or the parts
// of a product, keep more addresses than fit beside 64 sums.
constexpr bool crowded = THREAD_M * THREAD_N == 64 && (PORTIONS == 2 || SPLITS > 1);
constexpr bool apart = THREAD_M * THREAD_N == 64 && BEFORE % 2 != 0 && PORTIONS == 1;  // loads have more addresses
#if __CUDA_ARCH__ != 900
constexpr int spare = crowded || apart ? 28 : THREAD_M * THREAD_N < 64 || PORTIONS > 2 ? 24 : 20;
#else
constexpr bool loose = BEFORE != 0 && THREAD_M * THREAD_N < 64;
constexpr int spare = crowded || (apart && ALONG == ROWS) ? 28 : loose ? 24 : 20;
#endif
constexpr int words = int(sizeof(REAL)) / 4 * (THREAD_M * THREAD_N + 2 * (THREAD_M + THREAD_N)) +
                      2 * (a_copies + b_parts) + spare;
constexpr int by_registers = 512 / words * 4 * 32 / threads;  // a quarter of 65536 for each of four schedulers
constexpr int by_threads = 1536 / threads;
constexpr int resident = by_registers < 1 ? 1 : by_registers < by_threads ? by_registers : by_threads;

struct alignas(16) Pack {
  REAL element[width];
};

struct Operands {
  REAL a[THREAD_M];
  REAL b[THREAD_N];
};

struct Sums {
  REAL at[THREAD_M][THREAD_N];
};

/// An element, or a pack, from global to shared memory.
__device__ inline void copy_element(unsigned to, const REAL* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(int(sizeof(REAL))));
}
__device__ inline void copy_pack(unsigned to, const REAL* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

/// The same, or zeros from byte number `bytes` on.
__device__ inline void copy_element(unsigned to, const REAL* from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(int(sizeof(REAL))),
               "r"(bytes));
}
__device__ inline void copy_pack(unsigned to, const REAL* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

/// The beginning of the pack that `from` is in.
__device__ inline const REAL* pack_of(const REAL* from) {
  return BEFORE == 0 ? from : reinterpret_cast<const REAL*>(reinterpret_cast<size_t>(from) & ~size_t{15});
}

/// `offset` elements further on, in one instruction; the compiler would take two.
__device__ inline const REAL* further(const REAL* from, unsigned offset) {
  const REAL* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(offset), "n"(int(sizeof(REAL))), "l"(from));
  return to;
}

/// What one thread copies of each slab.
struct Copier {
  const REAL* a[a_copies];  // of the last slab, and once that is copied, the first
  const REAL* b[b_parts];   // the pack, if one_place; else the element
  int n;
  const REAL* rest;  // the pack after the last of row number threadIdx.x, if that begins within a pack
  bool has_rest;
  unsigned a_to;   // in a stage, in bytes
  unsigned b_to;

  __device__ Copier(const REAL* A, const REAL* B, int rows, int columns, int k, int first_row, int first_column)
      : n(columns),
        rest(pack_of(B + size_t(threadIdx.x) * columns + first_column + TILE_N - 1)),
        has_rest(threadIdx.x < DEPTH && threadIdx.x * BEFORE % width != 0 && first_column + TILE_N - width < columns),
        a_to((a_step() * a_pitch + a_row()) * sizeof(REAL)),
        b_to((DEPTH * a_pitch + b_element()) * sizeof(REAL)) {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
      a[i] = A + size_t(min(first_row + a_row() + i * a_rows, rows - 1)) * k + a_step();
    }
#pragma unroll
    for (int part = 0; part < b_parts; ++part) {
      const int column = min(first_column + b_column() + part * threads * width, n - (BEFORE == 0 ? width : 1));
      b[part] = B + size_t(b_step()) * n + column;
      if (one_place) b[part] = pack_of(b[part]);
    }
  }

  /// The last slab, from where the pointers are, which then go `back` steps to the first; `depth` steps of it exist. It
  /// may hold the last row of B, which ends at `end`, before its last pack does; `B` is any pack of it.
  __device__ void copy_last(unsigned stage, int depth, int back, const REAL* B, const REAL* end) {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) {
        const bool there = a_step() + q < depth;
        copy_element(stage + a_to + a_place(i, q), there ? a[i] + q : a[i] - a_step(), there ? int(sizeof(REAL)) : 0);
      }
      a[i] -= back;
    }
#pragma unroll
    for (int part = 0; part < b_parts; ++part) {
      const REAL* from = b[part];
#pragma unroll
      for (int i = part; i < b_copies; i += b_parts) {
        const int step = b_step() + i / b_parts * b_rows;
        if (step >= DEPTH) break;
        const unsigned to = stage + b_to + b_place(i);
        const REAL* pack = pack_of(from);
        copy_pack(to, step < depth ? pack : B, step < depth ? bytes_before(end, pack) : 0);
        from += size_t(unsigned(b_rows)) * unsigned(n);
      }
      b[part] -= size_t(unsigned(back)) * unsigned(n);
    }
    if (has_rest) {
      const int bytes = int(threadIdx.x) < depth ? bytes_before(end, rest) : 0;
      copy_pack(stage + rest_to(), bytes > 0 ? rest : B, bytes);
    }
    rest -= size_t(unsigned(back)) * unsigned(n);
  }

  /// Portion number `portion` of the slab that begins with step `offset`, all of which exists.
  __device__ void copy(unsigned stage, int offset, int portion) const {
    if (portion == (PORTIONS > 1 ? 1 : 0) && has_rest) copy_pack(stage + rest_to(), rest + size_t(unsigned(offset)) * unsigned(n));
#pragma unroll
    for (int i = portion * a_copies / PORTIONS; i < (portion + 1) * a_copies / PORTIONS; ++i) {
      const REAL* from = further(a[i], unsigned(offset));
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) copy_element(stage + a_to + a_place(i, q), from + q);
    }
    if (b_rows > DEPTH && b_step() >= DEPTH) return;
    const int first = portion * b_copies / PORTIONS;
    const size_t down = size_t(unsigned(offset + first / b_parts * b_rows)) * unsigned(n);
    const REAL* from[b_parts];
#pragma unroll
    for (int part = 0; part < b_parts; ++part) from[part] = b[part] + down;
#pragma unroll
    for (int i = first; i < (portion + 1) * b_copies / PORTIONS; ++i) {
      const REAL* pack = one_place ? from[i % b_parts] : pack_of(from[i % b_parts]);
      copy_pack(stage + b_to + b_place(i), pack);
      if (i % b_parts != b_parts - 1) continue;
#pragma unroll
      for (int part = 0; part < b_parts; ++part) from[part] = further(from[part], b_rows * unsigned(n));
    }
  }
  __device__ void copy(unsigned stage, int offset) const {
#pragma unroll
    for (int portion = 0; portion < PORTIONS; ++portion) copy(stage, offset, portion);
  }

 private:
  /// Of a pack's 16.
  static __device__ int bytes_before(const REAL* end, const REAL* pack) {
    if (BEFORE == 0) return 16;
    const long long left = reinterpret_cast<const char*>(end) - reinterpret_cast<const char*>(pack);
    return left >= 16 ? 16 : left > 0 ? int(left) : 0;
  }
  static __device__ int a_step() { return int(threadIdx.x) % run; }
  static __device__ int a_row() { return int(threadIdx.x) / run; }
  static __device__ int b_step() { return int(threadIdx.x) * width / TILE_N; }
  static __device__ int b_column() { return int(threadIdx.x) * width % TILE_N; }
  /// The same as the sum of rows and columns where rows have no more than TILE_N elements, but one register less.
  static __device__ int b_element() {
    return BEFORE == 0 ? int(threadIdx.x) * width : b_step() * b_pitch + b_column();
  }
  static __device__ unsigned rest_to() {
    return (DEPTH * a_pitch + threadIdx.x * b_pitch + TILE_N) * sizeof(REAL);
  }
  static __device__ unsigned a_place(int i, int q) { return (q * a_pitch + i * a_rows) * sizeof(REAL); }
  static __device__ unsigned b_place(int i) {
    return (i / b_parts * b_rows * b_pitch + i % b_parts * threads * width) * sizeof(REAL);
  }
};

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
                                      const REAL* B, const REAL* end, int row_in_tile, int column_in_tile) {
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
  __syncthreads();

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
    __syncthreads();
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

__device__ inline void store_pack(REAL* to, const REAL* from) {
  Pack pack;
#pragma unroll
  for (int j = 0; j < width; ++j) pack.element[j] = from[j];
  *reinterpret_cast<Pack*>(to) = pack;
}

#if BEFORE != 0
/// Stores what a warp has of C, whose first element is in row `row` and column `column`. Rows begin anywhere: those that
/// the warp's threads have at a time are laid out in `held` and written one after the other.
__device__ inline void store_rows(const Sums& sums, REAL* C, REAL* held, int row, int column, int lane_m, int lane_n,
                                  int m, int n) {
  constexpr int columns = lanes_n * THREAD_N;
  constexpr int pitch = columns + 64 / int(sizeof(REAL));
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      store_pack(held + lane_m * pitch + (p * lanes_n + lane_n) * width, sums.at[i] + p * width);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < lanes_m; ++r) {
      const int below = row + i / width * (lanes_m * width) + r * width + i % width;
      REAL* to = C + size_t(below) * n + column + lane;
#pragma unroll
      for (int c = 0; c < columns; c += 32) {
        if (below < m && column + c + lane < n) to[c] = held[r * pitch + c + lane];
      }
    }
    __syncwarp();
  }
}
#endif

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
  const Sums mine = sums;
  // In registers, where there are some left for both. (Where rows of B begin with packs that costs the loop more time.)
  constexpr bool kept = BEFORE != 0 && sizeof(REAL) * THREAD_M * THREAD_N == 256 && THREAD_N == 8;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
    for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] = 0;
  }
#pragma unroll 1
  for (unsigned split = 0; split < SPLITS; ++split) {
    if (kept && split == blockIdx.y) {
#pragma unroll
      for (int i = 0; i < THREAD_M; ++i) {
#pragma unroll
        for (int j = 0; j < THREAD_N; ++j) sums.at[i][j] += mine.at[i][j];
      }
      continue;
    }
#pragma unroll
    for (int i = 0; i < THREAD_M; ++i) {
      // All loads at once would leave no registers: those of doubles stay behind the sums before them.
      if (sizeof(REAL) == 8 && i % 4 == 0) __syncwarp();
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
    const size_t last = k_begin + (slabs - 1) * DEPTH;
    Copier copier(A + last, B + last * n, m, n, k, first_row, first_column);
    multiply_slabs(sums, copier, stages, slabs, steps, B, B + size_t(k) * n, row_in_tile, column_in_tile);
  }
#if SPLITS > 1
  if (!join_parts(sums, partial, finished)) return;
#endif

#if BEFORE != 0
  __syncthreads();  // all have read their last operands
  REAL* held = stages + warp * (lanes_m * (lanes_n * THREAD_N + 64 / int(sizeof(REAL))));
  store_rows(sums, C, held, first_row + row_in_tile - lane_m * width, first_column + column_in_tile - lane_n * width,
             lane_m, lane_n, m, n);
#else
  const bool whole = first_row + TILE_M <= m && first_column + TILE_N <= n;
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = first_row + row_in_tile + i / width * (lanes_m * width) + i % width;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) {
      const int column = first_column + column_in_tile + p * (lanes_n * width);
      if (whole || (row < m && column < n)) store_pack(C + size_t(row) * n + column, sums.at[i] + p * width);
    }
  }
#endif
}
