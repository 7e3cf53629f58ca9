// 256-bit vectors: 12 of 16 registers hold a micro-tile of C, 6 rows × 2 vectors. Each step of k loads two
// vectors of B and broadcasts six elements of A for twelve multiply-adds, so the FMA units are the limit.
#include "kernels/avx2_vectors.hpp"
#include "kernels/matmul_blocked.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx2::F32 {
  static constexpr size_t rows = 6;
  static constexpr size_t vectors = 2;
  static Vector broadcast(float x) { return _mm256_set1_ps(x); }
};

struct F64 : avx2::F64 {
  static constexpr size_t rows = 6;
  static constexpr size_t vectors = 2;
  static Vector broadcast(double x) { return _mm256_set1_pd(x); }
};

}  // namespace

void matmul_avx2(const MatmulPart<float>& part, float* scratch) noexcept {
  blocked_product<F32>(part, scratch);
}
void matmul_avx2(const MatmulPart<double>& part, double* scratch) noexcept {
  blocked_product<F64>(part, scratch);
}

}  // namespace benchctl::cpu_avx
