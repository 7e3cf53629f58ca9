// Products with few columns or few rows: C (m×n) = A (m×k) · B (k×n), row-major, with n ≤ 32 or m ≤ 16. With four or fewer,
// matmul_vectors.cu is quicker, and for floats with more columns matmul_strips.cu.
//
// What it shows   The larger operand is read once and hardly used again: such a product is as fast as memory. Tiles for
//                 large products would be empty for the most part, and too few to have enough reads under way.
// Few columns     (BY_COLUMNS) A warp computes ROWS rows of C. Its lanes lie along k: each reads 16 bytes of each row of A,
//                 512 a warp, and multiplies them by what shared memory has of B, whose part is turned there, so that a
//                 lane reads 16 bytes of a column, too. At the end the lanes' sums are added up by halves: half of the
//                 sums go to the lane across, the other half come from there, five times.
// Few rows        A team of LANES threads reads a row of B, 16 bytes each, and multiplies them by a column of A, which lies in
//                 shared memory, turned, and which all lanes read at once. Teams take rows of B in turns, four under way
//                 while the four before are multiplied, and add up their sums through shared memory.
// Access pattern  The larger operand once, in order; the smaller one once per block, from the second-level cache. Where
//                 rows do not begin at multiples of 16 bytes lanes read one element each.
// Arithmetic      2·m·n·k operations, n/2 (m/2) of floats per byte of the larger operand. Per 16 bytes that a lane reads
//                 of A it takes n/ROWS 16-byte loads from shared memory and 4·n multiply-adds; of B m/4 and 4·m.
// Expected limit  Loads from shared memory and multiply-adds, at 16 columns of floats 1.3 TB/s of an H100's 3.1. Short ones: the
//                 launch, and joining parts.
//
// SPLITS blocks share a part of C, each for a part of k. They leave their sums in `partial`, and the one that ends last
// adds them up in the order of the parts: the result does not change from run to run. `finished` counts them; it is zero
// before and after. PACKED: rows of the larger operand begin at multiples of 16 bytes. Where rows are few, A is held for CHUNK
// steps at a time, a multiple of what teams have under way. REAL is float or double.
#include "count_up.cuh"
#include "lane_sums.cuh"

constexpr int width = 16 / int(sizeof(REAL));
constexpr int threads = 32 * WARPS;
// Threads side by side along a row, and blocks of a multiprocessor that registers are planned for.
#if BY_COLUMNS
constexpr int lanes = 32;
constexpr int resident = 1;
#else
constexpr int lanes = LANES;
constexpr int resident = RESIDENT;
#endif
constexpr int run = lanes * width;              // elements that they read of it at a time

struct alignas(16) Pack {
  REAL element[width];
};

/// Where element j of a lane lies in a run.
__device__ inline int place(int lane, int j) { return PACKED ? lane * width + j : lane + lanes * j; }

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

/// Steps of k of this block: from `begin` to before `end`, a multiple of `grain` of them but in the last.
struct Part {
  int begin;
  int end;
};

__device__ inline Part part_of_block(int k, int grain) {
  const int length = ((k + SPLITS - 1) / SPLITS + grain - 1) / grain * grain;
  const long long begin = 1LL * blockIdx.y * length;
  return {int(min(begin, 1LL * k)), int(min(begin + length, 1LL * k))};
}

/// Where a block's sums go: to C, or to its place in `partial`.
struct Results {
  REAL* C;
  REAL* partial;
  int m;
  int n;
};

__device__ inline void store_output(const Results& to, int output, REAL value);

/// Puts the block's sum number `output` there.
__device__ inline void put_sum(const Results& to, int output, REAL value) {
#if SPLITS == 1
  store_output(to, output, value);
#else
  to.partial[output] = value;
#endif
}

#if BY_COLUMNS

constexpr int outputs = WARPS * ROWS * COLUMNS;  // of a block
constexpr int grain_of_part = run;

__device__ inline void store_output(const Results& to, int output, REAL value) {
  const int row = blockIdx.x * (WARPS * ROWS) + output / COLUMNS;
  if (row < to.m) to.C[size_t(row) * COLUMNS + output % COLUMNS] = value;
}

__device__ inline void compute(const REAL* A, const REAL* B, const Results& to, Part part, int k) {
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
    rows[r] = A + size_t(min(row, to.m - 1)) * k;
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
    if (number + i < ROWS * COLUMNS) put_sum(to, warp * (ROWS * COLUMNS) + number + i, sums[i]);
  }
}

#else

constexpr int teams = threads / LANES;
constexpr int ahead = AHEAD;  // rows of B that a team has under way
constexpr int outputs = ROWS * run;
constexpr int grain_of_part = ahead * teams;
constexpr int row_packs = (ROWS + width - 1) / width;
constexpr int pitch = (row_packs | 1) * width;  // an odd number of packs: other banks for the next step
constexpr int of_row = teams * run;             // sums of a row of C that all teams leave to be added up
constexpr int held_elements = CHUNK * pitch > of_row ? CHUNK * pitch : of_row;
constexpr int rows_at_once = held_elements / of_row < ROWS ? held_elements / of_row : ROWS;  // of them
static_assert(CHUNK % grain_of_part == 0);

__device__ inline void store_output(const Results& to, int output, REAL value) {
  const int column = blockIdx.x * run + output % run;
  if (column < to.n) to.C[size_t(output / run) * to.n + column] = value;
}

/// A lane's packs of the team's next rows of B, of which so many are left to it and the teams after it; others are zero.
__device__ inline void take(Pack (&to)[ahead], const REAL* from, int left, int rows, int n, int lane) {
#pragma unroll
  for (int i = 0; i < ahead; ++i) to[i] = load_run(from + size_t(i * teams) * n, i * teams < rows ? left : 0, lane);
}

/// Brings CHUNK columns of A, of which so many are left; zeros come after them.
__device__ inline void hold_columns(REAL* held, const REAL* from, int left, int k) {
  for (int e = threadIdx.x; e < CHUNK * ROWS; e += threads) {
    const int row = e / CHUNK;
    const int step = e % CHUNK;
    held[step * pitch + row] = step < left ? from[size_t(row) * k + step] : REAL(0);
  }
}

__device__ inline void multiply(REAL (&sums)[ROWS][width], const REAL* of_step, const Pack& b) {
#pragma unroll
  for (int p = 0; p < row_packs; ++p) {
    const Pack a = *reinterpret_cast<const Pack*>(of_step + p * width);
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (p * width + i >= ROWS) continue;
#pragma unroll
      for (int j = 0; j < width; ++j) sums[p * width + i][j] += a.element[i] * b.element[j];
    }
  }
}

/// Adds up the teams' sums, in their order.
__device__ inline void add_up_teams(REAL* held, const REAL (&sums)[ROWS][width], const Results& to, int team, int lane) {
#pragma unroll
  for (int row = 0; row < ROWS; row += rows_at_once) {
    __syncthreads();  // all have read what was held
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      if (row + i >= ROWS) continue;
#pragma unroll
      for (int j = 0; j < width; ++j) held[(i * teams + team) * run + place(lane, j)] = sums[row + i][j];
    }
    __syncthreads();
    for (int o = threadIdx.x; o < min(rows_at_once, ROWS - row) * run; o += threads) {
      const REAL* from = held + o / run * of_row + o % run;
      REAL total = 0;
#pragma unroll 8
      for (int other = 0; other < teams; ++other) total += from[other * run];
      put_sum(to, row * run + o, total);
    }
  }
}

__device__ inline void compute(const REAL* A, const REAL* B, const Results& to, Part part, int k) {
  __shared__ alignas(16) REAL held[held_elements];
  const int lane = threadIdx.x % LANES;
  const int team = threadIdx.x / LANES;
  const int n = to.n;
  const int column = blockIdx.x * run;
  const REAL* from = B + size_t(part.begin + team) * n + column;
  int rows = part.end - part.begin - team;
  REAL sums[ROWS][width] = {};
  Pack next[ahead];
  take(next, from, n - column, rows, n, lane);
  for (int first = part.begin; first < part.end; first += CHUNK) {
    __syncthreads();  // all have read what was held before
    hold_columns(held, A + first, part.end - first, k);
    __syncthreads();
    const int steps = min(part.end - first, CHUNK);
#pragma unroll 1
    for (int step = 0; step < steps; step += ahead * teams) {
      Pack now[ahead];
#pragma unroll
      for (int i = 0; i < ahead; ++i) now[i] = next[i];
      from += size_t(ahead * teams) * n;
      rows -= ahead * teams;
      take(next, from, n - column, rows, n, lane);
#pragma unroll
      for (int i = 0; i < ahead; ++i) multiply(sums, held + (step + i * teams + team) * pitch, now[i]);
    }
  }
  add_up_teams(held, sums, to, team, lane);
}

#endif

constexpr int output_packs = (outputs + width - 1) / width;

extern "C" __global__ void __launch_bounds__(threads, resident)
    matmul_skinny(const REAL* __restrict__ A, const REAL* __restrict__ B, REAL* __restrict__ C, Pack* partial,
                  unsigned* finished, int m, int n, int k) {
  Pack* const of_tile = partial + size_t(blockIdx.x) * SPLITS * output_packs;
  const Results to{C, of_tile[blockIdx.y * output_packs].element, m, n};
  compute(A, B, to, part_of_block(k, grain_of_part), k);
#if SPLITS > 1
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) last = count_up(finished + blockIdx.x) == SPLITS - 1;
  __syncthreads();
  if (!last) return;
  for (int p = threadIdx.x; p < output_packs; p += threads) {
    Pack total = {};
#pragma unroll 8
    for (int part = 0; part < SPLITS; ++part) {
      const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(of_tile + part * output_packs + p));
      const Pack& of_part = reinterpret_cast<const Pack&>(bits);
#pragma unroll
      for (int i = 0; i < width; ++i) total.element[i] += of_part.element[i];
    }
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (p * width + i < outputs) store_output(to, p * width + i, total.element[i]);
    }
  }
  if (threadIdx.x == 0) finished[blockIdx.x] = 0;
#endif
}
