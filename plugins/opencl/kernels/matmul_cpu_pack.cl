// Copies the operands of matmul_cpu_packed, both in one launch: A in slabs of DEPTH columns whose rows have a pitch that
// spreads them over the caches, B as panels of one register tile's width. See there.
//
// A work-item copies ROWS rows of A or, if its number is higher, BAND rows of B, which it reads as so many streams.
//
// ROWS      rows of a register tile
// A_TILES   register tiles of rows in A; its rows beyond m are zeros
// A_PITCH   elements from one row of a slab of packed A to the next
// DEPTH     columns of a slab; the last may have fewer
// COLUMNS   columns of a panel of B; those beyond n are zeros
// REAL      element type: float or double
// USE_FP64  1 where REAL is double
#if USE_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define BAND 8

// Slab, then row, then column.
static void pack_a(__global const REAL* restrict A, __global REAL* restrict packed, size_t first, size_t m, size_t k) {
  const size_t slab_elements = (size_t)A_TILES * ROWS * A_PITCH;
  for (size_t row = first; row < first + ROWS; ++row) {
    for (size_t p0 = 0; p0 < k; p0 += DEPTH) {
      __global REAL* to = packed + p0 / DEPTH * slab_elements + row * A_PITCH;
      const size_t depth = min((size_t)DEPTH, k - p0);
      if (row < m) {
        __global const REAL* from = A + row * k + p0;
        for (size_t p = 0; p < depth; ++p) to[p] = from[p];
      } else {
        for (size_t p = 0; p < depth; ++p) to[p] = 0;
      }
    }
  }
}

// Panel, then row, then column.
static void pack_b(__global const REAL* restrict B, __global REAL* restrict packed, size_t first, size_t n, size_t k) {
  const size_t last = min(first + BAND, k);
  for (size_t column = 0; column < n; column += COLUMNS) {
    __global REAL* to = packed + column * k + first * COLUMNS;
    __global const REAL* from = B + first * n + column;
    if (column + COLUMNS <= n) {
      for (size_t p = first; p < last; ++p) {
        for (size_t j = 0; j < COLUMNS; ++j) to[j] = from[j];
        to += COLUMNS;
        from += n;
      }
    } else {
      for (size_t p = first; p < last; ++p) {
        for (size_t j = 0; j < COLUMNS; ++j) to[j] = column + j < n ? from[j] : 0;
        to += COLUMNS;
        from += n;
      }
    }
  }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pack(__global const REAL* restrict A, __global const REAL* restrict B, __global REAL* restrict packed_a,
          __global REAL* restrict packed_b, int m, int n, int k) {
  const size_t group = get_group_id(0);
  if (group < A_TILES) {
    pack_a(A, packed_a, group * ROWS, (size_t)m, (size_t)k);
  } else {
    pack_b(B, packed_b, (group - A_TILES) * BAND, (size_t)n, (size_t)k);
  }
}
