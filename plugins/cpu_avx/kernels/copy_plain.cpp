// One element at a time, no vector instructions and no library. Expected limit: one load and one store per
// element while in cache; memory bandwidth beyond.
#include "kernels/copy_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

// Kept from becoming a call of memcpy, which is the variant `vendor`.
template <class T>
[[gnu::optimize("no-tree-vectorize", "no-tree-loop-distribute-patterns")]] void plain(
    const CopyPart<T>& part) {
  for (size_t i = 0; i < part.count; ++i) part.out[i] = part.in[i];
}

}  // namespace

void copy_plain(const CopyPart<float>& part) noexcept { plain(part); }
void copy_plain(const CopyPart<double>& part) noexcept { plain(part); }

}  // namespace benchctl::cpu_avx
