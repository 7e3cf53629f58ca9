// Matrix multiplication through local memory: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   Reuse by hand. A work-group of TILE×TILE work-items computes a TILE×TILE block of C; it walks
//                 along k in steps of TILE, and at each step brings one tile of A and one of B into local memory.
// Access pattern  Both tiles are loaded row by row, so neighbouring work-items load neighbouring elements. In
//                 the inner loop a row of work-items reads one element of A (a broadcast) and a row of B.
// Arithmetic      2·m·n·k flops. An element of A or B is loaded from global memory once per tile instead of
//                 once per product: 2/TILE global loads per fused multiply-add, and 2 local ones.
// Expected limit  Small tiles: global memory and the two barriers per step. Large tiles: the local memory,
//                 still two reads for every multiply-add, until the work-group is too large for the device.
//                 On a CPU local memory is ordinary memory: the copies cost, and only the cache blocking pays.
//
// Any m, n and k: tiles are filled up with zeros over the edges, which add nothing to the sums.
//
// TILE      edge of a tile = edge of the work-group
// REAL      element type: float or double
// USE_FP64  1 where REAL is double
// STORE_EVERY_STEP  1 for the kernel as the French series prints it: C is stored inside the loop, k/TILE times
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// The attribute tells the compiler how many work-items must share the registers, so that the kernel can be
// launched with groups larger than the size that a driver assumes by itself (256 under NVIDIA's).
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(__global const REAL* restrict A, __global const REAL* restrict B,
                           __global REAL* restrict C, int m, int n, int k) {
  __local REAL a_tile[TILE][TILE];
  __local REAL b_tile[TILE][TILE];

  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t column = get_group_id(0) * TILE + x;
  const size_t row = get_group_id(1) * TILE + y;
  const size_t rows = (size_t)m;
  const size_t columns = (size_t)n;
  const size_t depth = (size_t)k;

  REAL sum = 0;
  for (size_t start = 0; start < depth; start += TILE) {
    a_tile[y][x] = (row < rows && start + x < depth) ? A[row * depth + start + x] : 0;
    b_tile[y][x] = (start + y < depth && column < columns) ? B[(start + y) * columns + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // both tiles are complete

    for (size_t i = 0; i < TILE; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // nobody reads them any more
#if STORE_EVERY_STEP
    // volatile: or the compiler stores once, after the loop.
    if (row < rows && column < columns) *(volatile __global REAL*)&C[row * columns + column] = sum;
#endif
  }
#if !STORE_EVERY_STEP
  if (row < rows && column < columns) C[row * columns + column] = sum;
#endif
}
