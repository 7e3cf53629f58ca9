// 256-bit vectors, eight in flight per step.
#include <immintrin.h>

#include "kernels/reduce_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

// All-ones then all-zeros words: a load at 8 - count gives a mask of `count` leading lanes.
alignas(64) constexpr int mask_words[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

__m256i first_words(size_t count) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask_words + 8 - count));
}

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  using Mask = __m256;
  static constexpr size_t lanes = 8;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector all(float value) { return _mm256_set1_ps(value); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector load_first(size_t count, const float* p, Vector others) {
    const __m256i mask = first_words(count);
    return _mm256_blendv_ps(others, _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
  }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  template <class Op>
  static float join_lanes(Vector v) {
    return _mm256_cvtss_f32(join_moved<F32, Op>(
        v, [](Vector a) { return _mm256_permute2f128_ps(a, a, 1); },
        [](Vector a) { return _mm256_shuffle_ps(a, a, 0x4e); },
        [](Vector a) { return _mm256_shuffle_ps(a, a, 0xb1); }));
  }
  static Mask no_mask() { return zero(); }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return _mm256_or_ps(mask, _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return _mm256_movemask_ps(mask) != 0; }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  using Mask = __m256d;
  static constexpr size_t lanes = 4;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector all(double value) { return _mm256_set1_pd(value); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector load(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
  static Vector load_first(size_t count, const double* p, Vector others) {
    const __m256i mask = first_words(2 * count);
    return _mm256_blendv_pd(others, _mm256_maskload_pd(p, mask), _mm256_castsi256_pd(mask));
  }
  static Vector load_first(size_t count, const float* p, Vector others) {
    const __m256 floats = _mm256_maskload_ps(p, first_words(count));
    const __m256d mask = _mm256_castsi256_pd(first_words(2 * count));
    return _mm256_blendv_pd(others, _mm256_cvtps_pd(_mm256_castps256_ps128(floats)), mask);
  }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm256_min_pd(a, b); }
  static Vector max(Vector a, Vector b) { return _mm256_max_pd(a, b); }
  template <class Op>
  static double join_lanes(Vector v) {
    return _mm256_cvtsd_f64(join_moved<F64, Op>(
        v, [](Vector a) { return _mm256_permute2f128_pd(a, a, 1); },
        [](Vector a) { return _mm256_shuffle_pd(a, a, 5); }));
  }
  static Mask no_mask() { return zero(); }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return _mm256_or_pd(mask, _mm256_cmp_pd(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return _mm256_movemask_pd(mask) != 0; }
};

}  // namespace

void reduce_avx2(ReduceOp op, ReduceKernel<float>& kernel) noexcept { kernel = wide_reduce<F32, F64>(op); }
void reduce_avx2(ReduceOp op, ReduceKernel<double>& kernel) noexcept { kernel = wide_reduce<F64, F64>(op); }

}  // namespace benchctl::cpu_avx
