// 256-bit vectors: 12 of 16 registers hold a micro-tile of C, 6 rows × 2 vectors. Each step of k loads two
// vectors of B and broadcasts six elements of A for twelve multiply-adds, so the FMA units are the limit.
#include <immintrin.h>

#include "kernels/matmul_blocked.hpp"

namespace benchctl::cpu_avx {

namespace {

// All-ones then all-zeros words: a load at 8 - count gives a mask of `count` leading lanes.
alignas(64) constexpr int mask_words[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  using Mask = __m256i;
  static constexpr size_t lanes = 8;
  static constexpr size_t rows = 6;
  static constexpr size_t vectors = 2;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector broadcast(float x) { return _mm256_set1_ps(x); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Mask mask_of(size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask_words + 8 - count));
  }
  static Vector load_masked(const float* p, Mask mask) { return _mm256_maskload_ps(p, mask); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void store_masked(float* p, Mask mask, Vector v) { _mm256_maskstore_ps(p, mask, v); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  using Mask = __m256i;
  static constexpr size_t lanes = 4;
  static constexpr size_t rows = 6;
  static constexpr size_t vectors = 2;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector broadcast(double x) { return _mm256_set1_pd(x); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static Mask mask_of(size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask_words + 8 - 2 * count));
  }
  static Vector load_masked(const double* p, Mask mask) { return _mm256_maskload_pd(p, mask); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void store_masked(double* p, Mask mask, Vector v) { _mm256_maskstore_pd(p, mask, v); }
};

}  // namespace

void matmul_avx2(const MatmulPart<float>& part, float* scratch) noexcept {
  blocked_product<F32>(part, scratch);
}
void matmul_avx2(const MatmulPart<double>& part, double* scratch) noexcept {
  blocked_product<F64>(part, scratch);
}

}  // namespace benchctl::cpu_avx
