// The peak kernels, written once over types that name an instruction set's vectors. Included by one
// translation unit per instruction set, all in an unnamed namespace.
//
// What they show  How much a core computes, and how much memory the cores together move. Chains: twelve
//                 vectors in registers, since a multiply-add takes four cycles and two are started in each.
//                 Memory: four vectors per step, in one run of addresses per array, which prefetchers see;
//                 what is only read, and larger than caches, in four pieces side by side, each of which
//                 they follow by itself: a quarter more of two cores of a Zen 5.
// Expected limit  The FMA units; memory bandwidth. Ordinary stores read each line before they overwrite it;
//                 streaming stores do not, and pay off where the buffer does not fit into the last cache.
//
// A type for words has: Vector; lanes; static load, add, zero, set (all lanes one value), ramp(value, step)
// (lane i: value + i · step), store, stream (aligned), fence. One for reals has: Scalar, Vector; lanes;
// static load, set, fma (x · y + z), twice_plus (a + 2 · b), store, stream, fused (of scalars).
#pragma once

#include "kernels/peaks_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

/// As many packs of `chains` vectors as there are from chain `i` on; returns the first chain that is left.
template <class Real, size_t chains>
size_t fma_packs(const PeaksFma<typename Real::Scalar>& part, size_t i) {
  constexpr size_t lanes = Real::lanes;
  const typename Real::Vector scale = Real::set(part.scale);
  const typename Real::Vector shift = Real::set(part.shift);
  for (; i + chains * lanes <= part.count; i += chains * lanes) {
    typename Real::Vector x[chains];
    // A vector of starts never wraps around: 1024 is a multiple of the lanes.
#pragma GCC unroll 12
    for (size_t j = 0; j < chains; ++j) x[j] = Real::load(part.start + (i + j * lanes) % 1024);
    for (size_t round = 0; round < part.rounds; ++round) {
#pragma GCC unroll 12
      for (size_t j = 0; j < chains; ++j) x[j] = Real::fma(x[j], scale, shift);
    }
#pragma GCC unroll 12
    for (size_t j = 0; j < chains; ++j) Real::store(part.out + i + j * lanes, x[j]);
  }
  return i;
}

template <class Real>
void fma_wide(const PeaksFma<typename Real::Scalar>& part) {
  size_t i = fma_packs<Real, 12>(part, 0);
  i = fma_packs<Real, 4>(part, i);
  i = fma_packs<Real, 1>(part, i);
  for (; i < part.count; ++i) {
    typename Real::Scalar x = part.start[i % 1024];
    for (size_t round = 0; round < part.rounds; ++round) x = Real::fused(x, part.scale, part.shift);
    part.out[i] = x;
  }
}

/// Elements of a part from which on its pieces are read side by side: 8 MB.
inline constexpr size_t read_side_by_side_from = size_t{2} << 20;

template <class Words>
uint32_t sum_wide(const uint32_t* in, size_t count) {
  constexpr size_t lanes = Words::lanes;
  typename Words::Vector sum[4] = {Words::zero(), Words::zero(), Words::zero(), Words::zero()};
  size_t i = 0;
  if (count >= read_side_by_side_from) {
    const size_t piece = count / (8 * lanes) * (2 * lanes);
    for (size_t at = 0; at < piece; at += 2 * lanes) {
#pragma GCC unroll 4
      for (size_t v = 0; v < 4; ++v) {
        const uint32_t* from = in + v * piece + at;
        sum[v] = Words::add(sum[v], Words::add(Words::load(from), Words::load(from + lanes)));
      }
    }
    i = 4 * piece;
  }
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) sum[v] = Words::add(sum[v], Words::load(in + i + v * lanes));
  }
  uint32_t lane[lanes];
  Words::store(lane, Words::add(Words::add(sum[0], sum[1]), Words::add(sum[2], sum[3])));
  uint32_t total = 0;
  for (size_t v = 0; v < lanes; ++v) total += lane[v];
  for (; i < count; ++i) total += in[i];
  return total;
}

/// Elements of 4 bytes until a pointer is aligned to a vector, as streaming stores must be.
template <class Vector>
size_t elements_to_alignment(const void* pointer) {
  const size_t misaligned = reinterpret_cast<size_t>(pointer) % sizeof(Vector);
  return misaligned == 0 ? 0 : (sizeof(Vector) - misaligned) / 4;
}

template <class Words>
void write_wide(const PeaksWrite& part, bool stream) {
  constexpr size_t lanes = Words::lanes;
  size_t i = 0;
  const size_t head = stream ? elements_to_alignment<typename Words::Vector>(part.out) : 0;
  for (; i < head && i < part.count; ++i) part.out[i] = part.value + static_cast<uint32_t>(i) * part.step;
  const auto value_at = [&](size_t place) { return part.value + static_cast<uint32_t>(place) * part.step; };
  typename Words::Vector value[4];
  for (size_t v = 0; v < 4; ++v) value[v] = Words::ramp(value_at(i + v * lanes), part.step);
  const typename Words::Vector ahead = Words::set(static_cast<uint32_t>(4 * lanes) * part.step);
  for (; i + 4 * lanes <= part.count; i += 4 * lanes) {
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      uint32_t* to = part.out + i + v * lanes;
      stream ? Words::stream(to, value[v]) : Words::store(to, value[v]);
      value[v] = Words::add(value[v], ahead);
    }
  }
  if (stream) Words::fence();
  for (; i < part.count; ++i) part.out[i] = value_at(i);
}

template <class Words>
void copy_wide(const PeaksCopy& part, bool stream) {
  constexpr size_t lanes = Words::lanes;
  size_t i = 0;
  const size_t head = stream ? elements_to_alignment<typename Words::Vector>(part.out) : 0;
  for (; i < head && i < part.count; ++i) part.out[i] = part.in[i];
  for (; i + 4 * lanes <= part.count; i += 4 * lanes) {
    typename Words::Vector value[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) value[v] = Words::load(part.in + i + v * lanes);
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      uint32_t* to = part.out + i + v * lanes;
      stream ? Words::stream(to, value[v]) : Words::store(to, value[v]);
    }
  }
  if (stream) Words::fence();
  for (; i < part.count; ++i) part.out[i] = part.in[i];
}

template <class Real, class Words>
void triad_wide(const PeaksTriad& part, bool stream) {
  constexpr size_t lanes = Real::lanes;
  size_t i = 0;
  const size_t head = stream ? elements_to_alignment<typename Real::Vector>(part.c) : 0;
  for (; i < head && i < part.count; ++i) part.c[i] = part.a[i] + 2 * part.b[i];
  for (; i + 4 * lanes <= part.count; i += 4 * lanes) {
    typename Real::Vector value[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      value[v] = Real::twice_plus(Real::load(part.a + i + v * lanes), Real::load(part.b + i + v * lanes));
    }
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      float* to = part.c + i + v * lanes;
      stream ? Real::stream(to, value[v]) : Real::store(to, value[v]);
    }
  }
  if (stream) Words::fence();
  for (; i < part.count; ++i) part.c[i] = part.a[i] + 2 * part.b[i];
}

}  // namespace
}  // namespace benchctl::cpu_avx
