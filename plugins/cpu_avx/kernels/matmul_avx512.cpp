// 512-bit vectors: 28 of 32 registers hold a micro-tile of C, 14 rows × 2 vectors; otherwise as with AVX2.
#include <immintrin.h>

#include "kernels/matmul_blocked.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m512;
  using Mask = __mmask16;
  static constexpr size_t lanes = 16;
  static constexpr size_t rows = 14;
  static constexpr size_t vectors = 2;
  static Vector zero() { return _mm512_setzero_ps(); }
  static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  static Vector broadcast(float x) { return _mm512_set1_ps(x); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const float* p, Mask mask) { return _mm512_maskz_loadu_ps(mask, p); }
  static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static void store_masked(float* p, Mask mask, Vector v) { _mm512_mask_storeu_ps(p, mask, v); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m512d;
  using Mask = __mmask8;
  static constexpr size_t lanes = 8;
  static constexpr size_t rows = 14;
  static constexpr size_t vectors = 2;
  static Vector zero() { return _mm512_setzero_pd(); }
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Vector broadcast(double x) { return _mm512_set1_pd(x); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const double* p, Mask mask) { return _mm512_maskz_loadu_pd(mask, p); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static void store_masked(double* p, Mask mask, Vector v) { _mm512_mask_storeu_pd(p, mask, v); }
};

}  // namespace

void matmul_avx512(const MatmulPart<float>& part, float* scratch) noexcept {
  blocked_product<F32>(part, scratch);
}
void matmul_avx512(const MatmulPart<double>& part, double* scratch) noexcept {
  blocked_product<F64>(part, scratch);
}

}  // namespace benchctl::cpu_avx
