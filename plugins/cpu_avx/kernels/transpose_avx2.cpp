// Squares of a cache line's elements, 16 × 16 floats or 8 × 8 doubles, in 256-bit registers.
//
// Four columns (doubles: two) at a time, so that both halves of a line of out are there together and are
// stored one after the other: the two go to the cache as one. Apart they take twice as long there, which
// more than a third of the time of a square was spent on.
#include "kernels/transpose_pieces.hpp"
#include "kernels/transpose_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

/// `columns` of a square. `rows`: of a 128-bit block, which are its columns, too.
template <size_t rows, size_t columns, class T, class Vector, class Store>
[[gnu::always_inline]] inline void transpose_line(const T* in, size_t in_pitch, T* out, size_t out_pitch,
                                                  Store store) {
  constexpr size_t half = 2 * rows;
  const T* lower = in + half * in_pitch;
#pragma GCC unroll 4
  for (size_t c = 0; c < columns; c += rows) {
    Vector left[rows];
    Vector right[rows];
    columns_of_rows(in, in_pitch, rows * in_pitch, left);
    columns_of_rows(lower, in_pitch, rows * in_pitch, right);
#pragma GCC unroll 4
    for (size_t i = 0; i < rows; ++i) {
      store(out + i * out_pitch, left[i]);
      store(out + i * out_pitch + half, right[i]);
    }
    in += rows;
    lower += rows;
    out += rows * out_pitch;
    asm("" : "+r"(in), "+r"(lower), "+r"(out));  // or there are more addresses than registers
  }
}

/// A line's columns of so many rows, each written in two halves, to `to` + c · pitch in ascending order.
template <size_t columns, class T, class Vector>
[[gnu::always_inline]] inline void turn_lines(const T* const* from, size_t column, T* to, size_t pitch) {
  constexpr size_t half = 32 / sizeof(T);
#pragma GCC unroll 4
  for (size_t c = 0; c < 2 * half; c += columns) {
    Vector left[columns];
    Vector right[columns];
    columns_of_rows(from, column + c, left);
    columns_of_rows(from + half, column + c, right);
#pragma GCC unroll 4
    for (size_t i = 0; i < columns; ++i) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(left[i]));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + half), reinterpret_cast<__m256i>(right[i]));
      to += pitch;
    }
  }
}

/// Half the rows of a square.
template <class T>
[[gnu::always_inline]] inline void transpose_upper(const T* in, size_t in_pitch, T* out, size_t out_pitch) {
  constexpr size_t half = 32 / sizeof(T);
#pragma GCC unroll 2
  for (size_t c = 0; c < 2; ++c) {
    transpose_half(in, in_pitch, out, out_pitch);
    in += half;
    out += half * out_pitch;
    asm("" : "+r"(in), "+r"(out));  // one after the other, or registers do not suffice
  }
}

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  static constexpr size_t edge = 8;
  static constexpr size_t panel_lines = 4;
  static constexpr size_t slice = 8;
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm256_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
  [[gnu::always_inline]] static void transpose_slice(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch) {
    transpose_upper(in, in_pitch, out, out_pitch);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const float* in, size_t in_pitch, float* out,
                                                     size_t out_pitch, Store store_vector) {
    transpose_line<4, 4, float, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const float* in, size_t in_pitch, float* out,
                                                          size_t out_pitch, Store store_vector) {
    transpose_line<4, 8, float, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  [[gnu::always_inline]] static void turn_line(const float* const* from, size_t column, float* to,
                                               size_t pitch) {
    turn_lines<4, float, Vector>(from, column, to, pitch);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose(const float* in, size_t in_pitch, float* out,
                                               size_t out_pitch, Store store_vector) {
    transpose_line<4, 16, float, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  static constexpr size_t edge = 4;
  static constexpr size_t panel_lines = 4;
  static constexpr size_t slice = 4;
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm256_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
  [[gnu::always_inline]] static void transpose_slice(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch) {
    transpose_upper(in, in_pitch, out, out_pitch);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_strip(const double* in, size_t in_pitch, double* out,
                                                     size_t out_pitch, Store store_vector) {
    transpose_line<2, 2, double, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose_two_strips(const double* in, size_t in_pitch, double* out,
                                                          size_t out_pitch, Store store_vector) {
    transpose_line<2, 4, double, Vector>(in, in_pitch, out, out_pitch, store_vector);
  }
  [[gnu::always_inline]] static void turn_line(const double* const* from, size_t column, double* to,
                                               size_t pitch) {
    turn_lines<2, double, Vector>(from, column, to, pitch);
  }
  template <class Store>
  [[gnu::always_inline]] static void transpose(const double* in, size_t in_pitch, double* out,
                                               size_t out_pitch, Store store_vector) {
    transpose_line<2, 8, double, Vector>(in, in_pitch, out, out_pitch, store_vector);
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
