// 256-bit vectors.
#include <immintrin.h>

#include "kernels/access_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Words {
  using Vector = __m256i;
  static constexpr size_t lanes = 8;
  static Vector load(const int* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static Vector gather(const int* p, size_t stride) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_i32gather_epi32(p, _mm256_mullo_epi32(lane, _mm256_set1_epi32(static_cast<int>(stride))),
                                  4);
  }
  static void store(int* p, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
};

}  // namespace

void access_avx2(const AccessPart& part) noexcept { copy_wide<Words>(part); }

}  // namespace benchctl::cpu_avx
