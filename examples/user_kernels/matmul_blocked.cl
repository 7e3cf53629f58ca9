// Matrix product C (m×n) = A (m×k) · B (k×n), row-major: a work-group computes TILE×TILE elements of C from tiles
// in local memory, a work-item PER_ITEM of them, below one another, so that an element of B that it has read serves
// PER_ITEM products. Any m, n and k will do: what lies outside of A and B counts as zero.
//
// TILE must be a multiple of PER_ITEM; the work-group has TILE × (TILE / PER_ITEM) items.
__kernel __attribute__((reqd_work_group_size(TILE, TILE / PER_ITEM, 1)))
void matmul_blocked(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict C,
                    int m, int n, int k) {
  __local REAL a_tile[TILE][TILE];
  __local REAL b_tile[TILE][TILE];
  const int x = get_local_id(0);
  const int y = get_local_id(1) * PER_ITEM;
  const int column = get_group_id(0) * TILE + x;
  const int row = get_group_id(1) * TILE + y;

  REAL sums[PER_ITEM];
  for (int i = 0; i < PER_ITEM; ++i) sums[i] = 0;
  for (int start = 0; start < k; start += TILE) {
    for (int i = 0; i < PER_ITEM; ++i) {
      a_tile[y + i][x] = row + i < m && start + x < k ? A[(size_t)(row + i) * k + start + x] : 0;
      b_tile[y + i][x] = start + y + i < k && column < n ? B[(size_t)(start + y + i) * n + column] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < TILE; ++j) {
      const REAL b = b_tile[j][x];
      for (int i = 0; i < PER_ITEM; ++i) sums[i] += a_tile[y + i][j] * b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < PER_ITEM; ++i) {
    if (row + i < m && column < n) C[(size_t)(row + i) * n + column] = sums[i];
  }
}
