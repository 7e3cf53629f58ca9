// 512-bit vectors, four in flight per step.
#include <immintrin.h>

#include "kernels/copy_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Bytes {
  using Vector = __m512i;
  static Vector load(const unsigned char* p) { return _mm512_loadu_si512(p); }
  static void store(unsigned char* p, Vector v) { _mm512_storeu_si512(p, v); }
  static void stream(unsigned char* p, Vector v) { _mm512_stream_si512(reinterpret_cast<__m512i*>(p), v); }
  static void fence() { _mm_sfence(); }
};

}  // namespace

void copy_avx512(const CopyPart<unsigned char>& part, bool stream) noexcept {
  copy_wide<Bytes>(part, stream);
}

}  // namespace benchctl::cpu_avx
