// Entry points of the `packed` matrix product; no C++ library header may be reachable from here (see
// matmul_kernels.hpp).
#pragma once

#include "kernels/matmul_kernels.hpp"

namespace benchctl::cpu_avx {

/// How a product is cut up, in elements. A slab of `depth` along k is worked on at a time; of it a block of
/// B `wide` columns wide, and a block of A `tall` rows high.
struct PackedBlocking {
  size_t depth;
  size_t tall;
  size_t wide;
  bool pack_a;  ///< copy the block of A, or read its rows where they are
  bool pack_b;  ///< copy the block of B into panels one register tile wide, or read it where it is
  bool
      once;  ///< A is a single block: copy a panel of B when it is needed, the next being fetched meanwhile
  bool fetch_b;     ///< the packed block of B is not in the second-level cache: fetch the next panel
  bool fetch_c;     ///< C is not in the caches: fetch a tile of it while the one before is worked on
  bool short_sums;  ///< B in registers, A and C row by row: only if k and the tile allow it
  bool stream;      ///< write C past the caches, where its rows are aligned and k fits into one slab
};

/// Elements from one row of a packed block of A to the next: an odd number of cache lines, so that rows do
/// not compete for the same sets of the caches.
template <class T>
constexpr size_t packed_pitch(size_t depth) {
  constexpr size_t line = 64 / sizeof(T);
  return ((depth + line - 1) / line | 1) * line;
}

/// Widest register tile of all instruction sets.
template <class T>
constexpr size_t packed_widest_tile = 128 / sizeof(T);

/// So many last columns of C are computed along k instead of in tiles, if they do not fill a vector of at
/// least twice as many lanes; or twice as many, if they do not fill half of one.
constexpr size_t slim_columns = 4;

/// Are `columns` last ones, up to slim_columns, of `rows` rows quicker along k? A tile takes `depth`
/// broadcasts for each row however few columns it has; here a row takes few vectors for each column, an
/// adding up over lanes and, all rows together, a copy of these columns of B.
constexpr bool slim_pays(size_t columns, size_t depth, size_t rows) {
  constexpr size_t always = 32;
  const size_t least = columns < slim_columns ? 4 * (columns + 1) : 4 * slim_columns;
  return depth >= always || (depth >= least && depth * rows >= 128 * (columns + 1));
}

/// Where in a thread's scratch, 64-byte aligned, its copies are, and how many elements it needs.
struct PackedScratch {
  size_t a = 0;
  size_t b;
  size_t slim;  ///< the last columns of B
  size_t elements;
};
template <class T>
constexpr PackedScratch packed_scratch(const PackedBlocking& blocking) {
  constexpr size_t tile = packed_widest_tile<T>;
  PackedScratch scratch{};
  scratch.b = blocking.pack_a ? blocking.tall * packed_pitch<T>(blocking.depth) : 0;
  const size_t panels = blocking.once ? 1 : (blocking.wide + tile - 1) / tile;
  scratch.slim = scratch.b + (blocking.pack_b ? panels * tile * blocking.depth : 0);
  scratch.elements = scratch.slim + 2 * slim_columns * packed_pitch<T>(blocking.depth);
  return scratch;
}

/// Largest register tile: rows and columns of C that it holds, and the columns of the narrowest vector. And
/// so many vectors of B fit into the registers beside a row's sums: sums as short can do without tiles.
struct RegisterTile {
  size_t rows;
  size_t columns;
  size_t narrowest;
  size_t short_depth;
};
template <class T>
constexpr RegisterTile avx2_tile{6, 64 / sizeof(T), 32 / sizeof(T), 12};
template <class T>
constexpr RegisterTile avx512_tile{14, 128 / sizeof(T), 32 / sizeof(T), 24};

/// Needs AVX2 and FMA.
void matmul_packed_avx2(const MatmulPart<float>& part, const PackedBlocking& blocking,
                        float* scratch) noexcept;
void matmul_packed_avx2(const MatmulPart<double>& part, const PackedBlocking& blocking,
                        double* scratch) noexcept;

/// Needs AVX-512F.
void matmul_packed_avx512(const MatmulPart<float>& part, const PackedBlocking& blocking,
                          float* scratch) noexcept;
void matmul_packed_avx512(const MatmulPart<double>& part, const PackedBlocking& blocking,
                          double* scratch) noexcept;

}  // namespace benchctl::cpu_avx
