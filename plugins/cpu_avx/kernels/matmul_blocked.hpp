// The register-blocked product, written once over a `Simd` type that names an instruction set's vectors.
// Included by one translation unit per instruction set; everything is in an unnamed namespace, so that
// no unit's code can stand in for another's.
//
// Loops from the outside (the scheme of Goto & van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34, 2008): blocks of `depth` along k; of B `wide` columns, packed into panels
// of one micro-tile's width; of A `tall` rows, packed into panels of one micro-tile's height; then
// micro-tiles of C of rows × (vectors · lanes) held in registers. Packed panels are padded with zeros, so
// that the innermost loop knows no edge; only the store of a tile at the edge is masked.
//
// A Simd type has: Scalar, Vector, Mask; lanes; rows and vectors of the micro-tile; and static zero(),
// load(p), broadcast(x), fma(a, b, c), mask_of(count), load_masked(p, mask), store(p, v),
// store_masked(p, mask, v).
#pragma once

#include "kernels/matmul_kernels.hpp"

namespace benchctl::cpu_avx {
namespace {

inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

template <class Simd>
struct Blocking {
  using Scalar = typename Simd::Scalar;
  static constexpr size_t tile_rows = Simd::rows;
  static constexpr size_t tile_columns = Simd::vectors * Simd::lanes;
  static constexpr size_t depth = 256;
  // A's block fills about a quarter of a 1 MB second-level cache, B's block all of the scratch that is
  // left.
  static constexpr size_t tall = (size_t{192} << 10) / sizeof(Scalar) / depth / tile_rows * tile_rows;
  static constexpr size_t wide =
      (matmul_scratch_elements<Scalar>() - tall * depth) / depth / tile_columns * tile_columns;
  static_assert(tall >= tile_rows && wide >= tile_columns);
};

/// A[row…row+rows) × [p0…p0+depth) as panels of tile_rows rows: panel, then p, then row.
template <class Simd>
void pack_a(const MatmulPart<typename Simd::Scalar>& part, size_t row, size_t rows, size_t p0, size_t depth,
            typename Simd::Scalar* out) {
  constexpr size_t height = Blocking<Simd>::tile_rows;
  for (size_t panel = 0; panel < rows; panel += height) {
    const size_t valid = smaller(height, rows - panel);
    for (size_t r = 0; r < height; ++r) {
      if (r < valid) {
        const typename Simd::Scalar* from = part.a + (row + panel + r) * part.k + p0;
        for (size_t p = 0; p < depth; ++p) out[p * height + r] = from[p];
      } else {
        for (size_t p = 0; p < depth; ++p) out[p * height + r] = 0;
      }
    }
    out += height * depth;
  }
}

/// B[p0…p0+depth) × [column…column+columns) as panels of tile_columns columns: panel, then p, then column.
template <class Simd>
void pack_b(const MatmulPart<typename Simd::Scalar>& part, size_t column, size_t columns, size_t p0,
            size_t depth, typename Simd::Scalar* out) {
  constexpr size_t width = Blocking<Simd>::tile_columns;
  for (size_t panel = 0; panel < columns; panel += width) {
    const size_t valid = smaller(width, columns - panel);
    for (size_t p = 0; p < depth; ++p) {
      const typename Simd::Scalar* from = part.b + (p0 + p) * part.n + column + panel;
      if (valid == width) {
        for (size_t j = 0; j < width; j += Simd::lanes) Simd::store(out + j, Simd::load(from + j));
      } else {
        for (size_t j = 0; j < width; ++j) out[j] = j < valid ? from[j] : 0;
      }
      out += width;
    }
  }
}

/// One micro-tile: C[0…rows) × [0…columns) = or += panel of A · panel of B.
template <class Simd>
void micro_tile(const typename Simd::Scalar* a, const typename Simd::Scalar* b, size_t depth,
                typename Simd::Scalar* c, size_t ldc, size_t rows, size_t columns, bool accumulate) {
  constexpr size_t height = Simd::rows;
  constexpr size_t vectors = Simd::vectors;
  typename Simd::Vector sum[height][vectors];
#pragma GCC unroll 16
  for (size_t r = 0; r < height; ++r) {
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) sum[r][v] = Simd::zero();
  }
  for (size_t p = 0; p < depth; ++p) {
    typename Simd::Vector b_row[vectors];
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) b_row[v] = Simd::load(b + v * Simd::lanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < height; ++r) {
      const typename Simd::Vector a_rp = Simd::broadcast(a[r]);
#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; ++v) sum[r][v] = Simd::fma(a_rp, b_row[v], sum[r][v]);
    }
    a += height;
    b += vectors * Simd::lanes;
  }
  const bool whole = columns == vectors * Simd::lanes;
#pragma GCC unroll 16
  for (size_t r = 0; r < height; ++r) {
    if (r >= rows) break;
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      const size_t first = v * Simd::lanes;
      typename Simd::Scalar* to = c + r * ldc + first;
      if (whole) {
        Simd::store(to, accumulate ? Simd::add(Simd::load(to), sum[r][v]) : sum[r][v]);
      } else if (first < columns) {
        const typename Simd::Mask mask = Simd::mask_of(smaller(Simd::lanes, columns - first));
        const typename Simd::Vector value =
            accumulate ? Simd::add(Simd::load_masked(to, mask), sum[r][v]) : sum[r][v];
        Simd::store_masked(to, mask, value);
      }
    }
  }
}

template <class Simd>
void blocked_product(const MatmulPart<typename Simd::Scalar>& part, typename Simd::Scalar* scratch) {
  using B = Blocking<Simd>;
  typename Simd::Scalar* packed_a = scratch;
  typename Simd::Scalar* packed_b = scratch + B::tall * B::depth;
  for (size_t p0 = 0; p0 < part.k; p0 += B::depth) {
    const size_t depth = smaller(B::depth, part.k - p0);
    for (size_t j0 = part.column_begin; j0 < part.column_end; j0 += B::wide) {
      const size_t columns = smaller(B::wide, part.column_end - j0);
      pack_b<Simd>(part, j0, columns, p0, depth, packed_b);
      for (size_t i0 = part.row_begin; i0 < part.row_end; i0 += B::tall) {
        const size_t rows = smaller(B::tall, part.row_end - i0);
        pack_a<Simd>(part, i0, rows, p0, depth, packed_a);
        for (size_t j = 0; j < columns; j += B::tile_columns) {
          for (size_t i = 0; i < rows; i += B::tile_rows) {
            micro_tile<Simd>(packed_a + i * depth, packed_b + j * depth, depth,
                             part.c + (i0 + i) * part.n + j0 + j, part.n, smaller(B::tile_rows, rows - i),
                             smaller(B::tile_columns, columns - j), p0 != 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace benchctl::cpu_avx
