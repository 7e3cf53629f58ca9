// Transpose with 16-byte accesses everywhere, to local memory too: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A work-item takes a square of WIDTH × WIDTH elements, WIDTH packs under way at once, and turns it in
//                 registers. So local memory is written and read in packs as well, a quarter of the instructions of
//                 `vectorized` for float. No padding: packs of a row are exchanged (number XOR the row of squares),
//                 so that eight work-items always meet all 32 banks of a GPU.
// Access pattern  A work-group moves a tile of RUN rows and ACROSS columns of in. Groups go through the matrix in bands
//                 of BAND tiles' height, down the rows first: in one band of the whole height they write out from its
//                 beginning to its end, which memory likes better than long pieces of in.
//                 Where rows begin anywhere (PACKED 0), packs are copied to local memory as they lie, packs of out
//                 collected from there, and tiles begin where the sectors of out do (shifted_tile.clh).
//                 SMALL matrices, whose latency counts, and those of few rows (FLAT) or columns (TALL) have ways of their
//                 own (small_tile.clh, flat_tile.clh, tall_tile.clh).
// Expected limit  Memory bandwidth: no flops, 2 · sizeof(REAL) bytes per element. Small ones: the time of a launch and of
//                 one access to the second-level cache after the other.
//
// REAL is the element type, WIDTH · sizeof(REAL) 16 bytes, or WIDTH 1 if SMALL. PACKED says that rows and columns are
// multiples of WIDTH, so that each row starts at a pack; RUN is a multiple of 8 · WIDTH then, unless SMALL, and BEFORE is 0.
// BAND 0 is one band of the whole height, in a grid of two dimensions. THREADS is the number of work-items of a group.
#include "packs.clh"

#if SMALL
#include "small_tile.clh"
#elif FLAT
#include "flat_tile.clh"
#elif TALL
#include "tall_tile.clh"
#elif PACKED
#define PACKS (RUN / WIDTH)  // of a row of the turned tile
#define SQUARES_ACROSS (ACROSS / WIDTH)
#define TILE_PACKS (PACKS * ACROSS)

// Where pack number `pack` of row `row` of the turned tile lies.
static int place(int row, int pack) { return row * PACKS + (pack ^ (row / WIDTH % 8)); }

// Reads the tile in squares and turns them. (Remainders are differences: next to a division by the same number compilers
// make of % what Oclgrind cannot simulate.)
static void read_squares(__local PACK* tile, __global const REAL* from, int columns, int rows_left, int columns_left) {
#pragma unroll
  for (int turn = 0; turn < (PACKS * SQUARES_ACROSS + THREADS - 1) / THREADS; ++turn) {
    const int square = turn * THREADS + (int)get_local_id(0);
    const int y = square / SQUARES_ACROSS;
    const int x = square - y * SQUARES_ACROSS;
    if (y < PACKS && x * WIDTH < columns_left && y * WIDTH < rows_left) {
      REAL lines[WIDTH][WIDTH];
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) {
        const PACK line = *(__global const PACK*)(from + (size_t)(y * WIDTH + i) * columns + x * WIDTH);
        JOIN(vstore, WIDTH)(line, 0, lines[i]);
      }
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) {
        REAL turned[WIDTH];
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) turned[i] = lines[i][j];
        tile[place(x * WIDTH + j, y)] = JOIN(vload, WIDTH)(0, turned);
      }
    }
  }
}

static void write_rows(__local const PACK* tile, __global REAL* to, int rows, int rows_left, int columns_left) {
#pragma unroll
  for (int turn = 0; turn < (ACROSS * PACKS + THREADS - 1) / THREADS; ++turn) {
    const int element = turn * THREADS + (int)get_local_id(0);
    const int row = element / PACKS;
    const int pack = element - row * PACKS;
    if (row < ACROSS && row < columns_left && pack * WIDTH < rows_left) {
      *(__global PACK*)(to + (size_t)row * rows + pack * WIDTH) = tile[place(row, pack)];
    }
  }
}
#else
#include "shifted_tile.clh"
#endif

// With the size of a group NVIDIA's compiler saves registers for more groups, at the price of spills.
#if SMALL && PACKED
#define GROUP_SIZE
#else
#define GROUP_SIZE __attribute__((reqd_work_group_size(THREADS, 1, 1)))
#endif

__kernel GROUP_SIZE
void transpose_swizzled(__global const REAL* restrict in, __global REAL* restrict out, const int rows,
                        const int columns) {
#if SMALL && PACKED
  move_squares(in, out, rows, columns);
#elif SMALL
  __local PACK shared[TILE_PACKS];
  move_elements((__local REAL*)shared, in, out, rows, columns);
#elif FLAT
  __local PACK shared[TILE_PACKS];
  const int first_column = (int)get_group_id(0) * ACROSS;
  const int columns_left = min(columns - first_column, ACROSS);
  read_columns((__local REAL*)shared, in + first_column, columns, columns_left);
  barrier(CLK_LOCAL_MEM_FENCE);
  write_run((__local const REAL*)shared, out + (size_t)first_column * RUN, columns_left * RUN);
#elif TALL
  __local PACK shared[TILE_PACKS];
  const int first_row = (int)get_group_id(0) * RUN;
  const int rows_left = min(rows - first_row, RUN);
  read_run((__local REAL*)shared, in + (size_t)first_row * ACROSS, rows_left * ACROSS);
  barrier(CLK_LOCAL_MEM_FENCE);
  write_columns((__local const REAL*)shared, out + first_row, rows, rows_left);
#else
  __local PACK shared[TILE_PACKS];
#if BAND == 0
  const int first_row = (int)get_group_id(0) * RUN;
  const int first_column = (int)get_group_id(1) * ACROSS;
#else
  const uint tiles_down = ((uint)rows + BEFORE + RUN - 1) / RUN;
  const uint tiles_across = ((uint)columns + ACROSS - 1) / ACROSS;
  const uint number = get_group_id(0);
  const uint height = min((uint)BAND, tiles_down);
  const uint band = number / (height * tiles_across);
  const uint band_first = band * height;
  const uint band_height = min(tiles_down - band_first, height);
  const uint in_band = number - band * (height * tiles_across);
  const uint across = in_band / band_height;
  const int first_row = (int)((band_first + in_band - across * band_height) * RUN);
  const int first_column = (int)(across * ACROSS);
#endif
#if PACKED
  const int rows_left = rows - first_row;
  const int columns_left = columns - first_column;
  read_squares(shared, in + (size_t)first_row * columns + first_column, columns, rows_left, columns_left);
  barrier(CLK_LOCAL_MEM_FENCE);
  write_rows(shared, out + (size_t)first_column * rows + first_row, rows, rows_left, columns_left);
#else
  const ShiftedTile tile = shifted_tile(first_row, first_column, columns);
  read_lines(&tile, shared, in, rows, columns);
  barrier(CLK_LOCAL_MEM_FENCE);
  write_runs(&tile, shared, out, rows, columns);
#endif
#endif
}
