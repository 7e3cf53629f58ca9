// Entry points of the copy kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// out[i] = in[i] for `count` elements.
template <class T>
struct CopyPart {
  const T* in;
  T* out;
  size_t count;
};

void copy_plain(const CopyPart<float>& part) noexcept;
void copy_plain(const CopyPart<double>& part) noexcept;

/// Works on every processor; quick on those with enhanced string instructions (erms).
void copy_string(const CopyPart<unsigned char>& part) noexcept;

/// Need AVX2 or AVX-512F; bytes are copied whatever they mean. With `stream`, out is written past the
/// caches.
void copy_avx2(const CopyPart<unsigned char>& part, bool stream) noexcept;
void copy_avx512(const CopyPart<unsigned char>& part, bool stream) noexcept;

}  // namespace benchctl::cpu_avx
