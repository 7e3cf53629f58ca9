// One element at a time, no vector instructions: what the tutorials compare SSE and AVX with. Expected
// limit: one load pair, one addition and one store per element while in cache; memory bandwidth beyond,
// like every other variant.
#include "kernels/vector_add_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

template <class T>
[[gnu::optimize("no-tree-vectorize")]] void plain(const VectorAddPart<T>& part) {
  for (size_t i = 0; i < part.count; ++i) part.c[i] = part.a[i] + part.b[i];
}

}  // namespace

void vector_add_plain(const VectorAddPart<float>& part) noexcept { plain(part); }
void vector_add_plain(const VectorAddPart<double>& part) noexcept { plain(part); }

}  // namespace benchctl::cpu_avx
