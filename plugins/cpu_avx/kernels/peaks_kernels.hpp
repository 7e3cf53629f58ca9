// Entry points of the peak kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace benchctl::cpu_avx {

/// Ends of `count` chains x ← x · scale + shift of `rounds` steps, fused. Chain i starts from
/// start[(first + i) % 1024]; `first` is a multiple of 1024.
template <class T>
struct PeaksFma {
  const T* start;
  T* out;  ///< result of this part's chain 0
  size_t count;
  size_t rounds;
  T scale;
  T shift;
};

/// out[i] = value + i · step for `count` words.
struct PeaksWrite {
  uint32_t* out;
  size_t count;
  uint32_t value;
  uint32_t step;
};

/// out = in.
struct PeaksCopy {
  const uint32_t* in;
  uint32_t* out;
  size_t count;
};

/// c = a + 2 · b.
struct PeaksTriad {
  const float* a;
  const float* b;
  float* c;
  size_t count;
};

// Without FMA instructions there is no fused chain, so `plain` has none. With `stream`, stores go past the
// caches.
uint32_t peaks_sum_plain(const uint32_t* in, size_t count) noexcept;
void peaks_write_plain(const PeaksWrite& part) noexcept;
void peaks_copy_plain(const PeaksCopy& part) noexcept;
void peaks_triad_plain(const PeaksTriad& part) noexcept;

void peaks_fma_avx2(const PeaksFma<float>& part) noexcept;
void peaks_fma_avx2(const PeaksFma<double>& part) noexcept;
uint32_t peaks_sum_avx2(const uint32_t* in, size_t count) noexcept;
void peaks_write_avx2(const PeaksWrite& part, bool stream) noexcept;
void peaks_copy_avx2(const PeaksCopy& part, bool stream) noexcept;
void peaks_triad_avx2(const PeaksTriad& part, bool stream) noexcept;

void peaks_fma_avx512(const PeaksFma<float>& part) noexcept;
void peaks_fma_avx512(const PeaksFma<double>& part) noexcept;
uint32_t peaks_sum_avx512(const uint32_t* in, size_t count) noexcept;
void peaks_write_avx512(const PeaksWrite& part, bool stream) noexcept;
void peaks_copy_avx512(const PeaksCopy& part, bool stream) noexcept;
void peaks_triad_avx512(const PeaksTriad& part, bool stream) noexcept;

}  // namespace benchctl::cpu_avx
