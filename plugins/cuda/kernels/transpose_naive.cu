// Transpose, straight: out = inᵀ, in rows × columns, row-major.
//
// What it shows   What a stride costs: one side of a transpose is coalesced, the other is not.
// Access pattern  A block takes a tile of TILE × TILE elements, each thread every BLOCK_ROWS-th of a column of the
//                 tile. Neighbouring threads read neighbouring elements of a row, and write elements that lie a whole
//                 row of out apart: each write of a warp touches 32 sectors.
// Expected limit  The write side: sectors are moved for single elements, as far as the caches do not join what
//                 different threads write into one sector.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
extern "C" __global__ void transpose_naive(const REAL* __restrict__ in, REAL* __restrict__ out, int rows, int columns) {
  const size_t column = size_t{blockIdx.x} * TILE + threadIdx.x;
  const size_t first_row = size_t{blockIdx.y} * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t row = first_row + j;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
