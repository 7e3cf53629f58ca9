// 512-bit vectors. Gathers name their mask and what masked lanes keep, since GCC 12 warns of its own header
// otherwise.
#include "kernels/avx512_vectors.hpp"
#include "kernels/vec3_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct F32 : avx512::F32 {
  static Vector broadcast(float s) { return _mm512_set1_ps(s); }
  static Vector gather(const float* p, size_t step) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i index = _mm512_mullo_epi32(lane, _mm512_set1_epi32(static_cast<int>(step)));
    return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xFFFF, index, p, 4);
  }
};

struct F64 : avx512::F64 {
  static Vector broadcast(double s) { return _mm512_set1_pd(s); }
  static Vector gather(const double* p, size_t step) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i index = _mm256_mullo_epi32(lane, _mm256_set1_epi32(static_cast<int>(step)));
    return _mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xFF, index, p, 8);
  }
};

/// Lanes that take component c of 16 vectors out of 48 elements a, b, c in a row: first out of a and b, as
/// far as they reach, then the rest out of c.
struct Lanes {
  alignas(64) int from_first[16];
  alignas(64) int from_last[16];
};

constexpr Lanes lanes_of(int component) {
  Lanes lanes{};
  for (int k = 0; k < 16; ++k) {
    const int element = 3 * k + component;
    lanes.from_first[k] = element < 32 ? element : 0;
    lanes.from_last[k] = element < 32 ? k : element - 32 + 16;
  }
  return lanes;
}

constexpr Lanes x_lanes = lanes_of(0);
constexpr Lanes y_lanes = lanes_of(1);
constexpr Lanes z_lanes = lanes_of(2);

__m512 take(const Lanes& lanes, __m512 a, __m512 b, __m512 c) {
  const __m512 first = _mm512_permutex2var_ps(a, _mm512_load_si512(lanes.from_first), b);
  return _mm512_permutex2var_ps(first, _mm512_load_si512(lanes.from_last), c);
}

/// Three loads and six permutations for 16 vectors, where gathers make 48 loads.
void norm2_permute(const Vec3Part<float>& part) {
  size_t i = part.begin;
  for (; i + 16 <= part.end; i += 16) {
    const float* vectors = part.in + 3 * i;
    const __m512 a = F32::load(vectors);
    const __m512 b = F32::load(vectors + 16);
    const __m512 c = F32::load(vectors + 32);
    store_norm2<F32>(part.out + i, take(x_lanes, a, b, c), take(y_lanes, a, b, c), take(z_lanes, a, b, c));
  }
  const Vec3Part<float> rest{part.in, part.out, part.step, part.plane, i, part.end};
  vec3_norm2_scalar(rest);
}

}  // namespace

void vec3_norm2_permute(const Vec3Part<float>& part) noexcept { norm2_permute(part); }

void vec3_map_avx512(const Vec3Part<float>& part, float addend, bool stream) noexcept {
  map_wide<F32>(part, addend, stream);
}
void vec3_map_avx512(const Vec3Part<double>& part, double addend, bool stream) noexcept {
  map_wide<F64>(part, addend, stream);
}
void vec3_norm2_avx512(const Vec3Part<float>& part) noexcept { norm2_wide<F32>(part); }
void vec3_norm2_avx512(const Vec3Part<double>& part) noexcept { norm2_wide<F64>(part); }

}  // namespace benchctl::cpu_avx
