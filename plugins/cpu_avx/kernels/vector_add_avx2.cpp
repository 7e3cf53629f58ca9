// 256-bit vectors, four in flight per step.
#include <immintrin.h>

#include "kernels/vector_add_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 {
  using Scalar = float;
  using Vector = __m256;
  static constexpr size_t lanes = 8;
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void stream(float* p, Vector v) { _mm256_stream_ps(p, v); }
  static void fence() { _mm_sfence(); }
};

struct F64 {
  using Scalar = double;
  using Vector = __m256d;
  static constexpr size_t lanes = 4;
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void stream(double* p, Vector v) { _mm256_stream_pd(p, v); }
  static void fence() { _mm_sfence(); }
};

/// Nothing but the loop: what a compiler makes of it is the yardstick.
template <class T>
void compiled(const T* __restrict a, const T* __restrict b, T* __restrict c, size_t count) {
  for (size_t i = 0; i < count; ++i) c[i] = a[i] + b[i];
}

}  // namespace

void vector_add_compiler_avx2(const VectorAddPart<float>& part) noexcept {
  compiled(part.a, part.b, part.c, part.count);
}
void vector_add_compiler_avx2(const VectorAddPart<double>& part) noexcept {
  compiled(part.a, part.b, part.c, part.count);
}

void vector_add_avx2(const VectorAddPart<float>& part, bool stream) noexcept {
  add_wide<F32>(part, stream);
}
void vector_add_avx2(const VectorAddPart<double>& part, bool stream) noexcept {
  add_wide<F64>(part, stream);
}

}  // namespace benchctl::cpu_avx
