// Squares of 8 × 8 floats or 4 × 4 doubles in 256-bit registers.
#include <immintrin.h>

#include "kernels/transpose_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  static constexpr size_t edge = 8;
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm256_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }

  template <class Store>
  [[gnu::always_inline]] static void transpose(const float* in, size_t in_pitch, float* out,
                                               size_t out_pitch, Store store_row) {
    // Rows i and i + 4 side by side, so that the exchange of 128-bit halves is done by the loads.
    Vector half[8];
    for (size_t i = 0; i < 4; ++i) {
      for (size_t right = 0; right < 2; ++right) {
        const float* p = in + i * in_pitch + 4 * right;
        half[4 * right + i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)),
                                                   _mm_loadu_ps(p + 4 * in_pitch), 1);
      }
    }
    for (size_t right = 0; right < 2; ++right) {
      const Vector* row = half + 4 * right;
      const Vector low01 = _mm256_unpacklo_ps(row[0], row[1]);
      const Vector high01 = _mm256_unpackhi_ps(row[0], row[1]);
      const Vector low23 = _mm256_unpacklo_ps(row[2], row[3]);
      const Vector high23 = _mm256_unpackhi_ps(row[2], row[3]);
      float* p = out + 4 * right * out_pitch;
      store_row(p, _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0)));
      store_row(p + out_pitch, _mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2)));
      store_row(p + 2 * out_pitch, _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0)));
      store_row(p + 3 * out_pitch, _mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2)));
    }
  }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  static constexpr size_t edge = 4;
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm256_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }

  template <class Store>
  [[gnu::always_inline]] static void transpose(const double* in, size_t in_pitch, double* out,
                                               size_t out_pitch, Store store_row) {
    // Rows i and i + 2 side by side.
    for (size_t right = 0; right < 2; ++right) {
      Vector row[2];
      for (size_t i = 0; i < 2; ++i) {
        const double* p = in + i * in_pitch + 2 * right;
        row[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)),
                                      _mm_loadu_pd(p + 2 * in_pitch), 1);
      }
      double* p = out + 2 * right * out_pitch;
      store_row(p, _mm256_unpacklo_pd(row[0], row[1]));
      store_row(p + out_pitch, _mm256_unpackhi_pd(row[0], row[1]));
    }
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
