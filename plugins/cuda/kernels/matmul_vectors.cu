// Products of a matrix and one to four vectors: C (m×n) = A (m×k) · B (k×n), row-major, with n ≤ 4 or m ≤ 4.
//
// What it shows   Two operations per element of the larger operand and vector: memory's time, or that of the second-level
//                 cache, is all there is. Each lane has 8 loads of 16 bytes under way, and nothing waits for anything before
//                 the sums are joined: no operand goes through shared memory. The vectors are so short that what a warp
//                 reads of them is in the first-level cache for the others.
// Few columns     (BY_COLUMNS) A warp computes ROWS rows of C; its lanes lie along k. SHARE warps of a block share rows, each
//                 with a part of k, so that long rows, too, are read by many.
// Few rows        LANES lanes lie along a row of B, and 32 / LANES rows are read at a time; the warps of a block take turns.
//                 Short strips of many rows, or long ones of few: as the number of blocks wants it.
// Access pattern  The larger operand once, in order, in runs of 512 bytes, or of 16 · LANES. Where rows do not begin at
//                 multiples of 16 bytes lanes read single elements.
// Arithmetic      2·m·n·k operations, one or two per byte of the larger operand and vector. Per 16 bytes of it 4 multiply-adds
//                 and, of the vectors, 16 / ROWS bytes, or 4.
// Expected limit  Memory: 4096 × 1 × 4096 on an H100 takes 24.4 µs, 2.7 TB/s. Where the second-level cache holds all: 16 MB take
//                 5 µs, of which 2.5 are the launch.
//
// With SPLITS > 1 as many blocks share a part of C, each for a part of k. They leave their sums in `partial`, and the one that
// ends last adds them up in the order of the parts: the result does not change from run to run. `finished` counts them; it is
// zero before and after. PACKED: rows of the larger operand begin at multiples of 16 bytes. REAL is float or double.
#include "count_up.cuh"
#include "lane_sums.cuh"

constexpr int width = 16 / int(sizeof(REAL));
constexpr int threads = 32 * WARPS;

struct alignas(16) Pack {
  REAL element[width];
};

/// Loads from the larger operand: it is read once, and what else the caches hold is worth more.
__device__ inline Pack load_once(const REAL* from) {
  const uint4 bits = __ldcs(reinterpret_cast<const uint4*>(from));
  return reinterpret_cast<const Pack&>(bits);
}

#if BY_COLUMNS

constexpr int run = 32 * width;                             // elements that a warp reads of a row at a time
constexpr int sharing = SHARE;                              // warps whose sums are added up
constexpr int outputs = WARPS / SHARE * ROWS * COLUMNS;  // of a block

__device__ inline void store_output(REAL* C, int output, REAL value, int m, int) {
  const size_t at = size_t(blockIdx.x) * outputs + output;
  if (at < size_t(m) * COLUMNS) C[at] = value;
}

/// A lane's elements of the runs that begin at `first`, before `end`: neighbours, or 32 apart.
__device__ inline int place(int first, int lane, int j) { return first + (PACKED ? lane * width + j : lane + 32 * j); }

__device__ inline Pack load_run(const REAL* row, int first, int end, int lane) {
  Pack pack = {};
#if PACKED
  if (place(first, lane, 0) < end) pack = load_once(row + place(first, lane, 0));
#else
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (place(first, lane, j) < end) pack.element[j] = row[place(first, lane, j)];
  }
#endif
  return pack;
}

/// The rows of B that belong to it.
__device__ inline void load_vectors(REAL* to, const REAL* B, int first, int end, int lane) {
#if PACKED
  const REAL* from = B + size_t(unsigned(place(first, lane, 0))) * COLUMNS;
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    Pack pack = {};
    if (place(first, lane, 0) < end) pack = reinterpret_cast<const Pack*>(from)[c];
#pragma unroll
    for (int j = 0; j < width; ++j) to[c * width + j] = pack.element[j];
  }
#else
#pragma unroll
  for (int j = 0; j < width; ++j) {
    const int at = place(first, lane, j);
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) to[j * COLUMNS + c] = at < end ? B[size_t(unsigned(at)) * COLUMNS + c] : REAL(0);
  }
#endif
}

/// Leaves each warp's sums in `parts`.
__device__ inline void compute(const REAL* A, const REAL* B, REAL* parts, int m, int, int k) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first_row = (blockIdx.x * (WARPS / SHARE) + warp / SHARE) * ROWS;
  const size_t runs = (unsigned(k) + run - 1) / run;
  const unsigned part = blockIdx.y * SHARE + warp % SHARE;
  const int begin = int(runs * part / (SPLITS * SHARE) * run);
  const int end = int(min(runs * (part + 1) / (SPLITS * SHARE) * run, size_t(k)));
  const REAL* rows[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) rows[r] = A + size_t(min(first_row + r, m - 1)) * k;
  constexpr int sums_of_lane = padded(ROWS * COLUMNS);
  REAL sums[sums_of_lane] = {};
#pragma unroll 1
  for (int first = begin; first < end; first += run * TOGETHER) {
    Pack a[TOGETHER][ROWS];
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) a[t][r] = load_run(rows[r], first + t * run, end, lane);
    }
    REAL b[TOGETHER][width * COLUMNS];
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) load_vectors(b[t], B, first + t * run, end, lane);
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) {
#pragma unroll
      for (int i = 0; i < ROWS * COLUMNS; ++i) {
#pragma unroll
        for (int j = 0; j < width; ++j) {
          sums[i] += a[t][i / COLUMNS].element[j] * b[t][j * COLUMNS + i % COLUMNS];
        }
      }
    }
  }
  int number = 0;
  add_up_lanes<sums_of_lane, 16>(sums, lane, number);
  REAL* of_warp = parts + warp % SHARE * outputs + warp / SHARE * (ROWS * COLUMNS);
  if (number < ROWS * COLUMNS) of_warp[number] = sums[0];
}

#else

constexpr int strip = LANES * width;  // columns of C of a block
constexpr int sharing = WARPS;        // warps whose sums are added up
constexpr int outputs = ROWS * strip;

__device__ inline void store_output(REAL* C, int output, REAL value, int, int n) {
  const int column = blockIdx.x * strip + output % strip;
  if (column < n) C[size_t(output / strip) * n + column] = value;
}

/// The next elements of a row, of which so many are left; others are zero.
__device__ inline Pack load_pack(const REAL* from, int left) {
  Pack pack = {};
#if PACKED
  if (left > 0) pack = load_once(from);
#else
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (j < left) pack.element[j] = from[j];
  }
#endif
  return pack;
}

/// Leaves each warp's sums in `parts`.
__device__ inline void compute(const REAL* A, const REAL* B, REAL* parts, int, int n, int k) {
  constexpr int rows_of_load = 32 / LANES;
  constexpr int turn = WARPS * rows_of_load;  // rows of B that the block reads at a time
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int column = blockIdx.x * strip + lane % LANES * width;
  const int end = int(size_t(unsigned(k)) * (blockIdx.y + 1) / SPLITS);
  int first = int(size_t(unsigned(k)) * blockIdx.y / SPLITS) + warp * rows_of_load;
  const REAL* from = B + size_t(unsigned(first + lane / LANES)) * unsigned(n) + column;
  const size_t down = size_t(unsigned(n)) * turn;
  REAL sums[ROWS][width] = {};
#pragma unroll 1
  for (; first < end; first += TOGETHER * turn) {
    const int step = first + lane / LANES;
    Pack b[TOGETHER];
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) {
      b[t] = load_pack(from, step + t * turn < end ? n - column : 0);
      from += down;
    }
    REAL a[TOGETHER][ROWS];
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) a[t][r] = step + t * turn < end ? A[size_t(r) * unsigned(k) + step + t * turn] : REAL(0);
    }
#pragma unroll
    for (int t = 0; t < TOGETHER; ++t) {
#pragma unroll
      for (int i = 0; i < ROWS * width; ++i) sums[i / width][i % width] += a[t][i / width] * b[t].element[i % width];
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    Pack pack;
#pragma unroll
    for (int j = 0; j < width; ++j) {
#pragma unroll
      for (int distance = LANES; distance < 32; distance *= 2) {
        sums[r][j] += __shfl_xor_sync(~0U, sums[r][j], distance);
      }
      pack.element[j] = sums[r][j];
    }
    if (lane < LANES) *reinterpret_cast<Pack*>(parts + warp * outputs + r * strip + lane * width) = pack;
  }
}

#endif

extern "C" __global__ void __launch_bounds__(threads, RESIDENT)
    matmul_vectors(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C, REAL* partial,
                   unsigned* finished, int m, int n, int k) {
  __shared__ alignas(16) REAL parts[(sharing * outputs + width - 1) / width * width];
  compute(A, B, parts, m, n, k);
  __syncthreads();
  REAL* const of_tile = partial + size_t(blockIdx.x) * SPLITS * outputs;
  for (int o = threadIdx.x; o < outputs; o += threads) {
    REAL total = 0;
#pragma unroll
    for (int w = 0; w < sharing; ++w) total += parts[w * outputs + o];
    if (SPLITS == 1) {
      store_output(C, o, total, m, n);
    } else {
      of_tile[size_t(blockIdx.y) * outputs + o] = total;
    }
  }
#if SPLITS > 1
  __syncthreads();  // all of the block have written
  bool last = false;
  if (threadIdx.x == 0) last = count_up(finished + blockIdx.x) == SPLITS - 1;
  if (!__syncthreads_or(last)) return;
  for (int o = threadIdx.x; o < outputs; o += threads) {
    REAL total = 0;
#pragma unroll 16
    for (int part = 0; part < SPLITS; ++part) total += __ldcg(of_tile + size_t(part) * outputs + o);
    store_output(C, o, total, m, n);
  }
  if (threadIdx.x == 0) finished[blockIdx.x] = 0;
#endif
}
