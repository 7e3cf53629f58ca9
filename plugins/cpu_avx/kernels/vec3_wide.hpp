// Maps over 3-component vectors, written once over a `Simd` type that names an instruction set's vectors.
// Included by one translation unit per instruction set, all in an unnamed namespace.
//
// The map does the same to every component, so it takes the array as it lies. The squared length needs the
// components apart: arrays give them by plain loads, structs by gathers, one load per lane and no faster
// than as many scalar loads (on a virtual AVX-512 Xeon several times slower).
//
// A Simd type has: Scalar, Vector; lanes; static load(p), store(p, v), broadcast(s), add(a, b), multiply(a,
// b), stream(p, v) (aligned), fence(), gather(p, step) (elements p[0], p[step], p[2 * step] …).
#pragma once

#include "kernels/vec3_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

/// Steps of four vectors from element e on; returns the first that is left.
template <class Simd, bool stream>
size_t map_steps(Vec3Part<typename Simd::Scalar> part, typename Simd::Vector addends, size_t e) {
  constexpr size_t step = 4 * Simd::lanes;
  for (; e + step <= part.end; e += step) {
    typename Simd::Vector sum[4];  // all loads before all stores, as in vector_add_wide.hpp
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) sum[v] = Simd::add(Simd::load(part.in + e + v * Simd::lanes), addends);
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      typename Simd::Scalar* to = part.out + e + v * Simd::lanes;
      stream ? Simd::stream(to, sum[v]) : Simd::store(to, sum[v]);
    }
  }
  return e;
}

template <class Simd>
void map_wide(const Vec3Part<typename Simd::Scalar>& part, typename Simd::Scalar addend, bool stream) {
  const typename Simd::Vector addends = Simd::broadcast(addend);
  size_t e = part.begin;
  if (stream) {
    // Streaming stores are aligned ones.
    const auto misaligned = [&] {
      return reinterpret_cast<size_t>(part.out + e) % sizeof(typename Simd::Vector) != 0;
    };
    for (; e < part.end && misaligned(); ++e) part.out[e] = part.in[e] + addend;
    e = map_steps<Simd, true>(part, addends, e);
    Simd::fence();
  } else {
    e = map_steps<Simd, false>(part, addends, e);
  }
  for (; e < part.end; ++e) part.out[e] = part.in[e] + addend;
}

template <class Simd>
[[gnu::always_inline]] inline void store_norm2(typename Simd::Scalar* out, typename Simd::Vector x,
                                               typename Simd::Vector y, typename Simd::Vector z) {
  const typename Simd::Vector xy = Simd::add(Simd::multiply(x, x), Simd::multiply(y, y));
  Simd::store(out, Simd::add(xy, Simd::multiply(z, z)));
}

template <class Simd>
void norm2_wide(const Vec3Part<typename Simd::Scalar>& part) {
  size_t i = part.begin;
  if (part.step == 1) {
    for (; i + Simd::lanes <= part.end; i += Simd::lanes) {
      const typename Simd::Scalar* x = part.in + i;
      store_norm2<Simd>(part.out + i, Simd::load(x), Simd::load(x + part.plane),
                        Simd::load(x + 2 * part.plane));
    }
  } else {
    for (; i + Simd::lanes <= part.end; i += Simd::lanes) {
      const typename Simd::Scalar* x = part.in + i * part.step;
      store_norm2<Simd>(part.out + i, Simd::gather(x, part.step), Simd::gather(x + 1, part.step),
                        Simd::gather(x + 2, part.step));
    }
  }
  for (; i < part.end; ++i) {
    const typename Simd::Scalar* vector = part.in + i * part.step;
    const typename Simd::Scalar x = vector[0];
    const typename Simd::Scalar y = vector[part.plane];
    const typename Simd::Scalar z = vector[2 * part.plane];
    part.out[i] = x * x + y * y + z * z;
  }
}

}  // namespace
}  // namespace benchctl::cpu_avx
