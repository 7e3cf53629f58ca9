// Entry points of the kernels over 3-component vectors; no C++ library header may be reachable from here
// (see matmul_kernels.hpp).
#pragma once

#include <stddef.h>

namespace benchctl::cpu_avx {

/// Vectors [begin, end); component c of vector i is element i * step + c * plane.
template <class T>
struct Vec3Part {
  const T* in;
  T* out;
  size_t step;
  size_t plane;
  size_t begin;
  size_t end;
};

/// Adds to each component.
void vec3_map_scalar(const Vec3Part<float>& part, float addend) noexcept;
void vec3_map_scalar(const Vec3Part<double>& part, double addend) noexcept;
/// Adds to elements [begin, end), padding among them, whatever they mean; with `stream` past the caches.
/// Need AVX2 or AVX-512F.
void vec3_map_avx2(const Vec3Part<float>& part, float addend, bool stream) noexcept;
void vec3_map_avx2(const Vec3Part<double>& part, double addend, bool stream) noexcept;
void vec3_map_avx512(const Vec3Part<float>& part, float addend, bool stream) noexcept;
void vec3_map_avx512(const Vec3Part<double>& part, double addend, bool stream) noexcept;

/// out[i] = x² + y² + z² of vector i.
void vec3_norm2_scalar(const Vec3Part<float>& part) noexcept;
void vec3_norm2_scalar(const Vec3Part<double>& part) noexcept;
/// The same by vector loads of arrays (step 1) or gathers from structs. Need AVX2 or AVX-512F.
void vec3_norm2_avx2(const Vec3Part<float>& part) noexcept;
void vec3_norm2_avx2(const Vec3Part<double>& part) noexcept;
void vec3_norm2_avx512(const Vec3Part<float>& part) noexcept;
void vec3_norm2_avx512(const Vec3Part<double>& part) noexcept;
/// The same from structs without padding (step 3), taken apart in registers. Needs AVX-512F.
void vec3_norm2_permute(const Vec3Part<float>& part) noexcept;

}  // namespace benchctl::cpu_avx
