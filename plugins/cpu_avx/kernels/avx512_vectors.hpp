// Vectors of one instruction set: what kernels for it have in common. Included by files that are compiled
// for it alone.
#pragma once

// GCC 12 takes the undefined lanes of its own unmasked instructions for a mistake.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#include <cstddef>

namespace benchctl::cpu_avx::avx512 {

using std::size_t;

struct F32 {
  using Scalar = float;
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr size_t lanes = 16;
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm512_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const float* p, Mask mask) { return _mm512_maskz_loadu_ps(mask, p); }
  static void store_masked(float* p, Mask mask, Vector v) { _mm512_mask_storeu_ps(p, mask, v); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m512d;
  using Mask = __mmask8;
  static constexpr size_t lanes = 8;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm512_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const double* p, Mask mask) { return _mm512_maskz_loadu_pd(mask, p); }
  static void store_masked(double* p, Mask mask, Vector v) { _mm512_mask_storeu_pd(p, mask, v); }
};

}  // namespace benchctl::cpu_avx::avx512
