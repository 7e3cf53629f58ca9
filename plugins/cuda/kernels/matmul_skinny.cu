// Products with few columns or few rows: C (m×n) = A (m×k) · B (k×n), row-major, with n ≤ 32 or m ≤ 16. With four or fewer,
// matmul_vectors.cu is quicker, and for floats with more columns matmul_strips.cu.
//
// What it shows   The larger operand is read once and hardly used again: such a product is as fast as memory. Tiles for
//                 large products would be empty for the most part, and too few to have enough reads under way.
// Few columns     (BY_COLUMNS) A warp computes ROWS rows of C. Its lanes lie along k: each reads 16 bytes of each row of A,
//                 512 a warp, and multiplies them by what shared memory has of B, whose part is turned there, so that a
//                 lane reads 16 bytes of a column, too. At the end the lanes' sums are added up by halves: half of the
//                 sums go to the lane across, the other half come from there, five times.
// Few rows        A warp reads 512 bytes of a row of B, 16 a lane, and multiplies them by a column of A, which lies in
//                 shared memory and which all lanes read at once. Eight warps take rows of B in turns and add up their
//                 sums through shared memory.
// Access pattern  The larger operand once, in order; the smaller one once per block, from the second-level cache. Where
//                 rows do not begin at multiples of 16 bytes lanes read one element each.
// Arithmetic      2·m·n·k operations, n/2 (m/2) of floats per byte of the larger operand. Per 16 bytes that a lane reads
//                 of A it takes n/ROWS 16-byte loads from shared memory and 4·n multiply-adds; of B m/4 and 4·m.
// Expected limit  Loads from shared memory and multiply-adds, at 16 columns of floats 1.3 TB/s of an H100's 3.1. Short ones: the
//                 launch, and joining parts.
//
// SPLITS blocks share a part of C, each for a part of k. They leave their sums in `partial`, and the one that ends last
// adds them up in the order of the parts: the result does not change from run to run. `finished` counts them; it is zero
// before and after. PACKED: rows of the larger operand begin at multiples of 16 bytes. REAL is float or double.
#include "count_up.cuh"
#include "lane_sums.cuh"

constexpr int width = 16 / int(sizeof(REAL));
constexpr int threads = 32 * WARPS;
constexpr int run = 32 * width;  // elements that a warp reads of a row at a time

struct alignas(16) Pack {
  REAL element[width];
};

/// Where element j of a lane lies in a run.
__device__ inline int place(int lane, int j) { return PACKED ? lane * width + j : lane + 32 * j; }

/// A lane's elements of the run that begins at `row`, of which so many are left; others are zero.
__device__ inline Pack load_run(const REAL* row, int left, int lane) {
  Pack pack = {};
#if PACKED
  if (lane * width < left) pack = *reinterpret_cast<const Pack*>(row + lane * width);
#else
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (place(lane, j) < left) pack.element[j] = row[place(lane, j)];
  }
#endif
  return pack;
}

/// Steps of k of this block: from `begin` to before `end`.
struct Part {
  int begin;
  int end;
};

__device__ inline Part part_of_block(int k) {
  constexpr int grain = BY_COLUMNS ? run : 32;
  const int length = ((k + SPLITS - 1) / SPLITS + grain - 1) / grain * grain;
  const long long begin = 1LL * blockIdx.y * length;
  return {int(min(begin, 1LL * k)), int(min(begin + length, 1LL * k))};
}

#if BY_COLUMNS

constexpr int outputs = WARPS * ROWS * COLUMNS;  // of a block

__device__ inline void store_output(REAL* C, int output, REAL value, int m, int) {
  const int row = blockIdx.x * (WARPS * ROWS) + output / COLUMNS;
  if (row < m) C[size_t(row) * COLUMNS + output % COLUMNS] = value;
}

/// Leaves the block's sums in `results`.
__device__ inline void compute(const REAL* A, const REAL* B, REAL* results, Part part, int m, int, int k) {
  constexpr int runs = 2;  // of k held of B at a time
  constexpr int chunk = runs * run;
  constexpr int pitch = chunk + width;
  constexpr int sums_of_lane = padded(ROWS * COLUMNS);
  __shared__ alignas(16) REAL held[COLUMNS * pitch];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const REAL* rows[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = (blockIdx.x * WARPS + warp) * ROWS + r;
    rows[r] = A + size_t(min(row, m - 1)) * k;
  }
  REAL sums[sums_of_lane] = {};
  for (int first = part.begin; first < part.end; first += chunk) {
    Pack a[runs][ROWS];
#pragma unroll
    for (int s = 0; s < runs; ++s) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        a[s][r] = load_run(rows[r] + first + s * run, part.end - first - s * run, lane);
      }
    }
    __syncthreads();  // all have read what was held before
    const int elements = min(chunk, part.end - first) * COLUMNS;
    for (int e = threadIdx.x; e < chunk * COLUMNS; e += threads) {
      held[e % COLUMNS * pitch + e / COLUMNS] = e < elements ? B[size_t(first) * COLUMNS + e] : REAL(0);
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < runs; ++s) {
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
        Pack b;
        const REAL* column = held + c * pitch + s * run;
#if PACKED
        b = *reinterpret_cast<const Pack*>(column + lane * width);
#else
#pragma unroll
        for (int j = 0; j < width; ++j) b.element[j] = column[place(lane, j)];
#endif
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
          for (int j = 0; j < width; ++j) sums[r * COLUMNS + c] += a[s][r].element[j] * b.element[j];
        }
      }
    }
  }
  int number = 0;
  add_up_lanes<sums_of_lane, 16>(sums, lane, number);
#pragma unroll
  for (int i = 0; i < (sums_of_lane + 31) / 32; ++i) {
    if (number + i < ROWS * COLUMNS) results[warp * (ROWS * COLUMNS) + number + i] = sums[i];
  }
  __syncthreads();
}

#else

constexpr int outputs = ROWS * run;

__device__ inline void store_output(REAL* C, int output, REAL value, int, int n) {
  const int column = blockIdx.x * run + output % run;
  if (column < n) C[size_t(output / run) * n + column] = value;
}

__device__ inline void compute(const REAL* A, const REAL* B, REAL* results, Part part, int, int n, int k) {
  constexpr int packs = (ROWS + width - 1) / width;
  constexpr int pitch = (packs | 1) * width;  // an odd number of packs: other banks for the next step
  constexpr int chunk = 128;
  constexpr int together = 4;      // rows of B that a warp has under way
  constexpr int rows_at_once = 4;  // of C, when the warps' sums are added up
  __shared__ alignas(16) REAL held[chunk * pitch];
  __shared__ alignas(16) REAL parts[WARPS * rows_at_once * run];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int column = blockIdx.x * run;
  REAL sums[packs * width][width] = {};
  for (int first = part.begin; first < part.end; first += chunk) {
    const int steps = min(chunk, part.end - first);
    __syncthreads();  // all have read what was held before
    for (int e = threadIdx.x; e < chunk * packs * width; e += threads) {
      const int row = e / chunk;
      const int step = e % chunk;
      held[step * pitch + row] = row < ROWS && step < steps ? A[size_t(row) * k + first + step] : REAL(0);
    }
    __syncthreads();
    for (int step = warp; step < steps; step += WARPS * together) {
      Pack b[together];
#pragma unroll
      for (int t = 0; t < together; ++t) {
        const int at = step + t * WARPS;
        b[t] = load_run(B + size_t(first + at) * n + column, at < steps ? n - column : 0, lane);
      }
#pragma unroll
      for (int t = 0; t < together; ++t) {
        const REAL* of_step = held + min(step + t * WARPS, chunk - 1) * pitch;
#pragma unroll
        for (int p = 0; p < packs; ++p) {
          const Pack a = *reinterpret_cast<const Pack*>(of_step + p * width);
#pragma unroll
          for (int i = 0; i < width; ++i) {
#pragma unroll
            for (int j = 0; j < width; ++j) sums[p * width + i][j] += a.element[i] * b[t].element[j];
          }
        }
      }
    }
  }
#pragma unroll
  for (int row = 0; row < ROWS; row += rows_at_once) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      if (row + i >= ROWS) continue;
#pragma unroll
      for (int j = 0; j < width; ++j) parts[(warp * rows_at_once + i) * run + place(lane, j)] = sums[row + i][j];
    }
    __syncthreads();
    for (int o = threadIdx.x; o < min(rows_at_once, ROWS - row) * run; o += threads) {
      REAL total = 0;
#pragma unroll
      for (int w = 0; w < WARPS; ++w) total += parts[w * rows_at_once * run + o];
      results[row * run + o] = total;
    }
  }
  __syncthreads();
}

#endif

extern "C" __global__ void __launch_bounds__(threads)
    matmul_skinny(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C, REAL* partial,
                  unsigned* finished, int m, int n, int k) {
  __shared__ alignas(16) REAL results[(outputs + width - 1) / width * width];
  compute(A, B, results, part_of_block(k), m, n, k);
#if SPLITS == 1
  for (int o = threadIdx.x; o < outputs; o += threads) store_output(C, o, results[o], m, n);
#else
  __shared__ bool last;
  REAL* const of_tile = partial + size_t(blockIdx.x) * SPLITS * outputs;
  for (int o = threadIdx.x; o < outputs; o += threads) of_tile[size_t(blockIdx.y) * outputs + o] = results[o];
  __syncthreads();
  if (threadIdx.x == 0) last = count_up(finished + blockIdx.x) == SPLITS - 1;
  __syncthreads();
  if (!last) return;
  for (int o = threadIdx.x; o < outputs; o += threads) {
    REAL total = 0;
#pragma unroll 8
    for (int part = 0; part < SPLITS; ++part) total += __ldcg(of_tile + size_t(part) * outputs + o);
    store_output(C, o, total, m, n);
  }
  if (threadIdx.x == 0) finished[blockIdx.x] = 0;
#endif
}
