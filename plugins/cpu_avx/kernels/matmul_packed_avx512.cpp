// The packed product with 512-bit vectors: tiles of 14 × 32 floats or 14 × 16 doubles.
#include "kernels/avx512_vectors.hpp"
#include "kernels/matmul_packed_wide.hpp"

namespace benchctl::cpu_avx {

namespace {

struct Narrow32 {
  using Scalar = float;
  using Vector = __m256;
  using Mask = __mmask8;
  static constexpr size_t lanes = 8;
  static constexpr size_t rows = avx512_tile<float>.rows;
  static constexpr size_t vectors = 1;
  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }
  static Vector broadcast(const float* p) { return _mm256_broadcast_ss(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const float* p, Mask mask) { return _mm256_maskz_loadu_ps(mask, p); }
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static void store_masked(float* p, Mask mask, Vector v) { _mm256_mask_storeu_ps(p, mask, v); }
  static void stream(float* p, Vector v) { _mm256_stream_ps(p, v); }
  static void prefetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
};

struct Narrow64 {
  using Scalar = double;
  using Vector = __m256d;
  using Mask = __mmask8;
  static constexpr size_t lanes = 4;
  static constexpr size_t rows = avx512_tile<double>.rows;
  static constexpr size_t vectors = 1;
  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static Vector broadcast(const double* p) { return _mm256_broadcast_sd(p); }
  static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
  static Vector mul(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector fma(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
  static Mask mask_of(size_t count) { return static_cast<Mask>((1U << count) - 1U); }
  static Vector load_masked(const double* p, Mask mask) { return _mm256_maskz_loadu_pd(mask, p); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static void store_masked(double* p, Mask mask, Vector v) { _mm256_mask_storeu_pd(p, mask, v); }
  static void stream(double* p, Vector v) { _mm256_stream_pd(p, v); }
  static void prefetch(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
};

template <size_t tile_rows, size_t tile_vectors>
struct F32 : avx512::F32 {
  using Narrow = Narrow32;
  using Low = F32<6, 4>;
  static constexpr size_t rows = tile_rows;
  static constexpr size_t short_depth = avx512_tile<float>.short_depth;
  static constexpr size_t vectors = tile_vectors;
  static Vector broadcast(const float* p) { return _mm512_set1_ps(*p); }
  static Vector mul(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  static void prefetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
  static void transpose_slim(const float* b, size_t pitch, float* to, size_t pitch_to) {
    Vector row[4];  // every fourth
#pragma GCC unroll 4
    for (size_t r = 0; r < 4; ++r) {
      const float* at = b + r * pitch;
      row[r] = _mm512_castps128_ps512(_mm_loadu_ps(at));
      row[r] = _mm512_insertf32x4(row[r], _mm_loadu_ps(at + 4 * pitch), 1);
      row[r] = _mm512_insertf32x4(row[r], _mm_loadu_ps(at + 8 * pitch), 2);
      row[r] = _mm512_insertf32x4(row[r], _mm_loadu_ps(at + 12 * pitch), 3);
    }
    const Vector lower01 = _mm512_unpacklo_ps(row[0], row[1]), upper01 = _mm512_unpackhi_ps(row[0], row[1]);
    const Vector lower23 = _mm512_unpacklo_ps(row[2], row[3]), upper23 = _mm512_unpackhi_ps(row[2], row[3]);
    store(to, _mm512_shuffle_ps(lower01, lower23, 0x44));
    store(to + pitch_to, _mm512_shuffle_ps(lower01, lower23, 0xee));
    store(to + 2 * pitch_to, _mm512_shuffle_ps(upper01, upper23, 0x44));
    store(to + 3 * pitch_to, _mm512_shuffle_ps(upper01, upper23, 0xee));
  }
  static void add_up(const Vector (&v)[4], float* to) {
    const Vector v01 = _mm512_add_ps(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
    const Vector v23 = _mm512_add_ps(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
    const Vector quads =
        _mm512_add_ps(_mm512_shuffle_ps(v01, v23, 0x44), _mm512_shuffle_ps(v01, v23, 0xee));
    const __m256 upper = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(quads), 1));
    const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(quads), upper);
    _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
  }
};

template <size_t tile_rows, size_t tile_vectors>
struct F64 : avx512::F64 {
  using Narrow = Narrow64;
  using Low = F64<6, 4>;
  static constexpr size_t rows = tile_rows;
  static constexpr size_t short_depth = avx512_tile<double>.short_depth;
  static constexpr size_t vectors = tile_vectors;
  static Vector broadcast(const double* p) { return _mm512_set1_pd(*p); }
  static Vector mul(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  static void prefetch(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
  static void prefetch_far(const double* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T1); }
  static void transpose_slim(const double* b, size_t pitch, double* to, size_t pitch_to) {
    Vector row[4];  // every fourth
#pragma GCC unroll 4
    for (size_t r = 0; r < 4; ++r) {
      const double* at = b + r * pitch;
      row[r] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(at)),
                                  _mm256_loadu_pd(at + 4 * pitch), 1);
    }
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const Vector lower01 = _mm512_unpacklo_pd(row[0], row[1]), upper01 = _mm512_unpackhi_pd(row[0], row[1]);
    const Vector lower23 = _mm512_unpacklo_pd(row[2], row[3]), upper23 = _mm512_unpackhi_pd(row[2], row[3]);
    store(to, _mm512_permutex2var_pd(lower01, even, lower23));
    store(to + pitch_to, _mm512_permutex2var_pd(upper01, even, upper23));
    store(to + 2 * pitch_to, _mm512_permutex2var_pd(lower01, odd, lower23));
    store(to + 3 * pitch_to, _mm512_permutex2var_pd(upper01, odd, upper23));
  }
  static void add_up(const Vector (&v)[4], double* to) {
    const auto pair = [](Vector a, Vector b) {
      const Vector pairs = _mm512_add_pd(_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
      const __m256d half = _mm256_add_pd(_mm512_castpd512_pd256(pairs), _mm512_extractf64x4_pd(pairs, 1));
      return _mm_add_pd(_mm256_castpd256_pd128(half), _mm256_extractf128_pd(half, 1));
    };
    _mm_storeu_pd(to, pair(v[0], v[1]));
    _mm_storeu_pd(to + 2, pair(v[2], v[3]));
  }
};

}  // namespace

void matmul_packed_avx512(const MatmulPart<float>& part, const PackedBlocking& blocking,
                          float* scratch) noexcept {
  packed_product<F32<avx512_tile<float>.rows, 2>>(part, blocking, scratch);
}
void matmul_packed_avx512(const MatmulPart<double>& part, const PackedBlocking& blocking,
                          double* scratch) noexcept {
  packed_product<F64<avx512_tile<double>.rows, 2>>(part, blocking, scratch);
}

}  // namespace benchctl::cpu_avx
