// Squares of 16 × 16 floats or 8 × 8 doubles in 512-bit registers: a register is a cache line.
#include "kernels/avx512_vectors.hpp"
#include "kernels/transpose_shuffles_avx512.hpp"
#include "kernels/transpose_small_avx512.hpp"
#include "kernels/transpose_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Four rows of 16 columns, which `in` then is beyond, within 4 × 4 squares: quarter q of v[i] becomes
/// column 4q + i.
[[gnu::always_inline]] inline void transpose_within_quarters(const float*& in, size_t pitch, __m512* v) {
  const __m512 row0 = _mm512_loadu_ps(in);
  const __m512 row1 = _mm512_loadu_ps(in + pitch);
  const __m512 row2 = _mm512_loadu_ps(in + 2 * pitch);
  const __m512 row3 = _mm512_loadu_ps(in + 3 * pitch);
  in += 4 * pitch;
  asm("" : "+r"(in));  // or there are more addresses than registers
  transpose_within_quarters(row0, row1, row2, row3, v);
}

/// Row r of 4 × 4 (doubles: 2 × 2) squares that lie below each other, side by side in quarters.
[[gnu::always_inline]] inline __m512 quarters_of_rows(const float* in, size_t pitch) {
  __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(in));
  v = _mm512_insertf32x4(v, _mm_loadu_ps(in + 4 * pitch), 1);
  v = _mm512_insertf32x4(v, _mm_loadu_ps(in + 8 * pitch), 2);
  return _mm512_insertf32x4(v, _mm_loadu_ps(in + 12 * pitch), 3);
}

[[gnu::always_inline]] inline __m512d quarters_of_rows(const double* in, size_t pitch) {
  const auto two = [&](size_t row) { return _mm_castpd_ps(_mm_loadu_pd(in + row * pitch)); };
  __m512 v = _mm512_castps128_ps512(two(0));
  v = _mm512_insertf32x4(v, two(2), 1);
  v = _mm512_insertf32x4(v, two(4), 2);
  return _mm512_castps_pd(_mm512_insertf32x4(v, two(6), 3));
}

/// Four columns of 16 rows, or two of eight.
[[gnu::always_inline]] inline void columns_of_quarters(const float* in, size_t pitch, __m512* v) {
  transpose_within_quarters(quarters_of_rows(in, pitch), quarters_of_rows(in + pitch, pitch),
                            quarters_of_rows(in + 2 * pitch, pitch),
                            quarters_of_rows(in + 3 * pitch, pitch), v);
}

[[gnu::always_inline]] inline void columns_of_quarters(const double* in, size_t pitch, __m512d* v) {
  const __m512d row0 = quarters_of_rows(in, pitch);
  const __m512d row1 = quarters_of_rows(in + pitch, pitch);
  v[0] = _mm512_unpacklo_pd(row0, row1);
  v[1] = _mm512_unpackhi_pd(row0, row1);
}

/// Half a line of a row, and of the row half a square further down.
[[gnu::always_inline]] inline __m512 halves_of_rows(const float* in, size_t pitch) {
  const __m512d upper = _mm512_castpd256_pd512(_mm256_castps_pd(_mm256_loadu_ps(in)));
  return _mm512_castpd_ps(_mm512_insertf64x4(upper, _mm256_castps_pd(_mm256_loadu_ps(in + 8 * pitch)), 1));
}

[[gnu::always_inline]] inline __m512d halves_of_rows(const double* in, size_t pitch) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(in)), _mm256_loadu_pd(in + 4 * pitch),
                            1);
}

struct F32 : avx512::F32 {
  static constexpr size_t edge = 16;
  static constexpr size_t panel_lines = 4;
  static constexpr size_t slice = 8;
  static void small(const float* in, float* out, size_t rows, size_t columns) {
    transpose_small(in, out, rows, columns);
  }

  /// Eight rows: half a square, whose columns are half a vector each.
  [[gnu::always_inline]] static void transpose_slice(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch) {
    Vector upper[4];
    Vector lower[4];
    transpose_within_quarters(in, in_pitch, upper);
    transpose_within_quarters(in, in_pitch, lower);
    const __m512i columns01 = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i columns23 = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    const auto store_two = [&](size_t column, __m512d v) {
      double* const first = reinterpret_cast<double*>(out + column * out_pitch);
      double* const second = reinterpret_cast<double*>(out + (column + 4) * out_pitch);
      _mm256_storeu_pd(first, _mm512_castpd512_pd256(v));
      _mm256_storeu_pd(second, _mm512_extractf64x4_pd(v, 1));
    };
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) {
      const __m512d a = _mm512_castps_pd(upper[i]);
      const __m512d b = _mm512_castps_pd(lower[i]);
      store_two(i, _mm512_permutex2var_pd(a, columns01, b));
      store_two(i + 8, _mm512_permutex2var_pd(a, columns23, b));
    }
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch, Store store_vector) {
    Vector v[4];
    columns_of_quarters(in, in_pitch, v);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) store_vector(out + i * out_pitch, v[i]);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const float* in, size_t in_pitch, float* out,
                                                          size_t out_pitch, Store store_vector) {
    Vector upper[4];
    Vector lower[4];
    const auto rows = [&](size_t r) { return halves_of_rows(in + r * in_pitch, in_pitch); };
    transpose_within_quarters(rows(0), rows(1), rows(2), rows(3), upper);
    transpose_within_quarters(rows(4), rows(5), rows(6), rows(7), lower);
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) {
      const __m512d a = _mm512_castps_pd(upper[i]);
      const __m512d b = _mm512_castps_pd(lower[i]);
      store_vector(out + i * out_pitch, _mm512_castpd_ps(even_quarters(a, b)));
      store_vector(out + (4 + i) * out_pitch, _mm512_castpd_ps(odd_quarters(a, b)));
    }
  }
  template <class Rows>
  [[gnu::always_inline]] static void turn_line(const Rows& from, size_t column, float* to, size_t pitch) {
    Vector v[16];
    const auto row = [&](size_t r) { return _mm512_loadu_ps(from[r] + column); };
#pragma GCC unroll 4
    for (size_t g = 0; g < 16; g += 4) {
      transpose_within_quarters(row(g), row(g + 1), row(g + 2), row(g + 3), v + g);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) transpose_quarters(v + i, 4, QuartersF32{});
#pragma GCC unroll 16
    for (size_t c = 0; c < 16; ++c) {
      store(to, v[c]);
      to += pitch;
    }
  }
  template <size_t columns = edge, class Store>
  [[gnu::always_inline]] static void transpose(const float* in, size_t in_pitch, float* out,
                                               size_t out_pitch, Store store_row) {
    Vector v[16];
    // First within the 4 × 4 squares of quarters: afterwards quarter q of v[4g + i] holds column 4q + i of
    // rows 4g … 4g + 3.
#pragma GCC unroll 4
    for (size_t g = 0; g < 16; g += 4) transpose_within_quarters(in, in_pitch, v + g);
      // Then the quarters change places: v[4q + i] becomes column 4q + i.
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; ++i) transpose_quarters(v + i, 4, QuartersF32{});
#pragma GCC unroll 4
    for (size_t c = 0; c < 16; c += 4) {
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; ++i) {
        if (c + i < columns) store_row(out + i * out_pitch, v[c + i]);
      }
      out += 4 * out_pitch;
      asm("" : "+r"(out));
    }
  }
};

struct F64 : avx512::F64 {
  static constexpr size_t edge = 8;
  static constexpr size_t panel_lines = 1;
  static constexpr size_t slice = 8;
  static void small(const double* in, double* out, size_t rows, size_t columns) {
    transpose_small(in, out, rows, columns);
  }

  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch, Store store_vector) {
    Vector v[2];
    columns_of_quarters(in, in_pitch, v);
    store_vector(out, v[0]);
    store_vector(out + out_pitch, v[1]);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const double* in, size_t in_pitch, double* out,
                                                          size_t out_pitch, Store store_vector) {
    const auto rows = [&](size_t r) { return halves_of_rows(in + r * in_pitch, in_pitch); };
    const Vector row0 = rows(0);
    const Vector row1 = rows(1);
    const Vector row2 = rows(2);
    const Vector row3 = rows(3);
    const Vector even01 = _mm512_unpacklo_pd(row0, row1);
    const Vector odd01 = _mm512_unpackhi_pd(row0, row1);
    const Vector even23 = _mm512_unpacklo_pd(row2, row3);
    const Vector odd23 = _mm512_unpackhi_pd(row2, row3);
    store_vector(out, even_quarters(even01, even23));
    store_vector(out + out_pitch, even_quarters(odd01, odd23));
    store_vector(out + 2 * out_pitch, odd_quarters(even01, even23));
    store_vector(out + 3 * out_pitch, odd_quarters(odd01, odd23));
  }
  template <class Rows>
  [[gnu::always_inline]] static void turn_line(const Rows& from, size_t column, double* to, size_t pitch) {
    Vector v[8];
#pragma GCC unroll 4
    for (size_t g = 0; g < 8; g += 2) {
      const Vector row0 = _mm512_loadu_pd(from[g] + column);
      const Vector row1 = _mm512_loadu_pd(from[g + 1] + column);
      v[g] = _mm512_unpacklo_pd(row0, row1);
      v[g + 1] = _mm512_unpackhi_pd(row0, row1);
    }
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; ++i) transpose_quarters(v + i, 2, QuartersF64{});
#pragma GCC unroll 8
    for (size_t c = 0; c < 8; ++c) {
      store(to, v[c]);
      to += pitch;
    }
  }
  template <size_t columns = edge, class Store>
  [[gnu::always_inline]] static void transpose(const double* in, size_t in_pitch, double* out,
                                               size_t out_pitch, Store store_row) {
    Vector v[8];
    // Afterwards quarter q of v[2g + i] holds column 2q + i of rows 2g and 2g + 1.
#pragma GCC unroll 4
    for (size_t g = 0; g < 8; g += 2) {
      const Vector row0 = _mm512_loadu_pd(in + g * in_pitch);
      const Vector row1 = _mm512_loadu_pd(in + (g + 1) * in_pitch);
      v[g] = _mm512_unpacklo_pd(row0, row1);
      v[g + 1] = _mm512_unpackhi_pd(row0, row1);
    }
#pragma GCC unroll 2
    for (size_t i = 0; i < 2; ++i) transpose_quarters(v + i, 2, QuartersF64{});
#pragma GCC unroll 8
    for (size_t c = 0; c < columns; ++c) store_row(out + c * out_pitch, v[c]);
  }
};

}  // namespace

void transpose_avx512(const TransposePart<float>& part, bool stream) noexcept {
  WideTranspose<F32>::run(part, stream);
}
void transpose_avx512(const TransposePart<double>& part, bool stream) noexcept {
  WideTranspose<F64>::run(part, stream);
}

}  // namespace benchctl::cpu_avx
