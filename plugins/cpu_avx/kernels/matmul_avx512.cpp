// 512-bit vectors: 28 of 32 registers hold a micro-tile of C, 14 rows × 2 vectors; otherwise as with AVX2.
#include "kernels/avx512_vectors.hpp"
#include "kernels/matmul_blocked.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx512::F32 {
  static constexpr size_t rows = 14;
  static constexpr size_t vectors = 2;
  static Vector broadcast(float x) { return _mm512_set1_ps(x); }
};

struct F64 : avx512::F64 {
  static constexpr size_t rows = 14;
  static constexpr size_t vectors = 2;
  static Vector broadcast(double x) { return _mm512_set1_pd(x); }
};

}  // namespace

void matmul_avx512(const MatmulPart<float>& part, float* scratch) noexcept {
  blocked_product<F32>(part, scratch);
}
void matmul_avx512(const MatmulPart<double>& part, double* scratch) noexcept {
  blocked_product<F64>(part, scratch);
}

}  // namespace benchctl::cpu_avx
