// 128-bit vectors, which every x86-64 processor has, eight in flight per step: the SSE that the French
// series names.
#include <emmintrin.h>

#include "kernels/vector_add_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct SseF32 {
  using Scalar = float;
  using Vector = __m128;
  static constexpr size_t lanes = 4;
  static Vector load(const float* p) { return _mm_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm_add_ps(a, b); }
  static void store(float* p, Vector v) { _mm_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
};

struct SseF64 {
  using Scalar = double;
  using Vector = __m128d;
  static constexpr size_t lanes = 2;
  static Vector load(const double* p) { return _mm_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm_add_pd(a, b); }
  static void store(double* p, Vector v) { _mm_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
};

}  // namespace

void vector_add_sse(const VectorAddPart<float>& part, bool stream) noexcept {
  add_wide<SseF32>(part, stream);
}
void vector_add_sse(const VectorAddPart<double>& part, bool stream) noexcept {
  add_wide<SseF64>(part, stream);
}

}  // namespace benchctl::cpu_avx
