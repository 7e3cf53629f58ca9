// Squares of half and of a quarter of a cache line's elements in 256-bit and 128-bit registers: the last
// rows and columns of transposes whose sides are not multiples of a line, and what squares of a line are
// made of with AVX2. Included by units of AVX2 and more, in an unnamed namespace.
//
// Rows are loaded whole and exchange their 128-bit halves last: 8 loads, 24 shuffles and 8 stores for 8 × 8
// floats. On a Zen 5 that takes 8 cycles; 11 with rows loaded in halves, side by side, which spares the
// exchange and takes twice as many loads. That way is left to columns of half a vector and to flat
// transposes, where it is as quick.
#pragma once

#include <immintrin.h>
#include <stddef.h>

namespace benchctl::cpu_avx {
namespace {

/// Four floats from each of two places, side by side.
[[gnu::always_inline]] inline __m256 side_by_side(const float* low, const float* high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

[[gnu::always_inline]] inline __m256d side_by_side(const double* low, const double* high) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}

/// Columns of the 4 × 4 squares in both halves: column c of both in v[c].
[[gnu::always_inline]] inline void transpose_halves(__m256 row0, __m256 row1, __m256 row2, __m256 row3,
                                                    __m256 (&v)[4]) {
  const __m256 low01 = _mm256_unpacklo_ps(row0, row1);
  const __m256 high01 = _mm256_unpackhi_ps(row0, row1);
  const __m256 low23 = _mm256_unpacklo_ps(row2, row3);
  const __m256 high23 = _mm256_unpackhi_ps(row2, row3);
  v[0] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
  v[1] = _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
  v[2] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
  v[3] = _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}

/// Four rows of four floats and the four that are `apart` elements further, side by side, to columns.
[[gnu::always_inline]] inline void columns_of_rows(const float* in, size_t pitch, size_t apart,
                                                   __m256 (&v)[4]) {
  const auto pair = [&](size_t row) { return side_by_side(in + row * pitch, in + row * pitch + apart); };
  transpose_halves(pair(0), pair(1), pair(2), pair(3), v);
}

/// The same for two rows of two doubles.
[[gnu::always_inline]] inline void columns_of_rows(const double* in, size_t pitch, size_t apart,
                                                   __m256d (&v)[2]) {
  const auto pair = [&](size_t row) { return side_by_side(in + row * pitch, in + row * pitch + apart); };
  const __m256d row0 = pair(0);
  const __m256d row1 = pair(1);
  v[0] = _mm256_unpacklo_pd(row0, row1);
  v[1] = _mm256_unpackhi_pd(row0, row1);
}

/// Lower halves of two vectors, and upper ones.
[[gnu::always_inline]] inline __m256 lower_halves(__m256 a, __m256 b) {
  return _mm256_permute2f128_ps(a, b, 0x20);
}
[[gnu::always_inline]] inline __m256 upper_halves(__m256 a, __m256 b) {
  return _mm256_permute2f128_ps(a, b, 0x31);
}

/// Eight rows of as many floats, which `row(r)` loads, to columns.
template <class Row>
[[gnu::always_inline]] inline void columns_of_square(Row row, __m256 (&v)[8]) {
  __m256 upper[4];
  __m256 lower[4];
  transpose_halves(row(0), row(1), row(2), row(3), upper);
  transpose_halves(row(4), row(5), row(6), row(7), lower);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    v[i] = lower_halves(upper[i], lower[i]);
    v[i + 4] = upper_halves(upper[i], lower[i]);
  }
}

/// The same of four rows of as many doubles.
template <class Row>
[[gnu::always_inline]] inline void columns_of_square(Row row, __m256d (&v)[4]) {
  const __m256d even01 = _mm256_unpacklo_pd(row(0), row(1));
  const __m256d odd01 = _mm256_unpackhi_pd(row(0), row(1));
  const __m256d even23 = _mm256_unpacklo_pd(row(2), row(3));
  const __m256d odd23 = _mm256_unpackhi_pd(row(2), row(3));
  v[0] = _mm256_permute2f128_pd(even01, even23, 0x20);
  v[1] = _mm256_permute2f128_pd(odd01, odd23, 0x20);
  v[2] = _mm256_permute2f128_pd(even01, even23, 0x31);
  v[3] = _mm256_permute2f128_pd(odd01, odd23, 0x31);
}

[[gnu::always_inline]] inline void transpose_half(const float* in, size_t in_pitch, float* out,
                                                  size_t out_pitch) {
  const float* const below = in + 4 * in_pitch;
  float* beside = out + 4 * out_pitch;
  asm("" : "+r"(beside));  // or there are more addresses than registers
  __m256 v[8];
  columns_of_square([&](size_t r) { return _mm256_loadu_ps((r < 4 ? in : below) + r % 4 * in_pitch); }, v);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    _mm256_storeu_ps(out + i * out_pitch, v[i]);
    _mm256_storeu_ps(beside + i * out_pitch, v[i + 4]);
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

/// Half a line's rows of a quarter as many columns.
[[gnu::always_inline]] inline void transpose_half_by_quarter(const float* in, size_t in_pitch, float* out,
                                                             size_t out_pitch) {
  __m256 v[4];
  columns_of_rows(in, in_pitch, 4 * in_pitch, v);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) _mm256_storeu_ps(out + i * out_pitch, v[i]);
}

[[gnu::always_inline]] inline void transpose_half_by_quarter(const double* in, size_t in_pitch, double* out,
                                                             size_t out_pitch) {
  __m256d v[2];
  columns_of_rows(in, in_pitch, 2 * in_pitch, v);
  _mm256_storeu_pd(out, v[0]);
  _mm256_storeu_pd(out + out_pitch, v[1]);
}

/// A quarter of a line's rows of twice as many columns.
[[gnu::always_inline]] inline void transpose_quarter_by_half(const float* in, size_t in_pitch, float* out,
                                                             size_t out_pitch) {
  float* const beside = out + 4 * out_pitch;
  const auto row = [&](size_t r) { return _mm256_loadu_ps(in + r * in_pitch); };
  __m256 v[4];
  transpose_halves(row(0), row(1), row(2), row(3), v);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    _mm_storeu_ps(out + i * out_pitch, _mm256_castps256_ps128(v[i]));
    _mm_storeu_ps(beside + i * out_pitch, _mm256_extractf128_ps(v[i], 1));
  }
}

[[gnu::always_inline]] inline void transpose_quarter_by_half(const double* in, size_t in_pitch, double* out,
                                                             size_t out_pitch) {
  const __m256d row0 = _mm256_loadu_pd(in);
  const __m256d row1 = _mm256_loadu_pd(in + in_pitch);
  const __m256d even = _mm256_unpacklo_pd(row0, row1);
  const __m256d odd = _mm256_unpackhi_pd(row0, row1);
  _mm_storeu_pd(out, _mm256_castpd256_pd128(even));
  _mm_storeu_pd(out + out_pitch, _mm256_castpd256_pd128(odd));
  _mm_storeu_pd(out + 2 * out_pitch, _mm256_extractf128_pd(even, 1));
  _mm_storeu_pd(out + 3 * out_pitch, _mm256_extractf128_pd(odd, 1));
}

/// A quarter of a line's rows of one column.
[[gnu::always_inline]] inline void gather_quarter(const float* in, size_t pitch, float* out) {
  _mm_storeu_ps(out, _mm_setr_ps(in[0], in[pitch], in[2 * pitch], in[3 * pitch]));
}

[[gnu::always_inline]] inline void gather_quarter(const double* in, size_t pitch, double* out) {
  _mm_storeu_pd(out, _mm_setr_pd(in[0], in[pitch]));
}

/// Two columns of four rows, apart from each other.
[[gnu::always_inline]] inline void part_pairs(const float* from, size_t pitch, float* first,
                                              float* second) {
  const auto two = [&](size_t r) {
    const auto at = [&](size_t row) { return reinterpret_cast<const __m64*>(from + row * pitch); };
    return _mm_loadh_pi(_mm_loadl_pi(_mm_setzero_ps(), at(r)), at(r + 1));
  };
  const __m128 rows01 = two(0);
  const __m128 rows23 = two(2);
  _mm_storeu_ps(first, _mm_shuffle_ps(rows01, rows23, _MM_SHUFFLE(2, 0, 2, 0)));
  _mm_storeu_ps(second, _mm_shuffle_ps(rows01, rows23, _MM_SHUFFLE(3, 1, 3, 1)));
}

/// Eight pairs to two rows, and back.
[[gnu::always_inline]] inline void part_pairs(const float* from, float* first, float* second) {
  const __m256 low = _mm256_loadu_ps(from);
  const __m256 high = _mm256_loadu_ps(from + 8);
  const __m256 mixed_low = _mm256_permute2f128_ps(low, high, 0x20);
  const __m256 mixed_high = _mm256_permute2f128_ps(low, high, 0x31);
  _mm256_storeu_ps(first, _mm256_shuffle_ps(mixed_low, mixed_high, _MM_SHUFFLE(2, 0, 2, 0)));
  _mm256_storeu_ps(second, _mm256_shuffle_ps(mixed_low, mixed_high, _MM_SHUFFLE(3, 1, 3, 1)));
}

[[gnu::always_inline]] inline void join_pairs(const float* first, const float* second, float* to) {
  const __m256 row0 = _mm256_loadu_ps(first);
  const __m256 row1 = _mm256_loadu_ps(second);
  const __m256 even = _mm256_unpacklo_ps(row0, row1);
  const __m256 odd = _mm256_unpackhi_ps(row0, row1);
  _mm256_storeu_ps(to, _mm256_permute2f128_ps(even, odd, 0x20));
  _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(even, odd, 0x31));
}

// `from[r]` below is where row r begins.

template <class T>
struct PitchedRows {
  const T* in;
  size_t pitch;
  [[gnu::always_inline]] const T* operator[](size_t r) const { return in + r * pitch; }
};

/// Half a line's columns of a quarter of a line's rows, which become columns that follow each other.
[[gnu::always_inline]] inline void store_dense(const __m256 (&v)[4], float* to) {
  _mm256_storeu_ps(to, lower_halves(v[0], v[1]));
  _mm256_storeu_ps(to + 8, lower_halves(v[2], v[3]));
  _mm256_storeu_ps(to + 16, upper_halves(v[0], v[1]));
  _mm256_storeu_ps(to + 24, upper_halves(v[2], v[3]));
}

[[gnu::always_inline]] inline void turn_half_quarter(const float* in, size_t in_pitch, float* to) {
  const auto row = [&](size_t r) { return _mm256_loadu_ps(in + r * in_pitch); };
  __m256 v[4];
  transpose_halves(row(0), row(1), row(2), row(3), v);
  store_dense(v, to);
}

[[gnu::always_inline]] inline void turn_half_quarter(const double* in, size_t in_pitch, double* to) {
  const __m256d row0 = _mm256_loadu_pd(in);
  const __m256d row1 = _mm256_loadu_pd(in + in_pitch);
  const __m256d even = _mm256_unpacklo_pd(row0, row1);
  const __m256d odd = _mm256_unpackhi_pd(row0, row1);
  _mm256_storeu_pd(to, _mm256_permute2f128_pd(even, odd, 0x20));
  _mm256_storeu_pd(to + 4, _mm256_permute2f128_pd(even, odd, 0x31));
}

/// A line's columns of a quarter as many rows (flat transposes): column c is written to `to` + c · pitch,
/// in ascending order, as so many elements. `dense`: the pitch is just that. Two rows of doubles always
/// are.
template <bool dense, class Rows>
[[gnu::always_inline]] inline void turn_quarter(const Rows& from, size_t column, float* to, size_t pitch) {
#pragma GCC unroll 2
  for (size_t c = 0; c < 16; c += 8) {
    __m256 v[4];
    const auto row = [&](size_t r) { return _mm256_loadu_ps(from[r] + column + c); };
    transpose_halves(row(0), row(1), row(2), row(3), v);
    if constexpr (dense) {
      store_dense(v, to);
    } else {
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; ++i) _mm_storeu_ps(to + i * pitch, _mm256_castps256_ps128(v[i]));
#pragma GCC unroll 4
      for (size_t i = 0; i < 4; ++i) _mm_storeu_ps(to + (4 + i) * pitch, _mm256_extractf128_ps(v[i], 1));
    }
    to += 8 * pitch;
  }
}

template <bool dense, class Rows>
[[gnu::always_inline]] inline void turn_quarter(const Rows& from, size_t column, double* to, size_t pitch) {
  static_assert(dense);
#pragma GCC unroll 2
  for (size_t c = 0; c < 8; c += 4) {
    const __m256d row0 = _mm256_loadu_pd(from[0] + column + c);
    const __m256d row1 = _mm256_loadu_pd(from[1] + column + c);
    const __m256d even = _mm256_unpacklo_pd(row0, row1);
    const __m256d odd = _mm256_unpackhi_pd(row0, row1);
    _mm256_storeu_pd(to, _mm256_permute2f128_pd(even, odd, 0x20));
    _mm256_storeu_pd(to + 4, _mm256_permute2f128_pd(even, odd, 0x31));
    to += 4 * pitch;
  }
}

inline __m256 load(const float* p) { return _mm256_loadu_ps(p); }
inline __m256d load(const double* p) { return _mm256_loadu_pd(p); }

inline void store(float* p, __m256 v) { _mm256_storeu_ps(p, v); }
inline void store(double* p, __m256d v) { _mm256_storeu_pd(p, v); }

template <class T>
struct HalfLine {
  using Vector = __m256;
};
template <>
struct HalfLine<double> {
  using Vector = __m256d;
};

/// A line's columns of half as many rows, in the same way.
template <class Rows, class T>
[[gnu::always_inline]] inline void turn_half(const Rows& from, size_t column, T* to, size_t pitch) {
  constexpr size_t half = 32 / sizeof(T);
#pragma GCC unroll 2
  for (size_t c = column; c < column + 2 * half; c += half) {
    typename HalfLine<T>::Vector v[half];
    columns_of_square([&](size_t r) { return load(from[r] + c); }, v);
#pragma GCC unroll 8
    for (size_t i = 0; i < half; ++i) {
      store(to, v[i]);
      to += pitch;
    }
  }
}

}  // namespace
}  // namespace benchctl::cpu_avx
