// One vector at a time, component by component, no vector instructions: how a loop over structs reads.
// Expected limit: instructions while in cache; beyond, memory bandwidth, padding included. Neighbouring
// components share cache lines in every layout, so that structs cost a CPU nothing here.
#include "kernels/vec3_kernels.hpp"

namespace benchctl::cpu_avx {

namespace {

template <class T>
[[gnu::optimize("no-tree-vectorize")]] void map(const Vec3Part<T>& part, T addend) {
  for (size_t i = part.begin; i < part.end; ++i) {
    const size_t x = i * part.step;
    const size_t y = x + part.plane;
    const size_t z = y + part.plane;
    part.out[x] = part.in[x] + addend;
    part.out[y] = part.in[y] + addend;
    part.out[z] = part.in[z] + addend;
  }
}

template <class T>
[[gnu::optimize("no-tree-vectorize")]] void norm2(const Vec3Part<T>& part) {
  for (size_t i = part.begin; i < part.end; ++i) {
    const T* vector = part.in + i * part.step;
    const T x = vector[0];
    const T y = vector[part.plane];
    const T z = vector[2 * part.plane];
    part.out[i] = x * x + y * y + z * z;
  }
}

}  // namespace

void vec3_map_scalar(const Vec3Part<float>& part, float addend) noexcept { map(part, addend); }
void vec3_map_scalar(const Vec3Part<double>& part, double addend) noexcept { map(part, addend); }
void vec3_norm2_scalar(const Vec3Part<float>& part) noexcept { norm2(part); }
void vec3_norm2_scalar(const Vec3Part<double>& part) noexcept { norm2(part); }

}  // namespace benchctl::cpu_avx
