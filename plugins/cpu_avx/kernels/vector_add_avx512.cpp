// 512-bit vectors, two in flight per step, four where they are streamed.
#include <immintrin.h>

#include "kernels/vector_add_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m512;
  static constexpr size_t lanes = 16;
  static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm512_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m512d;
  static constexpr size_t lanes = 8;
  static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm512_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
};

}  // namespace

void vector_add_avx512(const VectorAddPart<float>& part, bool stream) noexcept {
  add_wide<F32>(part, stream);
}
void vector_add_avx512(const VectorAddPart<double>& part, bool stream) noexcept {
  add_wide<F64>(part, stream);
}

}  // namespace benchctl::cpu_avx
