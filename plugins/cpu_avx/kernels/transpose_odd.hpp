// An odd number of columns of eight rows that follow each other, floats in 256-bit registers, and back:
// structures of so few members to arrays. Included by units of AVX2 and more, in an unnamed namespace.
//
// As many vectors hold them as there are columns, and the elements of a column all lie in different lanes
// of these: they are blended to one vector, which is then put in order. Per eight rows of 3 columns 3
// loads, 6 blends, 3 shuffles and 3 stores; of 5 columns 5, 20, 5 and 5.
#pragma once

#include <immintrin.h>
#include <stddef.h>

namespace benchctl::cpu_avx {
namespace {

template <size_t columns>
struct OddColumns {
  static_assert(columns % 2 == 1 && columns <= 7);

  /// Lanes of vector v that hold elements of column c.
  static constexpr int lanes_of(size_t v, size_t c) {
    int lanes = 0;
    for (size_t lane = 0; lane < 8; ++lane) {
      if ((8 * v + lane) % columns == c) lanes |= 1 << lane;
    }
    return lanes;
  }

  /// In which lane row r of column c is.
  static constexpr int lane_of(size_t c, size_t r) { return static_cast<int>((c + columns * r) % 8); }

  /// Which row of column c is in a lane: 7 is the inverse of 7, 5 of 5, 3 of 3 modulo 8.
  static constexpr int row_in(size_t c, size_t lane) {
    return static_cast<int>((lane + 8 - c) * columns % 8);
  }

  template <size_t c, size_t v = columns - 1>
  [[gnu::always_inline]] static __m256 column_of(const __m256* vectors) {
    if constexpr (v == 0) {
      return vectors[0];
    } else {
      return _mm256_blend_ps(column_of<c, v - 1>(vectors), vectors[v], lanes_of(v, c));
    }
  }

  template <size_t v, size_t c = columns - 1>
  [[gnu::always_inline]] static __m256 vector_of(const __m256* in_lanes) {
    if constexpr (c == 0) {
      return in_lanes[0];
    } else {
      return _mm256_blend_ps(vector_of<v, c - 1>(in_lanes), in_lanes[c], lanes_of(v, c));
    }
  }

  template <size_t c = 0>
  [[gnu::always_inline]] static void store_columns(const __m256* vectors, float* to, size_t pitch) {
    const __m256i order = _mm256_setr_epi32(lane_of(c, 0), lane_of(c, 1), lane_of(c, 2), lane_of(c, 3),
                                            lane_of(c, 4), lane_of(c, 5), lane_of(c, 6), lane_of(c, 7));
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(column_of<c>(vectors), order));
    if constexpr (c + 1 < columns) store_columns<c + 1>(vectors, to + pitch, pitch);
  }

  template <size_t c = 0>
  [[gnu::always_inline]] static void load_columns(const float* const* from, size_t row, __m256* in_lanes) {
    const __m256i order = _mm256_setr_epi32(row_in(c, 0), row_in(c, 1), row_in(c, 2), row_in(c, 3),
                                            row_in(c, 4), row_in(c, 5), row_in(c, 6), row_in(c, 7));
    in_lanes[c] = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from[c] + row), order);
    if constexpr (c + 1 < columns) load_columns<c + 1>(from, row, in_lanes);
  }

  template <size_t v = 0>
  [[gnu::always_inline]] static void store_vectors(const __m256* in_lanes, float* to) {
    _mm256_storeu_ps(to, vector_of<v>(in_lanes));
    if constexpr (v + 1 < columns) store_vectors<v + 1>(in_lanes, to + 8);
  }

  /// Eight rows to columns, `pitch` apart.
  [[gnu::always_inline]] static void part(const float* from, float* to, size_t pitch) {
    __m256 vectors[columns];
#pragma GCC unroll 8
    for (size_t v = 0; v < columns; ++v) vectors[v] = _mm256_loadu_ps(from + 8 * v);
    store_columns(vectors, to, pitch);
  }

  /// Eight elements of each column, from `row` on, to rows.
  [[gnu::always_inline]] static void join(const float* const* from, size_t row, float* to) {
    __m256 in_lanes[columns];
    load_columns(from, row, in_lanes);
    store_vectors(in_lanes, to);
  }
};

}  // namespace
}  // namespace benchctl::cpu_avx
