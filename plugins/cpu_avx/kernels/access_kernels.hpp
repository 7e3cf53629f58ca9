// Entry points of the copy kernels with a pattern; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// Elements [begin, end) of out[i] = in[misalign + f(i) * stride].
struct AccessPart {
  const void* in;
  void* out;
  size_t n;
  size_t stride;
  size_t misalign;
  size_t begin;
  size_t end;
};

enum class AccessPattern : unsigned char {
  linear,
  masked,
  scattered_warp,
  scattered_block,
  scattered_array,
  scattered_384
};

/// Elements of `width` bytes: 1, 2, 4, 8 or 16.
void access_plain(const AccessPart& part, AccessPattern pattern, size_t width) noexcept;
/// Elements of four bytes in a row (f(i) = i), by vector loads or, with a stride, gathers. Need AVX2 or
/// AVX-512F.
void access_avx2(const AccessPart& part) noexcept;
void access_avx512(const AccessPart& part) noexcept;

}  // namespace benchctl::cpu_avx
