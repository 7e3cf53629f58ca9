// 512-bit vectors. Gathers name their mask and what masked lanes keep, since GCC 12 warns of its own header
// otherwise.
#include <immintrin.h>

#include "kernels/access_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Words {
  using Vector = __m512i;
  static constexpr size_t lanes = 16;
  static Vector load(const int* p) { return _mm512_loadu_si512(p); }
  static Vector gather(const int* p, size_t stride) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_mullo_epi32(lane, _mm512_set1_epi32(static_cast<int>(stride)));
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, index, p, 4);
  }
  static void store(int* p, Vector v) { _mm512_storeu_si512(p, v); }
};

}  // namespace

void access_avx512(const AccessPart& part) noexcept { copy_wide<Words>(part); }

}  // namespace benchctl::cpu_avx
