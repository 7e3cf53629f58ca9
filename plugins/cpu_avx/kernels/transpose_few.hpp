// A few columns of a vector's rows that follow each other, and back: structures of so few members to
// arrays. Included by units of AVX2 and more, in an unnamed namespace.
//
// As many vectors hold them as there are columns. If that is an odd number, the elements of a column all
// lie in different lanes of these: they are blended to one vector, which is then put in order. Six columns
// of floats are three of pairs; four change halves of vectors first. Loads, blends, shuffles and stores per
// eight rows of floats (four of doubles):
//
//   3 columns   3   6   3   3        5 columns   5  20   5   5
//   4 columns   4   0  12   4        6 columns   6  12  18   6
#pragma once

#include <immintrin.h>
#include <stddef.h>

#include "kernels/transpose_pieces.hpp"

namespace benchctl::cpu_avx {
namespace {

/// `order` says which lane of v goes to a lane.
struct FloatLanes {
  using T = float;
  using Vector = __m256;
  static constexpr size_t count = 8;
  static Vector load(const T* p) { return _mm256_loadu_ps(p); }
  static void store(T* p, Vector v) { _mm256_storeu_ps(p, v); }
  template <int second>
  static Vector blend(Vector a, Vector b) {
    return _mm256_blend_ps(a, b, second);
  }
  template <class Order>
  static Vector ordered(Vector v, Order /*order*/) {
    constexpr Order of{};
    const __m256i lanes = _mm256_setr_epi32(of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7));
    return _mm256_permutevar8x32_ps(v, lanes);
  }
};

struct DoubleLanes {
  using T = double;
  using Vector = __m256d;
  static constexpr size_t count = 4;
  static Vector load(const T* p) { return _mm256_loadu_pd(p); }
  static void store(T* p, Vector v) { _mm256_storeu_pd(p, v); }
  template <int second>
  static Vector blend(Vector a, Vector b) {
    return _mm256_blend_pd(a, b, second);
  }
  template <class Order>
  static Vector ordered(Vector v, Order /*order*/) {
    constexpr Order of{};
    constexpr int lanes = of(0) | of(1) << 2 | of(2) << 4 | of(3) << 6;
    return _mm256_permute4x64_pd(v, lanes);
  }
};

template <size_t columns, class Lanes>
struct OddColumns {
  static_assert(columns % 2 == 1 && columns <= 7);
  using T = typename Lanes::T;
  using Vector = typename Lanes::Vector;
  static constexpr size_t count = Lanes::count;

  /// Lanes of vector v that hold elements of column c.
  static constexpr int lanes_of(size_t v, size_t c) {
    int lanes = 0;
    for (size_t lane = 0; lane < count; ++lane) {
      if ((count * v + lane) % columns == c) lanes |= 1 << lane;
    }
    return lanes;
  }

  /// Column c of `vectors` in whatever order, and vector v of columns whose lanes are in place.
  template <size_t c, size_t v = columns - 1>
  [[gnu::always_inline]] static Vector column_of(const Vector* vectors) {
    if constexpr (v == 0) {
      return vectors[0];
    } else {
      return Lanes::template blend<lanes_of(v, c)>(column_of<c, v - 1>(vectors), vectors[v]);
    }
  }
  template <size_t v, size_t c = columns - 1>
  [[gnu::always_inline]] static Vector vector_of(const Vector* in_lanes) {
    if constexpr (c == 0) {
      return in_lanes[0];
    } else {
      return Lanes::template blend<lanes_of(v, c)>(vector_of<v, c - 1>(in_lanes), in_lanes[c]);
    }
  }

  /// Rows to columns. Row r of column c is in lane c + r · columns.
  template <size_t c = 0>
  [[gnu::always_inline]] static void part(const Vector* vectors, Vector* of_column) {
    of_column[c] = Lanes::ordered(
        column_of<c>(vectors),
        [](size_t row) constexpr { return static_cast<int>((c + columns * row) % count); });
    if constexpr (c + 1 < columns) part<c + 1>(vectors, of_column);
  }

  /// Columns in lanes where their elements are among rows. An odd number is its own inverse modulo 8.
  template <size_t c = 0>
  [[gnu::always_inline]] static void place(const Vector* of_column, Vector* in_lanes) {
    in_lanes[c] = Lanes::ordered(
        of_column[c],
        [](size_t lane) constexpr { return static_cast<int>((lane + 8 - c) * columns % count); });
    if constexpr (c + 1 < columns) place<c + 1>(of_column, in_lanes);
  }
  template <size_t v = 0>
  [[gnu::always_inline]] static void store_vectors(const Vector* in_lanes, T* to) {
    Lanes::store(to, vector_of<v>(in_lanes));
    if constexpr (v + 1 < columns) store_vectors<v + 1>(in_lanes, to + count);
  }

  [[gnu::always_inline]] static void part(const T* from, Vector* of_column) {
    Vector vectors[columns];
#pragma GCC unroll 8
    for (size_t v = 0; v < columns; ++v) vectors[v] = Lanes::load(from + count * v);
    part(vectors, of_column);
  }

  /// A vector's rows to columns, `pitch` apart.
  [[gnu::always_inline]] static void part(const T* from, T* to, size_t pitch) {
    Vector of_column[columns];
    part(from, of_column);
#pragma GCC unroll 8
    for (size_t c = 0; c < columns; ++c) Lanes::store(to + c * pitch, of_column[c]);
  }

  /// Columns to rows.
  [[gnu::always_inline]] static void join(const Vector* of_column, T* to) {
    Vector in_lanes[columns];
    place(of_column, in_lanes);
    store_vectors(in_lanes, to);
  }

  /// So many elements of each column, from `row` on, to rows.
  template <class Rows>
  [[gnu::always_inline]] static void join(const Rows& from, size_t row, T* to) {
    Vector of_column[columns];
#pragma GCC unroll 8
    for (size_t c = 0; c < columns; ++c) of_column[c] = Lanes::load(from[c] + row);
    join(of_column, to);
  }
};

/// Six columns of eight rows of floats.
struct SixColumns {
  using Pairs = OddColumns<3, DoubleLanes>;

  [[gnu::always_inline]] static void part(const float* from, float* to, size_t pitch) {
    __m256d upper[3];  // a pair of columns of rows 0 to 3
    __m256d lower[3];
    Pairs::part(reinterpret_cast<const double*>(from), upper);
    Pairs::part(reinterpret_cast<const double*>(from + 24), lower);
#pragma GCC unroll 3
    for (size_t p = 0; p < 3; ++p) {
      const __m256 rows0145 = _mm256_castpd_ps(_mm256_permute2f128_pd(upper[p], lower[p], 0x20));
      const __m256 rows2367 = _mm256_castpd_ps(_mm256_permute2f128_pd(upper[p], lower[p], 0x31));
      _mm256_storeu_ps(to, _mm256_shuffle_ps(rows0145, rows2367, _MM_SHUFFLE(2, 0, 2, 0)));
      _mm256_storeu_ps(to + pitch, _mm256_shuffle_ps(rows0145, rows2367, _MM_SHUFFLE(3, 1, 3, 1)));
      to += 2 * pitch;
    }
  }

  template <class Rows>
  [[gnu::always_inline]] static void join(const Rows& from, size_t row, float* to) {
    __m256d upper[3];
    __m256d lower[3];
#pragma GCC unroll 3
    for (size_t p = 0; p < 3; ++p) {
      const __m256 even = _mm256_loadu_ps(from[2 * p] + row);
      const __m256 odd = _mm256_loadu_ps(from[2 * p + 1] + row);
      const __m256d rows0145 = _mm256_castps_pd(_mm256_unpacklo_ps(even, odd));
      const __m256d rows2367 = _mm256_castps_pd(_mm256_unpackhi_ps(even, odd));
      upper[p] = _mm256_permute2f128_pd(rows0145, rows2367, 0x20);
      lower[p] = _mm256_permute2f128_pd(rows0145, rows2367, 0x31);
    }
    Pairs::join(upper, reinterpret_cast<double*>(to));
    Pairs::join(lower, reinterpret_cast<double*>(to + 24));
  }
};

/// Four columns of eight rows of floats, of which a vector holds two.
struct FourColumns {
  [[gnu::always_inline]] static void part(const float* from, float* to, size_t pitch) {
    const auto two = [&](size_t row) { return _mm256_loadu_ps(from + 4 * row); };
    __m256 v[4];
    transpose_halves(lower_halves(two(0), two(4)), upper_halves(two(0), two(4)),
                     lower_halves(two(2), two(6)), upper_halves(two(2), two(6)), v);
#pragma GCC unroll 4
    for (size_t c = 0; c < 4; ++c) _mm256_storeu_ps(to + c * pitch, v[c]);
  }
};

/// What turns so few columns.
template <class T, size_t columns>
struct FewColumns : OddColumns<columns, FloatLanes> {};
template <size_t columns>
struct FewColumns<double, columns> : OddColumns<columns, DoubleLanes> {};
template <>
struct FewColumns<float, 4> : FourColumns {};
template <>
struct FewColumns<float, 6> : SixColumns {};

}  // namespace
}  // namespace benchctl::cpu_avx
