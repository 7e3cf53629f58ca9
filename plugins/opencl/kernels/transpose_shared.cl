// Transpose through local memory: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A tile in local memory takes the stride: both global sides are coalesced. And what a padding column is
//                 for.
// Access pattern  A work-group reads a tile of TILE × TILE elements row by row into local memory and writes it to out
//                 row by row, reading local memory down its columns. Without padding (PADDING 0) the elements of a
//                 column lie TILE elements apart, with TILE = 32 and float all in one of 32 banks. One more column
//                 (PADDING 1) puts each row one bank further: no conflict.
// Expected limit  Memory bandwidth with padding; without, local memory. On a CPU local memory is ordinary memory: there
//                 are no banks, and the detour costs time.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel __attribute__((reqd_work_group_size(TILE, BLOCK_ROWS, 1)))
void transpose_shared(__global const REAL* restrict in, __global REAL* restrict out, const int rows,
                      const int columns) {
  __local REAL tile[TILE][TILE + PADDING];
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t first_column = get_group_id(0) * TILE;
  const size_t first_row = get_group_id(1) * TILE;

  const size_t column = first_column + x;
  for (size_t j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t row = first_row + y + j;
    if (row < rows && column < columns) tile[y + j][x] = in[row * columns + column];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // The same tile, its rows now along x: neighbours write a run of out.
  const size_t out_column = first_row + x;
  for (size_t j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t out_row = first_column + y + j;
    if (out_row < columns && out_column < rows) out[out_row * rows + out_column] = tile[x][y + j];
  }
}
