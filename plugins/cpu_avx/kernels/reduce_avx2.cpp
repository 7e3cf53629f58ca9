// 256-bit vectors, eight in flight per step.
#include "kernels/avx2_vectors.hpp"
#include "kernels/reduce_lines.hpp"

namespace benchctl::cpu_avx {

namespace {

__m256i first_words(size_t count) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(avx2::mask_words + 8 - count));
}

struct F32 : HalfLineF32 {
  using Lines = HalfLineF32;
  using Mask = __m256;
  static Vector all(float value) { return _mm256_set1_ps(value); }
  static Vector load_first(size_t count, const float* p, Vector others) {
    const __m256i mask = first_words(count);
    return _mm256_blendv_ps(others, _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
  }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Mask no_mask() { return zero(); }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return _mm256_or_ps(mask, _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return _mm256_movemask_ps(mask) != 0; }
};

struct F64 : HalfLineF64 {
  using Lines = HalfLineF64;
  using Mask = __m256d;
  static Vector all(double value) { return _mm256_set1_pd(value); }
  using HalfLineF64::load;
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
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Mask no_mask() { return zero(); }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return _mm256_or_pd(mask, _mm256_cmp_pd(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return _mm256_movemask_pd(mask) != 0; }
};

}  // namespace

void reduce_avx2(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept {
  kernel = wide_reduce<F32, F64>(op, fetch);
}
void reduce_avx2(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept {
  kernel = wide_reduce<F64, F64>(op, fetch);
}

}  // namespace benchctl::cpu_avx
