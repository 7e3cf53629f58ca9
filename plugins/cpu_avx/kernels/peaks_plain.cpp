// One element at a time, no vector instructions: what the wide kernels are compared with. In cache bound by
// instructions; beyond, a few cores of it fill the memory bus as well.
#include "kernels/peaks_kernels.hpp"

namespace benchctl::cpu_avx {

[[gnu::optimize("no-tree-vectorize")]] uint32_t peaks_sum_plain(const uint32_t* in, size_t count) noexcept {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += in[i];
  return sum;
}

[[gnu::optimize("no-tree-vectorize")]] void peaks_write_plain(const PeaksWrite& part) noexcept {
  uint32_t value = part.value;
  for (size_t i = 0; i < part.count; ++i, value += part.step) part.out[i] = value;
}

[[gnu::optimize("no-tree-vectorize,no-tree-loop-distribute-patterns")]] void peaks_copy_plain(
    const PeaksCopy& part) noexcept {
  for (size_t i = 0; i < part.count; ++i) part.out[i] = part.in[i];
}

[[gnu::optimize("no-tree-vectorize")]] void peaks_triad_plain(const PeaksTriad& part) noexcept {
  for (size_t i = 0; i < part.count; ++i) part.c[i] = part.a[i] + 2 * part.b[i];
}

}  // namespace benchctl::cpu_avx
