// Vectors of one instruction set: what kernels for it have in common. Included by files that are compiled
// for it alone.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace benchctl::cpu_avx::avx2 {

using std::size_t;

/// All-ones then all-zeros words: a load at 8 - count gives a mask of `count` leading lanes.
alignas(64) constexpr int mask_words[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  using Mask = __m256i;
  static constexpr size_t lanes = 8;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm256_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
  static Mask mask_of(size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask_words + 8 - count));
  }
  static Vector load_masked(const float* p, Mask mask) { return _mm256_maskload_ps(p, mask); }
  static void store_masked(float* p, Mask mask, Vector v) { _mm256_maskstore_ps(p, mask, v); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  using Mask = __m256i;
  static constexpr size_t lanes = 4;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm256_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
  static Mask mask_of(size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask_words + 8 - 2 * count));
  }
  static Vector load_masked(const double* p, Mask mask) { return _mm256_maskload_pd(p, mask); }
  static void store_masked(double* p, Mask mask, Vector v) { _mm256_maskstore_pd(p, mask, v); }
};

}  // namespace benchctl::cpu_avx::avx2
