// 512-bit vectors, eight in flight per step. Where a mask of all lanes is given, the plain form is the same
// instruction, but GCC 12 warns of the undefined vector inside its own header.
#include <immintrin.h>

#include "kernels/reduce_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr size_t lanes = 16;
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector all(float value) { return _mm512_set1_ps(value); }
  static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm512_maskz_min_ps(0xffff, a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_maskz_max_ps(0xffff, a, b); }
  static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static Mask no_mask() { return 0; }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return static_cast<Mask>(mask | _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return mask != 0; }
};

struct F64 {
  using Scalar = double;
  using Vector = __m512d;
  using Mask = __mmask8;
  static constexpr size_t lanes = 8;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector all(double value) { return _mm512_set1_pd(value); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Vector load(const float* p) { return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p)); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static Vector min(Vector a, Vector b) { return _mm512_maskz_min_pd(0xff, a, b); }
  static Vector max(Vector a, Vector b) { return _mm512_maskz_max_pd(0xff, a, b); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static Mask no_mask() { return 0; }
  static Mask mark(Mask mask, Vector a, Vector b) {
    return static_cast<Mask>(mask | _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q));
  }
  static bool any(Mask mask) { return mask != 0; }
};

}  // namespace

double reduce_avx512(ReduceOp op, const ReducePart<float>& part) noexcept {
  return wide_reduce<F32, F64>(op, part);
}
double reduce_avx512(ReduceOp op, const ReducePart<double>& part) noexcept {
  return wide_reduce<F64, F64>(op, part);
}

}  // namespace benchctl::cpu_avx
