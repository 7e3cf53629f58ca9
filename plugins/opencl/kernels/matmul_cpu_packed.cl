// Matrix multiplication for OpenCL on a CPU: C (m×n) = A (m×k) · B (k×n), row-major, from packed operands.
//
// What it shows   A CPU wants none of what a GPU wants: one work-item per group, which is a loop on one core; vectors
//                 written out; sums in registers; operands copied so that they are read in order.
// Access pattern  A work-item makes CHUNK rows of C under one panel of B, 2 vectors wide. It goes down in tiles of
//                 ROWS × 2 vectors: a step of k loads two vectors of B and broadcasts ROWS elements of A. The panel
//                 (k · 2 vectors) stays in the second-level cache while the chunk's rows of A pass by.
// Arithmetic      2·m·n·k flops. ROWS = 14 with vectors of 16 floats is 28 multiply-adds for 16 loads, and 28 sums,
//                 2 vectors of B and 2 broadcasts are the 32 registers of AVX-512; for AVX2 ROWS = 6 and 8 floats.
// Expected limit  The multiply-add units, as far as the compiler keeps the sums in registers.
//
// ROWS      rows of a register tile
// WIDTH     elements of a vector: 4, 8 or 16
// CHUNK     rows of C of a work-item, a multiple of ROWS
// A_PITCH   elements from one row of packed A to the next
// REAL      element type: float or double
// USE_FP64  1 where REAL is double
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
#define VECTOR JOIN(REAL, WIDTH)
#define LOAD JOIN(vload, WIDTH)
#define STORE JOIN(vstore, WIDTH)
#define COLUMNS (2 * WIDTH)

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matmul_cpu_packed(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict C,
                       int m, int n, int k) {
  const size_t rows = (size_t)m;
  const size_t columns = (size_t)n;
  const size_t depth = (size_t)k;
  const size_t column = get_group_id(0) * COLUMNS;
  const size_t first = get_group_id(1) * CHUNK;
  const size_t last = min(first + CHUNK, rows);
  __global const REAL* panel = B + column * depth;

  for (size_t row = first; row < last; row += ROWS) {
    __global const REAL* a = A + row * A_PITCH;
    VECTOR sum[ROWS][2];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      sum[r][0] = (VECTOR)(0);
      sum[r][1] = (VECTOR)(0);
    }
    for (size_t p = 0; p < depth; ++p) {
      const VECTOR b0 = LOAD(2 * p, panel);
      const VECTOR b1 = LOAD(2 * p + 1, panel);
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const VECTOR a_rp = (VECTOR)(a[r * A_PITCH + p]);
        sum[r][0] = fma(a_rp, b0, sum[r][0]);
        sum[r][1] = fma(a_rp, b1, sum[r][1]);
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      if (row + r < last) {
        __global REAL* to = C + (row + r) * columns + column;
        if (column + COLUMNS <= columns) {
          STORE(sum[r][0], 0, to);
          STORE(sum[r][1], 1, to);
        } else {
          REAL part[COLUMNS];
          STORE(sum[r][0], 0, part);
          STORE(sum[r][1], 1, part);
          for (size_t j = 0; column + j < columns; ++j) to[j] = part[j];
        }
      }
    }
  }
}
