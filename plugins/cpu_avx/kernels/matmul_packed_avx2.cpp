// The packed product with 256-bit vectors: tiles of 6 × 16 floats or 6 × 8 doubles.
#include "kernels/avx2_vectors.hpp"
#include "kernels/matmul_packed_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

template <size_t tile_rows, size_t tile_vectors>
struct F32 : avx2::F32 {
  static constexpr size_t rows = tile_rows;
  static constexpr size_t vectors = tile_vectors;
  static constexpr size_t short_depth = avx2_tile<float>.short_depth;
  using Narrow = F32<12, 1>;
  using Low = F32;
  static Vector broadcast(const float* p) { return _mm256_broadcast_ss(p); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static void prefetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
  static void transpose_slim(const float* b, size_t pitch, float* to, size_t pitch_to) {
    Vector row[4];  // every fourth
#pragma GCC unroll 4
    for (size_t r = 0; r < 4; ++r) {
      const float* at = b + r * pitch;
      row[r] =
          _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at)), _mm_loadu_ps(at + 4 * pitch), 1);
    }
    const Vector lower01 = _mm256_unpacklo_ps(row[0], row[1]), upper01 = _mm256_unpackhi_ps(row[0], row[1]);
    const Vector lower23 = _mm256_unpacklo_ps(row[2], row[3]), upper23 = _mm256_unpackhi_ps(row[2], row[3]);
    store(to, _mm256_shuffle_ps(lower01, lower23, 0x44));
    store(to + pitch_to, _mm256_shuffle_ps(lower01, lower23, 0xee));
    store(to + 2 * pitch_to, _mm256_shuffle_ps(upper01, upper23, 0x44));
    store(to + 3 * pitch_to, _mm256_shuffle_ps(upper01, upper23, 0xee));
  }
  static void add_up(const Vector (&v)[4], float* to) {
    const Vector v01 = _mm256_add_ps(_mm256_unpacklo_ps(v[0], v[1]), _mm256_unpackhi_ps(v[0], v[1]));
    const Vector v23 = _mm256_add_ps(_mm256_unpacklo_ps(v[2], v[3]), _mm256_unpackhi_ps(v[2], v[3]));
    const Vector quads =
        _mm256_add_ps(_mm256_shuffle_ps(v01, v23, 0x44), _mm256_shuffle_ps(v01, v23, 0xee));
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(quads), _mm256_extractf128_ps(quads, 1)));
  }
};

template <size_t tile_rows, size_t tile_vectors>
struct F64 : avx2::F64 {
  static constexpr size_t rows = tile_rows;
  static constexpr size_t vectors = tile_vectors;
  static constexpr size_t short_depth = avx2_tile<double>.short_depth;
  using Narrow = F64<12, 1>;
  using Low = F64;
  static Vector broadcast(const double* p) { return _mm256_broadcast_sd(p); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static void prefetch(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
};

}  // namespace

void matmul_packed_avx2(const MatmulPart<float>& part, const PackedBlocking& blocking,
                        float* scratch) noexcept {
  packed_product<F32<avx2_tile<float>.rows, 2>>(part, blocking, scratch);
}
void matmul_packed_avx2(const MatmulPart<double>& part, const PackedBlocking& blocking,
                        double* scratch) noexcept {
  packed_product<F64<avx2_tile<double>.rows, 2>>(part, blocking, scratch);
}

}  // namespace benchctl::cpu_avx
