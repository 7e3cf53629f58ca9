// Entry points of the vector-addition kernels; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// c[i] = a[i] + b[i] for `count` elements.
template <class T>
struct VectorAddPart {
  const T* a;
  const T* b;
  T* c;
  size_t count;
};

void vector_add_plain(const VectorAddPart<float>& part) noexcept;
void vector_add_plain(const VectorAddPart<double>& part) noexcept;

/// The same loop as the compiler vectorises it. Needs AVX2.
void vector_add_compiler_avx2(const VectorAddPart<float>& part) noexcept;
void vector_add_compiler_avx2(const VectorAddPart<double>& part) noexcept;

/// With 128-bit vectors; `stream` as below.
void vector_add_sse(const VectorAddPart<float>& part, bool stream) noexcept;
void vector_add_sse(const VectorAddPart<double>& part, bool stream) noexcept;

/// Need AVX2 or AVX-512F. With `stream`, c is written past the caches.
void vector_add_avx2(const VectorAddPart<float>& part, bool stream) noexcept;
void vector_add_avx2(const VectorAddPart<double>& part, bool stream) noexcept;
void vector_add_avx512(const VectorAddPart<float>& part, bool stream) noexcept;
void vector_add_avx512(const VectorAddPart<double>& part, bool stream) noexcept;

}  // namespace benchctl::cpu_avx
