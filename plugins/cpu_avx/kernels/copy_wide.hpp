// Copy, written once over a `Simd` type that names an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// Ordinary stores read each line of out before they overwrite it, so that 12 bytes move for 8; streaming
// stores write past the caches and spare that read. They pay beyond the last cache and cost within.
//
// A Simd type has: Vector; static load(p), store(p, v), stream(p, v) (aligned), fence().
#pragma once

#include "kernels/copy_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd, bool stream>
size_t copy_steps(const CopyPart<unsigned char>& part, size_t first) {
  constexpr size_t bytes = sizeof(typename Simd::Vector);
  constexpr size_t step = 4 * bytes;
  size_t i = first;
  for (; i + step <= part.count; i += step) {
    typename Simd::Vector held[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) held[v] = Simd::load(part.in + i + v * bytes);
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      if constexpr (stream) {
        Simd::stream(part.out + i + v * bytes, held[v]);
      } else {
        Simd::store(part.out + i + v * bytes, held[v]);
      }
    }
  }
  return i;
}

template <class Simd>
void copy_wide(const CopyPart<unsigned char>& part, bool stream) {
  constexpr size_t bytes = sizeof(typename Simd::Vector);
  size_t i = 0;
  if (stream) {
    // Streaming stores are aligned ones.
    const size_t misaligned = reinterpret_cast<size_t>(part.out) % bytes;
    const size_t head = misaligned == 0 ? 0 : bytes - misaligned;
    for (; i < head && i < part.count; ++i) part.out[i] = part.in[i];
    i = copy_steps<Simd, true>(part, i);
    Simd::fence();
  } else {
    i = copy_steps<Simd, false>(part, i);
  }
  // Whole vectors, the last reaching back into the one before.
  if (part.count >= bytes) {
    const size_t last = part.count - bytes;
    for (; i < part.count; i += bytes) {
      const size_t at = i < last ? i : last;
      Simd::store(part.out + at, Simd::load(part.in + at));
    }
  }
  for (; i < part.count; ++i) part.out[i] = part.in[i];
}

}  // namespace
}  // namespace benchctl::cpu_avx
