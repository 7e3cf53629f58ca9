// 256-bit vectors. Gathers name their mask and what masked lanes keep, since GCC 12 warns of its own header
// otherwise.
#include "kernels/avx2_vectors.hpp"
#include "kernels/vec3_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx2::F32 {
  static Vector broadcast(float s) { return _mm256_set1_ps(s); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector gather(const float* p, size_t step) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i index = _mm256_mullo_epi32(lane, _mm256_set1_epi32(static_cast<int>(step)));
    const __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    return _mm256_mask_i32gather_ps(_mm256_setzero_ps(), p, index, all, 4);
  }
};

struct F64 : avx2::F64 {
  static Vector broadcast(double s) { return _mm256_set1_pd(s); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector gather(const double* p, size_t step) {
    const __m128i lane = _mm_setr_epi32(0, 1, 2, 3);
    const __m128i index = _mm_mullo_epi32(lane, _mm_set1_epi32(static_cast<int>(step)));
    const __m256d all = _mm256_castsi256_pd(_mm256_set1_epi32(-1));
    return _mm256_mask_i32gather_pd(_mm256_setzero_pd(), p, index, all, 8);
  }
};

}  // namespace

void vec3_map_avx2(const Vec3Part<float>& part, float addend, bool stream) noexcept {
  map_wide<F32>(part, addend, stream);
}
void vec3_map_avx2(const Vec3Part<double>& part, double addend, bool stream) noexcept {
  map_wide<F64>(part, addend, stream);
}
void vec3_norm2_avx2(const Vec3Part<float>& part) noexcept { norm2_wide<F32>(part); }
void vec3_norm2_avx2(const Vec3Part<double>& part) noexcept { norm2_wide<F64>(part); }

}  // namespace benchctl::cpu_avx
