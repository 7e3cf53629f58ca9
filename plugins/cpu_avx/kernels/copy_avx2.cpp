// 256-bit vectors, four in flight per step.
#include <immintrin.h>

#include "kernels/copy_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Bytes {
  using Vector = __m256i;
  static Vector load(const unsigned char* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  static void store(unsigned char* p, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static void stream(unsigned char* p, Vector v) { _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v); }
  static void fence() { _mm_sfence(); }
};

}  // namespace

void copy_avx2(const CopyPart<unsigned char>& part, bool stream) noexcept {
  copy_wide<Bytes>(part, stream);
}

}  // namespace benchctl::cpu_avx
