// 512-bit vectors, two in flight per step, four where they are streamed.
#include "kernels/avx512_vectors.hpp"
#include "kernels/vector_add_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx512::F32 {};

struct F64 : avx512::F64 {};

}  // namespace

void vector_add_avx512(const VectorAddPart<float>& part, bool stream) noexcept {
  add_wide<F32>(part, stream);
}
void vector_add_avx512(const VectorAddPart<double>& part, bool stream) noexcept {
  add_wide<F64>(part, stream);
}

}  // namespace benchctl::cpu_avx
