// Transpose with 16-byte accesses everywhere, to shared memory too: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A thread takes a square of WIDTH × WIDTH elements, WIDTH packs under way at once, and turns it in
//                 registers. So shared memory is written and read in packs as well, a quarter of the instructions of
//                 `vectorized` for float. No padding: packs of a row are exchanged (number XOR the row of squares),
//                 so that eight threads always meet all 32 banks.
// Access pattern  A block moves a tile of RUN rows and ACROSS columns of in. Blocks go through the matrix in bands of
//                 BAND tiles' height, down the rows first: in one band of the whole height they write out from its
//                 beginning to its end, which memory likes better than long pieces of in.
//                 Where rows begin anywhere (PACKED 0), packs are copied to shared memory as they lie, packs of out
//                 collected from there, and tiles begin where the sectors of out do (shifted_tile.cuh).
//                 SMALL matrices, whose latency counts, and those of few rows (FLAT) or columns (TALL) have ways of their
//                 own (small_tile.cuh, flat_tile.cuh, tall_tile.cuh).
// Expected limit  Memory bandwidth: no flops, 2 · sizeof(REAL) bytes per element. Small ones: the time of a launch and of
//                 one access to the second-level cache after the other.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes, or WIDTH 1 if SMALL. PACKED says that rows and columns are
// multiples of WIDTH, so that each row starts at a pack; RUN is a multiple of 8 · WIDTH then, unless SMALL, and BEFORE is 0.
// BAND 0 is one band of the whole height, in a grid of two dimensions.
struct alignas(WIDTH * sizeof(REAL)) Pack {
  REAL element[WIDTH];
};

// Packs under way take registers: unasked, the compiler saves some for more blocks, at the price of spills. What is
// collected from shared memory, and squares turn after turn, do better with more blocks.
#if FLAT || TALL || PACKED && BAND == 0
#define LAUNCH_BOUNDS __launch_bounds__(THREADS, 1)
#else
#define LAUNCH_BOUNDS __launch_bounds__(THREADS)
#endif

#if SMALL
#include "small_tile.cuh"
#elif FLAT
#include "flat_tile.cuh"
#elif TALL
#include "tall_tile.cuh"
#elif PACKED
constexpr int packs = RUN / WIDTH;             // of a row of the turned tile
constexpr int squares_across = ACROSS / WIDTH;  // of the tile
constexpr int squares = packs * squares_across;
constexpr int tile_packs = packs * ACROSS;

/// Where pack number `pack` of row `row` of the turned tile lies.
__device__ inline int place(int row, int pack) { return row * packs + (pack ^ (row / WIDTH % 8)); }

/// Reads the tile in squares and turns them.
__device__ inline void read_squares(Pack* tile, const REAL* __restrict__ from, int columns, int rows_left,
                                    int columns_left) {
#pragma unroll
  for (int turn = 0; turn < (squares + THREADS - 1) / THREADS; ++turn) {
    const int square = turn * THREADS + threadIdx.x;
    if (squares % THREADS != 0 && square >= squares) break;
    const int x = square % squares_across;
    const int y = square / squares_across;
    Pack lines[WIDTH];
    const bool inside = x * WIDTH < columns_left;
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
      const int row = y * WIDTH + i;
      if (inside && row < rows_left) {
        lines[i] = *reinterpret_cast<const Pack*>(from + size_t(row) * columns + x * WIDTH);
      }
    }
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      Pack turned;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) turned.element[i] = lines[i].element[j];
      tile[place(x * WIDTH + j, y)] = turned;
    }
  }
}

__device__ inline void write_rows(const Pack* tile, REAL* __restrict__ to, int rows, int rows_left, int columns_left) {
#pragma unroll
  for (int turn = 0; turn < (ACROSS * packs + THREADS - 1) / THREADS; ++turn) {
    const int number = turn * THREADS + threadIdx.x;
    if (ACROSS * packs % THREADS != 0 && number >= ACROSS * packs) break;
    const int row = number / packs;
    const int pack = number % packs;
    if (row < columns_left && pack * WIDTH < rows_left) {
      *reinterpret_cast<Pack*>(to + size_t(row) * rows + pack * WIDTH) = tile[place(row, pack)];
    }
  }
}
#else
#include "shifted_tile.cuh"
#endif

extern "C" __global__ void LAUNCH_BOUNDS
    transpose_swizzled(const REAL* __restrict__ in, REAL* __restrict__ out, int rows, int columns) {
#if SMALL && PACKED
  move_squares(in, out, rows, columns);
#elif SMALL
  __shared__ REAL shared[RUN * pitch];
  if ((blockIdx.x + 1) * RUN <= unsigned(rows) && (blockIdx.y + 1) * ACROSS <= unsigned(columns)) {
    move_elements<true>(shared, in, out, rows, columns);
  } else {
    move_elements<false>(shared, in, out, rows, columns);
  }
#elif FLAT
  __shared__ alignas(16) REAL shared[ACROSS * pitch];
  const int first_column = blockIdx.x * ACROSS;
  const int columns_left = min(columns - first_column, ACROSS);
  read_columns(shared, in + first_column + threadIdx.x, columns, columns_left);
  __syncthreads();
  write_run(shared, out + size_t(first_column) * RUN, columns_left * RUN);
#elif TALL
  __shared__ alignas(16) REAL shared[RUN * pitch];
  const int first_row = blockIdx.x * RUN;
  const int rows_left = min(rows - first_row, RUN);
  read_run(shared, in + size_t(first_row) * ACROSS, rows_left * ACROSS);
  __syncthreads();
  if (int(threadIdx.x) < rows_left) write_columns(shared + threadIdx.x * pitch, out + first_row + threadIdx.x, rows);
#else
#if BAND == 0
  const int first_row = blockIdx.x * RUN;
  const int first_column = blockIdx.y * ACROSS;
#else
  const unsigned tiles_down = (unsigned(rows) + BEFORE + RUN - 1) / RUN;
  const unsigned tiles_across = (unsigned(columns) + ACROSS - 1) / ACROSS;
  const unsigned band = min(unsigned(BAND), tiles_down);
  const unsigned band_first = blockIdx.x / (band * tiles_across) * band;
  const unsigned band_height = min(tiles_down - band_first, band);
  const unsigned in_band = blockIdx.x % (band * tiles_across);
  const int first_row = int((band_first + in_band % band_height) * RUN);
  const int first_column = int(in_band / band_height * ACROSS);
#endif

  __shared__ Pack shared[tile_packs];
#if PACKED
  const int rows_left = rows - first_row;
  const int columns_left = columns - first_column;
  read_squares(shared, in + size_t(first_row) * columns + first_column, columns, rows_left, columns_left);
  __syncthreads();
  write_rows(shared, out + size_t(first_column) * rows + first_row, rows, rows_left, columns_left);
#else
  const ShiftedTile tile(first_row, first_column, columns);
  read_lines(tile, shared, in, rows, columns);
  __syncthreads();
  write_runs(tile, shared, out, rows, columns);
#endif
#endif
}
