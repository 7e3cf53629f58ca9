// Copies of four-byte elements in a row, written once over a `Simd` type that names an instruction set's
// vectors. Included by one translation unit per instruction set, all in an unnamed namespace.
//
// Without a stride a vector load takes neighbours, across a cache line's end where the offset makes it so;
// with one, a gather loads lane by lane, no faster than scalar loads (on a virtual AVX-512 Xeon several
// times slower).
//
// A Simd type has: Vector; lanes; static load(p), gather(p, stride), store(p, v).
#pragma once

#include "kernels/access_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

template <class Simd>
void copy_wide(const AccessPart& part) {
  const int* in = static_cast<const int*>(part.in) + part.misalign;
  int* out = static_cast<int*>(part.out);
  size_t i = part.begin;
  if (part.stride == 1) {
    constexpr size_t step = 4 * Simd::lanes;
    for (; i + step <= part.end; i += step) {
#pragma GCC unroll 4
      for (size_t v = 0; v < step; v += Simd::lanes) Simd::store(out + i + v, Simd::load(in + i + v));
    }
  } else {
    for (; i + Simd::lanes <= part.end; i += Simd::lanes) {
      Simd::store(out + i, Simd::gather(in + i * part.stride, part.stride));
    }
  }
  for (; i < part.end; ++i) out[i] = in[i * part.stride];
}

}  // namespace
}  // namespace benchctl::cpu_avx
