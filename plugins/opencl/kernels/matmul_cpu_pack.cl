// Copies the operands of matmul_cpu_packed: A with a pitch that spreads its rows over the caches, B as panels of
// one register tile's width. See there.
//
// A_PITCH   elements from one row of packed A to the next
// A_ROWS    rows of packed A, a multiple of the register tile's; those beyond m are zeros
// COLUMNS   columns of a panel of B
// REAL      element type: float or double
// USE_FP64  1 where REAL is double
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// One work-item per row.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_a(__global const REAL* restrict A, __global REAL* restrict packed, int m, int k) {
  const size_t row = get_group_id(0);
  const size_t depth = (size_t)k;
  __global REAL* to = packed + row * A_PITCH;
  if (row < (size_t)m) {
    for (size_t p = 0; p < depth; ++p) to[p] = A[row * depth + p];
  } else {
    for (size_t p = 0; p < depth; ++p) to[p] = 0;
  }
}

// One work-item per panel: panel, then k, then column; columns beyond n are zeros.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack_b(__global const REAL* restrict B, __global REAL* restrict packed, int n, int k) {
  const size_t panel = get_group_id(0);
  const size_t first = panel * COLUMNS;
  const size_t columns = (size_t)n;
  const size_t depth = (size_t)k;
  __global REAL* to = packed + panel * COLUMNS * depth;
  if (first + COLUMNS <= columns) {
    for (size_t p = 0; p < depth; ++p) {
      for (size_t j = 0; j < COLUMNS; ++j) to[p * COLUMNS + j] = B[p * columns + first + j];
    }
  } else {
    for (size_t p = 0; p < depth; ++p) {
      for (size_t j = 0; j < COLUMNS; ++j) {
        to[p * COLUMNS + j] = first + j < columns ? B[p * columns + first + j] : 0;
      }
    }
  }
}
