// Transpose through local memory with 16-byte accesses on both global sides: out = inᵀ, in rows × columns, row-major.
//
// What it shows   The padded tile with more bytes under way: a quarter of the load and store instructions for float.
// Access pattern  A work-group moves a tile of TILE × TILE elements. A work-item reads packs of WIDTH neighbouring
//                 elements of a row and puts them into local memory one by one; it collects packs for out down the
//                 tile's columns. With the padding column 32 neighbours meet in pairs at most in a bank.
// Expected limit  Memory bandwidth.
//
// REAL is the element type; WIDTH · sizeof(REAL) is 16 bytes. TILE is a multiple of WIDTH and of BLOCK_ROWS, rows and
// columns are multiples of WIDTH, so that each row starts at a pack.
#include "packs.clh"

__kernel __attribute__((reqd_work_group_size(TILE / WIDTH, BLOCK_ROWS, 1)))
void transpose_vectorized(__global const REAL* restrict in, __global REAL* restrict out, const int rows,
                          const int columns) {
  __local REAL tile[TILE][TILE + 1];
  const size_t first_column = get_group_id(0) * TILE;
  const size_t first_row = get_group_id(1) * TILE;
  const size_t x = get_local_id(0) * WIDTH;

  for (size_t y = get_local_id(1); y < TILE; y += BLOCK_ROWS) {
    if (first_row + y < rows && first_column + x < columns) {
      const PACK pack = *(__global const PACK*)(in + (first_row + y) * columns + first_column + x);
      tile[y][x] = pack.s0;
      tile[y][x + 1] = pack.s1;
#if WIDTH == 4
      tile[y][x + 2] = pack.s2;
      tile[y][x + 3] = pack.s3;
#endif
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t y = get_local_id(1); y < TILE; y += BLOCK_ROWS) {
    if (first_column + y < columns && first_row + x < rows) {
      // Collected in an array, of which nothing remains but registers: a vector filled element by element
      // counts as uninitialised under Oclgrind.
      REAL element[WIDTH];
#pragma unroll
      for (int j = 0; j < WIDTH; ++j) element[j] = tile[x + j][y];
      *(__global PACK*)(out + (first_column + y) * rows + first_row + x) = JOIN(vload, WIDTH)(0, element);
    }
  }
}
