// Matrix multiplication for OpenCL on a CPU: C (m×n) = A (m×k) · B (k×n), row-major, from packed operands.
//
// What it shows   A CPU wants none of what a GPU wants: one work-item per group, which is a loop on one core; vectors
//                 written out; sums in registers; operands copied so that they are read in order, and cut up so that
//                 what is read again is still in a cache.
// Access pattern  A work-item makes CHUNK rows of C by PANELS panels, each 2 vectors wide. k is cut into slabs. A slab's
//                 part of the chunk's rows of A stays in the second-level cache for all panels; a panel of B is read once for
//                 each register tile of ROWS × 2 vectors, of which a step loads two vectors of B and broadcasts ROWS
//                 elements of A. The first slab writes C, the others add to it.
// Arithmetic      2·m·n·k flops. ROWS = 14 with vectors of 16 floats is 28 multiply-adds for 16 loads, and 28 sums,
//                 2 vectors of B and 2 broadcasts are the 32 registers of AVX-512; for AVX2 ROWS = 6 and 8 floats.
// Expected limit  The multiply-add units, as far as the compiler keeps the sums in registers.
//
// ROWS      rows of a register tile
// WIDTH     elements of a vector: 4, 8 or 16
// CHUNK     rows of C of a work-item, a multiple of ROWS
// PANELS    panels of B of a work-item
// DEPTH     steps of k in a slab
// A_TILES   register tiles of rows in A
// A_PITCH   elements from one row of a slab of packed A to the next
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

#ifdef __has_builtin
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(place) __builtin_prefetch(place)
#endif
#endif
#ifndef PREFETCH
#define PREFETCH(place)
#endif

// `columns` columns of ROWS rows at most of C, of which `rows` are there, get or add the sum of `depth` steps.
static void tile(__global const REAL* restrict a, __global const REAL* restrict panel, __global REAL* restrict c,
                 size_t pitch, size_t rows, size_t columns, size_t depth, bool is_first) {
  if (!is_first) {
    for (size_t r = 0; r < ROWS; ++r) {
      PREFETCH(c + r * pitch);
      PREFETCH(c + r * pitch + WIDTH);
    }
  }
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
  if (rows >= ROWS && columns >= COLUMNS) {
    // All loads before the first store: rows of C may lie a multiple of 4 KB apart, and a load that follows a store
    // to an address with the same last 12 bits waits for it.
    if (!is_first) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        sum[r][0] += LOAD(0, c + r * pitch);
        sum[r][1] += LOAD(1, c + r * pitch);
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      STORE(sum[r][0], 0, c + r * pitch);
      STORE(sum[r][1], 1, c + r * pitch);
    }
    return;
  }
  REAL part[ROWS][COLUMNS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    STORE(sum[r][0], 0, part[r]);
    STORE(sum[r][1], 1, part[r]);
  }
  for (size_t r = 0; r < min((size_t)ROWS, rows); ++r) {
    for (size_t j = 0; j < min((size_t)COLUMNS, columns); ++j) {
      c[r * pitch + j] = is_first ? part[r][j] : c[r * pitch + j] + part[r][j];
    }
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void matmul_cpu_packed(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict C,
                       int m, int n, int k) {
  const size_t rows = (size_t)m;
  const size_t columns = (size_t)n;
  const size_t steps = (size_t)k;
  const size_t left = get_group_id(0) * PANELS * COLUMNS;
  const size_t right = min(left + PANELS * COLUMNS, columns);
  const size_t top = get_group_id(1) * CHUNK;
  const size_t bottom = min(top + CHUNK, rows);

  for (size_t p0 = 0; p0 < steps; p0 += DEPTH) {
    const size_t depth = min((size_t)DEPTH, steps - p0);
    __global const REAL* slab = A + p0 / DEPTH * ((size_t)A_TILES * ROWS * A_PITCH);
    for (size_t column = left; column < right; column += COLUMNS) {
      __global const REAL* panel = B + column * steps + p0 * COLUMNS;
      for (size_t row = top; row < bottom; row += ROWS) {
        tile(slab + row * A_PITCH, panel, C + row * columns + column, columns, bottom - row, columns - column, depth,
             p0 == 0);
      }
    }
  }
}
