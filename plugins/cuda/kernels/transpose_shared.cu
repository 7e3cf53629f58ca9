// Transpose through shared memory: out = inᵀ, in rows × columns, row-major.
//
// What it shows   A tile in shared memory takes the stride: both global sides are coalesced. And what a padding column
//                 is for.
// Access pattern  A block reads a tile of TILE × TILE elements row by row into shared memory and writes it to out row by
//                 row, reading shared memory down its columns. Without padding (PADDING 0) the elements of a column
//                 lie TILE elements apart: with TILE = 32 and float all in one bank, a 32-way conflict. One more
//                 column (PADDING 1) puts each row one bank further: no conflict.
// Expected limit  Memory bandwidth with padding; without, the shared memory's reads.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
extern "C" __global__ void transpose_shared(const REAL* __restrict__ in, REAL* __restrict__ out, int rows,
                                            int columns) {
  __shared__ REAL tile[TILE][TILE + PADDING];
  const size_t first_column = size_t{blockIdx.x} * TILE;
  const size_t first_row = size_t{blockIdx.y} * TILE;

  const size_t column = first_column + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t row = first_row + threadIdx.y + j;
    if (row < rows && column < columns) tile[threadIdx.y + j][threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();

  // The same tile, its rows now along x: a warp writes a run of out.
  const size_t out_column = first_row + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t out_row = first_column + threadIdx.y + j;
    if (out_row < columns && out_column < rows) {
      out[out_row * rows + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
