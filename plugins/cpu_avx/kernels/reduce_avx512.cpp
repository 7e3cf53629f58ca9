// 512-bit vectors, eight in flight per step.
#include "kernels/avx512_vectors.hpp"
#include "kernels/reduce_lines.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx512::F32 {
  using Lines = HalfLineF32;
  static Vector all(float value) { return _mm512_set1_ps(value); }
  static Vector load_first(size_t count, const float* p, Vector others) {
    return _mm512_mask_loadu_ps(others, static_cast<Mask>((1U << count) - 1), p);
  }
  static Vector min(Vector a, Vector b) { return _mm512_min_ps(a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
  template <class Op>
  static float join_lanes(Vector v) {
    return _mm512_cvtss_f32(join_moved<F32, Op>(
        v, [](Vector a) { return _mm512_shuffle_f32x4(a, a, 0x4e); },
        [](Vector a) { return _mm512_shuffle_f32x4(a, a, 0xb1); },
        [](Vector a) { return _mm512_shuffle_ps(a, a, 0x4e); },
        [](Vector a) { return _mm512_shuffle_ps(a, a, 0xb1); }));
  }
  static Mask no_mask() { return 0; }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return static_cast<Mask>(mask | _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return mask != 0; }
};

struct F64 : avx512::F64 {
  using Lines = HalfLineF64;
  static Vector all(double value) { return _mm512_set1_pd(value); }
  using avx512::F64::load;
  static Vector load(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
  static Vector load_first(size_t count, const double* p, Vector others) {
    return _mm512_mask_loadu_pd(others, first(count), p);
  }
  static Vector load_first(size_t count, const float* p, Vector others) {
    const __m512 floats = _mm512_maskz_loadu_ps(first(count), p);
    return _mm512_mask_cvtps_pd(others, first(count), _mm512_castps512_ps256(floats));
  }
  static Mask first(size_t count) { return static_cast<Mask>((1U << count) - 1); }
  static Vector min(Vector a, Vector b) { return _mm512_min_pd(a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_max_pd(a, b); }
  template <class Op>
  static double join_lanes(Vector v) {
    return _mm512_cvtsd_f64(join_moved<F64, Op>(
        v, [](Vector a) { return _mm512_shuffle_f64x2(a, a, 0x4e); },
        [](Vector a) { return _mm512_shuffle_f64x2(a, a, 0xb1); },
        [](Vector a) { return _mm512_shuffle_pd(a, a, 0x55); }));
  }
  static Mask no_mask() { return 0; }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return static_cast<Mask>(mask | _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return mask != 0; }
};

}  // namespace

void reduce_avx512(ReduceOp op, ReduceFetch fetch, ReduceKernel<float>& kernel) noexcept {
  kernel = wide_reduce<F32, F64>(op, fetch);
}
void reduce_avx512(ReduceOp op, ReduceFetch fetch, ReduceKernel<double>& kernel) noexcept {
  kernel = wide_reduce<F64, F64>(op, fetch);
}

}  // namespace benchctl::cpu_avx
