// Vector addition, written once over a `Simd` type that names an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// Ordinary stores read each line of c before they overwrite it, so 16 bytes move for 12; streaming stores
// write past the caches and spare that read. They pay when c does not fit into the last cache, and cost
// when the next reader would have found it there.
//
// A Simd type has: Scalar, Vector; lanes; static load(p), add(a, b), store(p, v), stream(p, v) (aligned),
// fence().
#pragma once

#include "kernels/vector_add_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
void add_wide(const VectorAddPart<typename Simd::Scalar>& part, bool stream) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t step = 4 * lanes;
  size_t i = 0;
  if (stream) {
    // Streaming stores are aligned ones.
    const size_t misaligned = reinterpret_cast<size_t>(part.c) % sizeof(typename Simd::Vector);
    const size_t head =
        misaligned == 0 ? 0 : (sizeof(typename Simd::Vector) - misaligned) / sizeof(typename Simd::Scalar);
    for (; i < head && i < part.count; ++i) part.c[i] = part.a[i] + part.b[i];
    for (; i + step <= part.count; i += step) {
#pragma GCC unroll 4
      for (size_t v = 0; v < step; v += lanes) {
        Simd::stream(part.c + i + v, Simd::add(Simd::load(part.a + i + v), Simd::load(part.b + i + v)));
      }
    }
    Simd::fence();
  }
  for (; i + step <= part.count; i += step) {
#pragma GCC unroll 4
    for (size_t v = 0; v < step; v += lanes) {
      Simd::store(part.c + i + v, Simd::add(Simd::load(part.a + i + v), Simd::load(part.b + i + v)));
    }
  }
  for (; i < part.count; ++i) part.c[i] = part.a[i] + part.b[i];
}

}  // namespace
}  // namespace benchctl::cpu_avx
