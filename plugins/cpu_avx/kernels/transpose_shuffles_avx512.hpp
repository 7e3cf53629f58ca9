// Shuffles of 512-bit vectors that transposes are made of.
#pragma once

#include <stddef.h>

#include "kernels/avx512_vectors.hpp"

namespace benchctl::cpu_avx {
namespace {

/// Transposes the 4 × 4 matrix of 128-bit quarters of four vectors.
template <class Vector, class Shuffle>
[[gnu::always_inline]] inline void transpose_quarters(Vector* v, size_t step, Shuffle shuffle) {
  const Vector even01 = shuffle.low(v[0], v[step]);
  const Vector odd01 = shuffle.high(v[0], v[step]);
  const Vector even23 = shuffle.low(v[2 * step], v[3 * step]);
  const Vector odd23 = shuffle.high(v[2 * step], v[3 * step]);
  v[0] = shuffle.evens(even01, even23);
  v[step] = shuffle.odds(even01, even23);
  v[2 * step] = shuffle.evens(odd01, odd23);
  v[3 * step] = shuffle.odds(odd01, odd23);
}

/// low: quarters 0 1 of a, then of b; high: 2 3; evens: 0 2; odds: 1 3.
struct QuartersF32 {
  static __m512 low(__m512 a, __m512 b) { return _mm512_shuffle_f32x4(a, b, _MM_SHUFFLE(1, 0, 1, 0)); }
  static __m512 high(__m512 a, __m512 b) { return _mm512_shuffle_f32x4(a, b, _MM_SHUFFLE(3, 2, 3, 2)); }
  static __m512 evens(__m512 a, __m512 b) { return _mm512_shuffle_f32x4(a, b, _MM_SHUFFLE(2, 0, 2, 0)); }
  static __m512 odds(__m512 a, __m512 b) { return _mm512_shuffle_f32x4(a, b, _MM_SHUFFLE(3, 1, 3, 1)); }
};

struct QuartersF64 {
  static __m512d low(__m512d a, __m512d b) { return _mm512_shuffle_f64x2(a, b, _MM_SHUFFLE(1, 0, 1, 0)); }
  static __m512d high(__m512d a, __m512d b) { return _mm512_shuffle_f64x2(a, b, _MM_SHUFFLE(3, 2, 3, 2)); }
  static __m512d evens(__m512d a, __m512d b) { return _mm512_shuffle_f64x2(a, b, _MM_SHUFFLE(2, 0, 2, 0)); }
  static __m512d odds(__m512d a, __m512d b) { return _mm512_shuffle_f64x2(a, b, _MM_SHUFFLE(3, 1, 3, 1)); }
};

/// Transposes 4 × 4 squares within quarters: v[i] becomes column i of all four.
[[gnu::always_inline]] inline void transpose_within_quarters(__m512 row0, __m512 row1, __m512 row2,
                                                             __m512 row3, __m512* v) {
  const __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(row0, row1));
  const __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(row0, row1));
  const __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(row2, row3));
  const __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(row2, row3));
  v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
  v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
  v[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
  v[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
}

/// Quarters 0 and 2 of both in turns, and 1 and 3.
[[gnu::always_inline]] inline __m512d even_quarters(__m512d a, __m512d b) {
  return _mm512_permutex2var_pd(a, _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), b);
}

[[gnu::always_inline]] inline __m512d odd_quarters(__m512d a, __m512d b) {
  return _mm512_permutex2var_pd(a, _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2), b);
}

}  // namespace
}  // namespace benchctl::cpu_avx
