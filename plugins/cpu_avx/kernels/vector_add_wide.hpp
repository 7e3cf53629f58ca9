// Vector addition, written once over a `Simd` type that names an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// Ordinary stores read each line of c before they overwrite it, so 16 bytes move for 12; streaming stores
// write past the caches and spare that read. They pay when c does not fit into the last cache, and cost
// when the next reader would have found it there.
//
// All loads of a step come before its stores: a load that follows a store to an address with the same last
// 12 bits waits for it, and where the three arrays lie decides whether there are such.
//
// A Simd type has: Scalar, Vector; lanes; static load(p), add(a, b), store(p, v), stream(p, v) (aligned),
// fence().
#pragma once

#include "kernels/vector_add_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

/// Steps of two lines of each array from element i on, of four vectors where they are streamed; returns the
/// first element that is left. 512-bit vectors are 8 % quicker two at a time than four in the first-level
/// cache, and 1 % in the second.
template <class Simd, bool stream>
[[gnu::always_inline]] inline size_t add_steps(const VectorAddPart<typename Simd::Scalar>& part, size_t i) {
  constexpr size_t lanes = Simd::lanes;
  constexpr size_t vectors = stream ? 4 : 128 / sizeof(typename Simd::Vector);
  constexpr size_t step = vectors * lanes;
  for (; i + step <= part.count; i += step) {
    typename Simd::Vector sum[vectors];
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      sum[v] = Simd::add(Simd::load(part.a + i + v * lanes), Simd::load(part.b + i + v * lanes));
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      stream ? Simd::stream(part.c + i + v * lanes, sum[v]) : Simd::store(part.c + i + v * lanes, sum[v]);
    }
  }
  return i;
}

template <class Simd>
void add_wide(const VectorAddPart<typename Simd::Scalar>& asked, bool stream) {
  // A copy that stays in registers: a store to c could change the original, which would be loaded again
  // after each.
  const VectorAddPart<typename Simd::Scalar> part = asked;
  size_t i = 0;
  if (stream) {
    // Streaming stores are aligned ones.
    const size_t misaligned = reinterpret_cast<size_t>(part.c) % sizeof(typename Simd::Vector);
    const size_t head =
        misaligned == 0 ? 0 : (sizeof(typename Simd::Vector) - misaligned) / sizeof(typename Simd::Scalar);
    for (; i < head && i < part.count; ++i) part.c[i] = part.a[i] + part.b[i];
    i = add_steps<Simd, true>(part, i);
    Simd::fence();
  } else {
    i = add_steps<Simd, false>(part, i);
  }
  // Whole vectors, the last reaching back into the one before: sums of elements, one by one, take as long
  // as a step each.
  constexpr size_t lanes = Simd::lanes;
  if (part.count >= lanes) {
    const size_t last = part.count - lanes;
    while (i < part.count) {
      const size_t at = i < last ? i : last;
      Simd::store(part.c + at, Simd::add(Simd::load(part.a + at), Simd::load(part.b + at)));
      i += lanes;
    }
  }
  for (; i < part.count; ++i) part.c[i] = part.a[i] + part.b[i];
}

}  // namespace
}  // namespace benchctl::cpu_avx
