// Matrix multiplication, the plain way: C (m×n) = A (m×k) · B (k×n), row-major.
//
// What it shows   What the caches alone can do. Every operand of every product is loaded from global memory.
// Access pattern  One work-item per element of C, dimension 0 along a row of C. Neighbours in a work-group
//                 load neighbouring elements of B (one transaction for all of them) and the same element of A.
// Arithmetic      2·m·n·k flops on (m·k + k·n + m·n)·sizeof(REAL) distinct bytes, with two loads per
//                 fused multiply-add: 2·m·n·k elements are asked for, of which the caches must serve all but
//                 the first request of each.
// Expected limit  The load units: two loads feed one multiply-add, so a small part of the arithmetic peak.
//
// BLOCK_X   work-items of a work-group along a row of C
// BLOCK_Y   and along a column
// REAL      element type: float or double
// USE_FP64  1 where REAL is double
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// The attribute tells the compiler how many work-items must share the registers, so that the kernel can be
// launched with groups larger than the size that a driver assumes by itself (256 under NVIDIA's).
__kernel __attribute__((reqd_work_group_size(BLOCK_X, BLOCK_Y, 1)))
void matmul_naive(__global const REAL* restrict A, __global const REAL* restrict B,
                           __global REAL* restrict C, int m, int n, int k) {
  const size_t column = get_global_id(0);
  const size_t row = get_global_id(1);
  const size_t rows = (size_t)m;
  const size_t columns = (size_t)n;
  const size_t depth = (size_t)k;
  if (row >= rows || column >= columns) return;

  REAL sum = 0;
  for (size_t i = 0; i < depth; ++i) {
    sum += A[row * depth + i] * B[i * columns + column];
  }
  C[row * columns + column] = sum;
}
