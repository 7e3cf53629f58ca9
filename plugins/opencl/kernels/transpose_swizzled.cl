// Transpose with 16-byte accesses everywhere, to local memory too: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A work-item takes a square of WIDTH × WIDTH elements, WIDTH packs under way at once, and turns it in
//                 registers. So local memory is written and read in packs as well, a quarter of the instructions of
//                 `vectorized` for float. No padding: packs of a row are exchanged (number XOR the row of squares),
//                 so that eight work-items always meet all 32 banks of a GPU.
// Access pattern  A work-group moves a tile of TILE × TILE elements, runs of TILE elements on both sides. Groups go
//                 through the matrix in bands of BAND tiles' height, down the rows first: in one band of the whole
//                 height they write out from its beginning to its end, which memory likes better than long pieces of
//                 in.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH · sizeof(REAL) is 16 bytes. TILE is a multiple of 8 · WIDTH; rows and columns are
// multiples of WIDTH, so that each row starts at a pack. ITEMS is the number of work-items of a group.
#include "packs.clh"
#define PACKS (TILE / WIDTH)  // of a row of the tile

// Where pack number `pack` of row `row` of the turned tile lies.
static int place(int row, int pack) { return row * PACKS + (pack ^ (row / WIDTH % 8)); }

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void transpose_swizzled(__global const REAL* restrict in, __global REAL* restrict out, const int rows,
                        const int columns) {
  __local PACK tile[TILE * PACKS];
  const uint tiles_down = ((uint)rows + TILE - 1) / TILE;
  const uint tiles_across = ((uint)columns + TILE - 1) / TILE;
  const uint number = get_group_id(0);
  // Remainders by hand: next to a division by the same number compilers make of % what Oclgrind cannot simulate.
  const uint height = min((uint)BAND, tiles_down);
  const uint band = number / (height * tiles_across);
  const uint band_first = band * height;
  const uint band_height = min(tiles_down - band_first, height);
  const uint in_band = number - band * (height * tiles_across);
  const uint across = in_band / band_height;
  const size_t first_row = (size_t)(band_first + in_band - across * band_height) * TILE;
  const size_t first_column = (size_t)across * TILE;
  const int rows_left = (int)(rows - first_row);
  const int columns_left = (int)(columns - first_column);
  __global const REAL* from = in + first_row * columns + first_column;
  __global REAL* to = out + first_column * rows + first_row;

#pragma unroll
  for (int turn = 0; turn < (PACKS * PACKS + ITEMS - 1) / ITEMS; ++turn) {
    const int square = turn * ITEMS + (int)get_local_id(0);
    const int y = square / PACKS;
    const int x = square - y * PACKS;
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
  barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int turn = 0; turn < (TILE * PACKS + ITEMS - 1) / ITEMS; ++turn) {
    const int element = turn * ITEMS + (int)get_local_id(0);
    const int row = element / PACKS;
    const int pack = element - row * PACKS;
    if (row < TILE && row < columns_left && pack * WIDTH < rows_left) {
      *(__global PACK*)(to + (size_t)row * rows + pack * WIDTH) = tile[place(row, pack)];
    }
  }
}
