// Squares of a cache line's elements, 16 × 16 floats or 8 × 8 doubles, in 256-bit registers.
//
// Half the columns at a time, so that both halves of a line of out are there together and are stored one
// after the other: the two go to the cache as one. Half a square of floats takes 20 loads, 48 shuffles and
// 16 stores.
#include "kernels/avx2_vectors.hpp"
#include "kernels/transpose_pieces.hpp"
#include "kernels/transpose_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

/// Four columns (doubles: two) of a line's rows.
template <size_t columns, class T, class Vector, class Store>
[[gnu::always_inline]] inline void transpose_columns(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                                     Store store) {
  constexpr size_t half = 2 * columns;
  Vector upper[columns];
  Vector lower[columns];
  columns_of_rows(in, in_pitch, columns * in_pitch, upper);
  columns_of_rows(in + half * in_pitch, in_pitch, columns * in_pitch, lower);
#pragma GCC unroll 4
  for (size_t i = 0; i < columns; ++i) {
    store(out + i * out_pitch, upper[i]);
    store(out + i * out_pitch + half, lower[i]);
  }
}

/// Half of a square's columns. The last four rows are transposed two columns at a time, or
/// registers would not suffice: they are loaded twice.
template <class Store>
[[gnu::always_inline]] inline void transpose_half_line(const float* in, size_t pitch, float* out,
                                                       size_t out_pitch, Store store) {
  const float* const rows4 = in + 4 * pitch;
  const float* const rows8 = rows4 + 4 * pitch;
  const float* rows12 = rows8 + 4 * pitch;
  float* beside = out + 4 * out_pitch;
  asm("" : "+r"(rows12), "+r"(beside));
  const auto four = [&](const float* from, __m256(&v)[4]) {
    const auto row = [&](size_t r) { return _mm256_loadu_ps(from + r * pitch); };
    transpose_halves(row(0), row(1), row(2), row(3), v);
  };
  __m256 v0[4];
  __m256 v4[4];
  __m256 v8[4];
  four(in, v0);
  four(rows4, v4);
  four(rows8, v8);
  const auto store_column = [&](size_t i, __m256 v12) {
    store(out, lower_halves(v0[i], v4[i]));
    store(out + 8, lower_halves(v8[i], v12));
    store(beside, upper_halves(v0[i], v4[i]));
    store(beside + 8, upper_halves(v8[i], v12));
    out += out_pitch;
    beside += out_pitch;
  };
  const auto store_two = [&](size_t i, __m256 rows01, __m256 rows23) {
    store_column(i, _mm256_shuffle_ps(rows01, rows23, _MM_SHUFFLE(1, 0, 1, 0)));
    store_column(i + 1, _mm256_shuffle_ps(rows01, rows23, _MM_SHUFFLE(3, 2, 3, 2)));
  };
  const auto row = [&](size_t r) { return _mm256_loadu_ps(rows12 + r * pitch); };
  store_two(0, _mm256_unpacklo_ps(row(0), row(1)), _mm256_unpacklo_ps(row(2), row(3)));
  asm("" : "+r"(rows12));  // loaded once more
  store_two(2, _mm256_unpackhi_ps(row(0), row(1)), _mm256_unpackhi_ps(row(2), row(3)));
}

template <class Store>
[[gnu::always_inline]] inline void transpose_half_line(const double* in, size_t in_pitch, double* out,
                                                       size_t out_pitch, Store store) {
  transpose_columns<2, double, __m256d>(in, in_pitch, out, out_pitch, store);
  in += 2;
  out += 2 * out_pitch;
  asm("" : "+r"(in), "+r"(out));
  transpose_columns<2, double, __m256d>(in, in_pitch, out, out_pitch, store);
}

/// A square.
template <class T, class Store>
[[gnu::always_inline]] inline void transpose_line(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                                  Store store) {
  constexpr size_t half = 32 / sizeof(T);
#pragma GCC unroll 2
  for (size_t c = 0; c < 2; ++c) {
    transpose_half_line(in, in_pitch, out, out_pitch, store);
    in += half;
    out += half * out_pitch;
    asm("" : "+r"(in), "+r"(out));  // one after the other, or registers do not suffice
  }
}

/// Half the rows of a square, four columns (doubles: two) at a time.
template <size_t columns, class T, class Vector, class Store>
[[gnu::always_inline]] inline void transpose_upper(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                                   Store store) {
#pragma GCC unroll 4
  for (size_t c = 0; c < 4; ++c) {
    Vector v[columns];
    columns_of_rows(in, in_pitch, columns * in_pitch, v);
#pragma GCC unroll 4
    for (size_t i = 0; i < columns; ++i) store(out + i * out_pitch, v[i]);
    in += columns;
    out += columns * out_pitch;
    asm("" : "+r"(in), "+r"(out));  // one after the other, or registers do not suffice
  }
}

struct F32 : avx2::F32 {
  static constexpr size_t edge = 8;
  static constexpr size_t panel_lines = 4;
  static constexpr size_t slice = 8;
  [[gnu::always_inline]] static void transpose_slice(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch) {
    transpose_upper<4, float, Vector>(in, in_pitch, out, out_pitch, store);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch, Store store_vector) {
    transpose_columns<4, float, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const float* in, size_t in_pitch, float* out,
                                                          size_t out_pitch, Store store_vector) {
    transpose_half_line(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose(const float* in, size_t in_pitch, float* out,
                                               size_t out_pitch, Store store_vector) {
    transpose_line(in, in_pitch, out, out_pitch, store_vector);
  }
};

struct F64 : avx2::F64 {
  static constexpr size_t edge = 4;
  static constexpr size_t panel_lines = 4;
  static constexpr size_t slice = 4;
  [[gnu::always_inline]] static void transpose_slice(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch) {
    transpose_upper<2, double, Vector>(in, in_pitch, out, out_pitch, store);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch, Store store_vector) {
    transpose_columns<2, double, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const double* in, size_t in_pitch, double* out,
                                                          size_t out_pitch, Store store_vector) {
    transpose_half_line(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose(const double* in, size_t in_pitch, double* out,
                                               size_t out_pitch, Store store_vector) {
    transpose_line(in, in_pitch, out, out_pitch, store_vector);
  }
};

}  // namespace

void transpose_avx2(const TransposePart<float>& part, bool stream) noexcept {
  WideTranspose<F32>::run(part, stream);
}
void transpose_avx2(const TransposePart<double>& part, bool stream) noexcept {
  WideTranspose<F64>::run(part, stream);
}

}  // namespace benchctl::cpu_avx
