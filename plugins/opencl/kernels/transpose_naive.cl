// Transpose, straight: out = inᵀ, in rows × columns, row-major.
//
// What it shows   What a stride costs: one side of a transpose is coalesced, the other is not.
// Access pattern  A work-group takes a tile of TILE × TILE elements, each work-item every BLOCK_ROWS-th of a column of
//                 the tile. Neighbours read neighbouring elements of a row, and write elements that lie a whole row of
//                 out apart.
// Expected limit  The write side: whole sectors or lines are moved for single elements, as far as the caches do not
//                 join what different work-items write into one of them.
//
// REAL is the element type; TILE is a multiple of BLOCK_ROWS.
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel __attribute__((reqd_work_group_size(TILE, BLOCK_ROWS, 1)))
void transpose_naive(__global const REAL* restrict in, __global REAL* restrict out, const int rows,
                     const int columns) {
  const size_t column = get_global_id(0);
  const size_t first_row = get_group_id(1) * TILE + get_local_id(1);
  for (size_t j = 0; j < TILE; j += BLOCK_ROWS) {
    const size_t row = first_row + j;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
