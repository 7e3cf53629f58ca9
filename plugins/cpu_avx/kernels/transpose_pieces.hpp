// Squares of half and of a quarter of a cache line's elements in 256-bit and 128-bit registers: the last
// rows and columns of transposes whose sides are no multiples of a line, and what squares of a line are
// made of with AVX2. Included by units of AVX2 and more, in an unnamed namespace.
//
// Two rows, half a square apart, are loaded side by side, so that the exchange of 128-bit halves is done by
// the loads; what is left are shuffles within 128 bits.
#pragma once

#include <immintrin.h>
#include <stddef.h>

namespace benchctl::cpu_avx {
namespace {

/// Four rows of four floats and the four that are `apart` elements further, side by side, to columns:
/// column c of both in v[c].
[[gnu::always_inline]] inline void columns_of_rows(const float* in, size_t pitch, size_t apart,
                                                   __m256 (&v)[4]) {
  const auto pair = [&](size_t row) {
    const float* p = in + row * pitch;
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + apart), 1);
  };
  const __m256 row0 = pair(0);
  const __m256 row1 = pair(1);
  const __m256 row2 = pair(2);
  const __m256 row3 = pair(3);
  const __m256 low01 = _mm256_unpacklo_ps(row0, row1);
  const __m256 high01 = _mm256_unpackhi_ps(row0, row1);
  const __m256 low23 = _mm256_unpacklo_ps(row2, row3);
  const __m256 high23 = _mm256_unpackhi_ps(row2, row3);
  v[0] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
  v[1] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
  v[2] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
  v[3] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

/// The same for two rows of two doubles.
[[gnu::always_inline]] inline void columns_of_rows(const double* in, size_t pitch, size_t apart,
                                                   __m256d (&v)[2]) {
  const auto pair = [&](size_t row) {
    const double* p = in + row * pitch;
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(p + apart), 1);
  };
  const __m256d row0 = pair(0);
  const __m256d row1 = pair(1);
  v[0] = _mm256_unpacklo_pd(row0, row1);
  v[1] = _mm256_unpackhi_pd(row0, row1);
}

[[gnu::always_inline]] inline void transpose_half(const float* in, size_t in_pitch, float* out,
                                                  size_t out_pitch) {
#pragma GCC unroll 2
  for (size_t c = 0; c < 8; c += 4) {
    __m256 v[4];
    columns_of_rows(in + c, in_pitch, 4 * in_pitch, v);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) _mm256_storeu_ps(out + (c + i) * out_pitch, v[i]);
  }
}

[[gnu::always_inline]] inline void transpose_half(const double* in, size_t in_pitch, double* out,
                                                  size_t out_pitch) {
#pragma GCC unroll 2
  for (size_t c = 0; c < 4; c += 2) {
    __m256d v[2];
    columns_of_rows(in + c, in_pitch, 2 * in_pitch, v);
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; ++i) _mm256_storeu_pd(out + (c + i) * out_pitch, v[i]);
  }
}

[[gnu::always_inline]] inline void transpose_quarter(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch) {
  const __m128 row0 = _mm_loadu_ps(in);
  const __m128 row1 = _mm_loadu_ps(in + in_pitch);
  const __m128 row2 = _mm_loadu_ps(in + 2 * in_pitch);
  const __m128 row3 = _mm_loadu_ps(in + 3 * in_pitch);
  const __m128 low01 = _mm_unpacklo_ps(row0, row1);
  const __m128 high01 = _mm_unpackhi_ps(row0, row1);
  const __m128 low23 = _mm_unpacklo_ps(row2, row3);
  const __m128 high23 = _mm_unpackhi_ps(row2, row3);
  _mm_storeu_ps(out, _mm_movelh_ps(low01, low23));
  _mm_storeu_ps(out + out_pitch, _mm_movehl_ps(low23, low01));
  _mm_storeu_ps(out + 2 * out_pitch, _mm_movelh_ps(high01, high23));
  _mm_storeu_ps(out + 3 * out_pitch, _mm_movehl_ps(high23, high01));
}

[[gnu::always_inline]] inline void transpose_quarter(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch) {
  const __m128d row0 = _mm_loadu_pd(in);
  const __m128d row1 = _mm_loadu_pd(in + in_pitch);
  _mm_storeu_pd(out, _mm_unpacklo_pd(row0, row1));
  _mm_storeu_pd(out + out_pitch, _mm_unpackhi_pd(row0, row1));
}

}  // namespace
}  // namespace benchctl::cpu_avx
