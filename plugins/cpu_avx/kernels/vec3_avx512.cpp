// 512-bit vectors. Gathers name their mask and what masked lanes keep, since GCC 12 warns of its own header
// otherwise.
#include <immintrin.h>

#include "kernels/vec3_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m512;
  static constexpr size_t lanes = 16;
  static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static Vector broadcast(float s) { return _mm512_set1_ps(s); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector gather(const float* p, size_t step) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_mullo_epi32(lane, _mm512_set1_epi32(static_cast<int>(step)));
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xFFFF, index, p, 4);
  }
};

struct F64 {
  using Scalar = double;
  using Vector = __m512d;
  static constexpr size_t lanes = 8;
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static Vector broadcast(double s) { return _mm512_set1_pd(s); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector gather(const double* p, size_t step) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i index = _mm256_mullo_epi32(lane, _mm256_set1_epi32(static_cast<int>(step)));
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, index, p, 8);
  }
};

}  // namespace

void vec3_map_avx512(const Vec3Part<float>& part, float addend) noexcept { map_wide<F32>(part, addend); }
void vec3_map_avx512(const Vec3Part<double>& part, double addend) noexcept { map_wide<F64>(part, addend); }
void vec3_norm2_avx512(const Vec3Part<float>& part) noexcept { norm2_wide<F32>(part); }
void vec3_norm2_avx512(const Vec3Part<double>& part) noexcept { norm2_wide<F64>(part); }

}  // namespace benchctl::cpu_avx
