// Double precision on tensor cores: the multiply-accumulate of a warp, D 16×8 += A 16×8 · B 8×8 in IEEE arithmetic.
//
// Lane 4·g + t of the warp holds these elements (row, column):
//   a[0] … a[3]    (g, t) (g+8, t) (g, t+4) (g+8, t+4)
//   b[0], b[1]     (t, g) (t+4, g)
//   d[0] … d[3]    (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1)
//
// Compute capability 9.0 has one instruction for it. The one of 8.0, 8×8 += 8×4 · 4×8, which is a quarter of it, reaches
// half the rate on an H200; twice as much along k, 16×8 += 16×16 · 16×8, is not faster.
#pragma once

#if __CUDA_ARCH__ >= 900
__device__ inline void mma_f64(double (&d)[4], const double (&a)[4], const double (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
#endif

/// One A with several B, and `behind(j)` behind number j. Where it takes several instructions, those that follow one
/// another do not wait for one another.
template <int count, class Behind>
__device__ inline void mma_f64(double (&d)[count][4], const double (&a)[4], const double (&b)[count][2],
                               const Behind& behind) {
#if __CUDA_ARCH__ >= 900
#pragma unroll
  for (int j = 0; j < count; ++j) {
    mma_f64(d[j], a, b[j]);
    behind(j);
  }
#else
#pragma unroll
  for (int quarter = 0; quarter < 2; ++quarter) {
#pragma unroll
    for (int j = 0; j < count; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(d[j][2 * half]), "+d"(d[j][2 * half + 1])
                     : "d"(a[2 * quarter + half]), "d"(b[j][quarter]));
      }
      if (quarter == 1) behind(j);
    }
  }
#endif
}
