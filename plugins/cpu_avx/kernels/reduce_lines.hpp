// 256-bit vectors of reductions, two to a cache line: what AVX2 has, and what AVX-512 reads lines of the
// second-level cache with. Included by units of AVX2 and FMA or more, in an unnamed namespace.
#pragma once

#include <immintrin.h>

#include "kernels/reduce_wide.hpp"

namespace benchctl::cpu_avx {
namespace {

struct HalfLineF32 {
  using Scalar = float;
  using Vector = __m256;
  static constexpr size_t lanes = 8;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  template <class Op>
  static float join_lanes(Vector v) {
    return _mm256_cvtss_f32(join_moved<HalfLineF32, Op>(
        v, [](Vector a) { return _mm256_permute2f128_ps(a, a, 1); },
        [](Vector a) { return _mm256_shuffle_ps(a, a, 0x4e); },
        [](Vector a) { return _mm256_shuffle_ps(a, a, 0xb1); }));
  }
};

struct HalfLineF64 {
  using Scalar = double;
  using Vector = __m256d;
  static constexpr size_t lanes = 4;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm256_min_pd(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_pd(a, b); }
  template <class Op>
  static double join_lanes(Vector v) {
    return _mm256_cvtsd_f64(join_moved<HalfLineF64, Op>(
        v, [](Vector a) { return _mm256_permute2f128_pd(a, a, 1); },
        [](Vector a) { return _mm256_shuffle_pd(a, a, 5); }));
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
