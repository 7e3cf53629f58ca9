// 256-bit vectors, four in flight per step.
#include "kernels/avx2_vectors.hpp"
#include "kernels/vector_add_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx2::F32 {};

struct F64 : avx2::F64 {};

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
