// Transposes with AVX-512 of matrices that no side of is longer than a line: in registers, by masks.
//
// A copy with room behind it, which vectors may read and write, costs more than all shuffles do: it is read
// before its stores are done, in other pieces than it was written. Masked loads and stores need none.
//
// Arithmetic      Up to 8 × 8 floats: 8 loads and stores, 24 shuffles; up to 8 × 16 or 16 × 8: 32; more:
//                 16 loads and stores and 64 shuffles; of doubles up to 8 × 8 8 and 16.
// Expected limit  Shuffles, two a cycle: 12 to 32 cycles. One by one 81 elements take 40.
#pragma once

#include "kernels/transpose_shuffles_avx512.hpp"

namespace benchctl::cpu_avx {
namespace {

/// Rows one after the other, as masked vectors; behind the last comes the last, of which nothing is stored.
template <class T>
struct MaskedRows {
  const T* row;
  const T* last;
  size_t columns;
  unsigned mask;

  MaskedRows(const T* in, size_t rows, size_t columns_of_in)
      : row(in),
        last(in + (rows - 1) * columns_of_in),
        columns(columns_of_in),
        mask((1U << columns) - 1U) {}
  [[gnu::always_inline]] __m512 next_f32() {
    const __m512 v = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), row);
    step();
    return v;
  }
  [[gnu::always_inline]] __m512d next_f64() {
    const __m512d v = _mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), row);
    step();
    return v;
  }
  [[gnu::always_inline]] void step() { row = row == last ? row : row + columns; }
};

/// Four rows within 4 × 4 squares: quarter q of v[i] becomes column 4q + i.
[[gnu::always_inline]] inline void masked_quarters(MaskedRows<float>& in, __m512* v) {
  const __m512 row0 = in.next_f32();
  const __m512 row1 = in.next_f32();
  const __m512 row2 = in.next_f32();
  const __m512 row3 = in.next_f32();
  transpose_within_quarters(row0, row1, row2, row3, v);
}

/// Up to 8 rows of up to 16 columns.
inline void transpose_small_low(const float* in, float* out, size_t rows, size_t columns) {
  MaskedRows<float> from(in, rows, columns);
  __m512 upper[4];
  __m512 lower[4];
  masked_quarters(from, upper);
  masked_quarters(from, lower);
  const auto mask = static_cast<__mmask8>((1U << rows) - 1U);
  const auto store = [&](size_t column, __m512d two) {
    const __m512 v = _mm512_castpd_ps(two);
    if (column < columns) _mm512_mask_storeu_ps(out + column * rows, mask, v);
    if (column + 4 < columns) {
      const __m512 second = _mm512_castpd_ps(_mm512_castpd256_pd512(_mm512_extractf64x4_pd(two, 1)));
      _mm512_mask_storeu_ps(out + (column + 4) * rows, mask, second);
    }
  };
  const __m512i columns01 = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i columns23 = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    store(i, _mm512_permutex2var_pd(_mm512_castps_pd(upper[i]), columns01, _mm512_castps_pd(lower[i])));
  }
  if (columns <= 8) return;
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    store(i + 8, _mm512_permutex2var_pd(_mm512_castps_pd(upper[i]), columns23, _mm512_castps_pd(lower[i])));
  }
}

/// More rows than 8, up to 16, of up to 8 columns.
inline void transpose_small_high(const float* in, float* out, size_t rows, size_t columns) {
  MaskedRows<float> from(in, rows, columns);
  __m512 row[8];  // and the row 8 further down beside it
#pragma GCC unroll 8
  for (size_t r = 0; r < 8; ++r) row[r] = from.next_f32();
#pragma GCC unroll 8
  for (size_t r = 0; r < 8; ++r) {
    const __m256d below = _mm512_castpd512_pd256(_mm512_castps_pd(from.next_f32()));
    row[r] = _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castps_pd(row[r]), below, 1));
  }
  __m512 upper[4];
  __m512 lower[4];
  transpose_within_quarters(row[0], row[1], row[2], row[3], upper);
  transpose_within_quarters(row[4], row[5], row[6], row[7], lower);
  const auto mask = static_cast<__mmask16>((1U << rows) - 1U);
  const auto store = [&](size_t column, __m512d v) {
    if (column < columns) _mm512_mask_storeu_ps(out + column * rows, mask, _mm512_castpd_ps(v));
  };
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    const __m512d a = _mm512_castps_pd(upper[i]);
    const __m512d b = _mm512_castps_pd(lower[i]);
    store(i, even_quarters(a, b));
    store(i + 4, odd_quarters(a, b));
  }
}

/// No side is longer than 16.
[[gnu::noinline]] inline void transpose_small(const float* in, float* out, size_t rows, size_t columns) {
  if (rows <= 8) return transpose_small_low(in, out, rows, columns);
  if (columns <= 8) return transpose_small_high(in, out, rows, columns);
  MaskedRows<float> from(in, rows, columns);
  __m512 v[16];
#pragma GCC unroll 4
  for (size_t g = 0; g < 16; g += 4) masked_quarters(from, v + g);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) transpose_quarters(v + i, 4, QuartersF32{});
  const auto mask = static_cast<__mmask16>((1U << rows) - 1U);
#pragma GCC unroll 16
  for (size_t c = 0; c < 16; ++c) {
    if (c == columns) return;
    _mm512_mask_storeu_ps(out, mask, v[c]);
    out += rows;
  }
}

/// No side is longer than 8.
[[gnu::noinline]] inline void transpose_small(const double* in, double* out, size_t rows, size_t columns) {
  MaskedRows<double> from(in, rows, columns);
  __m512d v[8];
#pragma GCC unroll 4
  for (size_t g = 0; g < 8; g += 2) {
    const __m512d row0 = from.next_f64();
    const __m512d row1 = from.next_f64();
    v[g] = _mm512_unpacklo_pd(row0, row1);
    v[g + 1] = _mm512_unpackhi_pd(row0, row1);
  }
#pragma GCC unroll 2
  for (size_t i = 0; i < 2; ++i) transpose_quarters(v + i, 2, QuartersF64{});
  const auto mask = static_cast<__mmask8>((1U << rows) - 1U);
#pragma GCC unroll 8
  for (size_t c = 0; c < 8; ++c) {
    if (c == columns) return;
    _mm512_mask_storeu_pd(out, mask, v[c]);
    out += rows;
  }
}

}  // namespace
}  // namespace benchctl::cpu_avx
