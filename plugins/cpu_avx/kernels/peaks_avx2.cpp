// 256-bit vectors.
#include "kernels/avx2_vectors.hpp"
#include "kernels/peaks_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Words {
  using Vector = __m256i;
  static constexpr size_t lanes = 8;
  static Vector load(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static Vector add(Vector a, Vector b) { return _mm256_add_epi32(a, b); }
  static Vector zero() { return _mm256_setzero_si256(); }
  static Vector set(uint32_t value) { return _mm256_set1_epi32(static_cast<int>(value)); }
  static Vector ramp(uint32_t value, uint32_t step) {
    uint32_t lane[lanes];
    for (size_t i = 0; i < lanes; ++i) lane[i] = value + static_cast<uint32_t>(i) * step;
    return load(lane);
  }
  static void store(uint32_t* p, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static void stream(uint32_t* p, Vector v) { _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v); }
  static void fence() { _mm_sfence(); }
};

struct F32 : avx2::F32 {
  static Vector set(float value) { return _mm256_set1_ps(value); }
  static Vector twice_plus(Vector a, Vector b) { return _mm256_add_ps(a, _mm256_add_ps(b, b)); }
  static float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
};

struct F64 : avx2::F64 {
  static Vector set(double value) { return _mm256_set1_pd(value); }
  static double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }
};

}  // namespace

void peaks_fma_avx2(const PeaksFma<float>& part) noexcept { fma_wide<F32>(part); }
void peaks_fma_avx2(const PeaksFma<double>& part) noexcept { fma_wide<F64>(part); }
uint32_t peaks_sum_avx2(const uint32_t* in, size_t count) noexcept { return sum_wide<Words>(in, count); }
void peaks_write_avx2(const PeaksWrite& part, bool stream) noexcept { write_wide<Words>(part, stream); }
void peaks_copy_avx2(const PeaksCopy& part, bool stream) noexcept { copy_wide<Words>(part, stream); }
void peaks_triad_avx2(const PeaksTriad& part, bool stream) noexcept {
  triad_wide<F32, Words>(part, stream);
}

}  // namespace benchctl::cpu_avx
