// How a tile of a matrix whose rows begin anywhere comes into shared memory in pieces of 16 bytes nevertheless: a thread reads
// the two aligned packs of 16 bytes that its piece is in, keeps them in registers while a slab is multiplied, and shifts
// them on the way into shared memory. Neighbours read every pack twice, from the first-level cache the second time.
#pragma once

#include "shifted_pack.cuh"
#include "tensor_shape.cuh"

/// The pack at `address`, a multiple of 16 bytes, of which what lies before `end` exists.
__device__ inline uint4 pack_before(size_t address, size_t end) {
  if (address + 16 <= end) return __ldg(reinterpret_cast<const uint4*>(address));
  unsigned word[4] = {};
#pragma unroll 1
  for (unsigned i = 0; i < 8; ++i) {
    if (address + i * 2 >= end) break;
    const unsigned half = __ldg(reinterpret_cast<const unsigned short*>(address) + i);
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) word[j] |= i / 2 == j ? half << i % 2 * 16 : 0;
  }
  return {word[0], word[1], word[2], word[3]};
}

/// A block's pieces of a tile of `tile_rows`×`tile_columns` elements.
template <int tile_rows, int tile_columns>
struct ShiftedPieces {
  static constexpr int width = 16 / size;
  static constexpr int of_row = tile_columns / width;
  static constexpr int copies = (tile_rows * of_row + threads - 1) / threads;
  uint4 low[copies];
  uint4 high[copies];

  static __device__ int row(int thread, int c) { return (thread + c * threads) / of_row; }
  static __device__ int column(int thread, int c) { return (thread + c * threads) % of_row * width; }
  static __device__ size_t address(const Element* from, int pitch, int thread, int c) {
    return reinterpret_cast<size_t>(from + size_t(unsigned(row(thread, c))) * pitch + column(thread, c));
  }

  /// Those with rows and columns before `rows` and `columns`, of a matrix that ends at `end`.
  template <bool whole>
  __device__ void fetch(const Element* from, int pitch, int rows, int columns, const Element* end, int thread) {
#pragma unroll
    for (int c = 0; c < copies; ++c) {
      low[c] = high[c] = {0, 0, 0, 0};
      if (row(thread, c) >= min(rows, tile_rows) || column(thread, c) >= columns) continue;
      const size_t first = address(from, pitch, thread, c);
      const size_t pack = first / 16 * 16;
      if (whole) {
        low[c] = __ldg(reinterpret_cast<const uint4*>(pack));
        if (first != pack) high[c] = __ldg(reinterpret_cast<const uint4*>(pack) + 1);
      } else {
        const size_t last = reinterpret_cast<size_t>(end);
        low[c] = pack_before(pack, last);
        if (first != pack && pack + 16 < last) high[c] = pack_before(pack + 16, last);
      }
    }
  }

  /// Shared memory gets them, zeros from column number `columns` on.
  template <bool whole, typename Place>
  __device__ void put(const Element* from, int pitch, int columns, Place place, int thread) const {
#pragma unroll
    for (int c = 0; c < copies; ++c) {
      if (tile_rows * of_row % threads != 0 && row(thread, c) >= tile_rows) continue;
      uint4 piece = shifted_pack<size>(low[c], high[c], unsigned(address(from, pitch, thread, c) % 16));
      if (!whole) piece = cut_off<size>(piece, unsigned(max(columns - column(thread, c), 0)));
      asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(place(row(thread, c), column(thread, c) * size)),
                   "r"(piece.x), "r"(piece.y), "r"(piece.z), "r"(piece.w)
                   : "memory");
    }
  }
};

/// Copies slabs of A and B, one after the other. What Copier is to rows of whole pieces.
struct ShiftedCopier {
  int thread;  // this one
  const Element* a;
  const Element* b;
  const Element* a_end;
  const Element* b_end;
  int n;
  int k;
  int rows_left;
  int columns_left;
  ShiftedPieces<TILE_M, depth> of_a;
  ShiftedPieces<depth, TILE_N> of_b;

  __device__ ShiftedCopier(const Element* A, const Element* B, int n_, int k_, int rows, int columns)
      : thread(this_thread()), a(A), b(B), n(n_), k(k_), rows_left(rows), columns_left(columns) {}

  /// Part `part` of `parts` of a slab all steps of which exist, if it is `wanted`: the first part fetches, the last one puts.
  __device__ void copy(unsigned stage, int part, int parts, bool wanted) {
    if (part == 0 && wanted) {
      of_a.fetch<true>(a, k, rows_left, depth, nullptr, thread);
      of_b.fetch<true>(b, n, depth, columns_left, nullptr, thread);
    }
    if (part == parts - 1 && wanted) {
      put<true>(stage, depth);
      advance();
    }
  }

  /// The last slab, of which `steps_left` steps exist.
  __device__ void copy_last(unsigned stage, int steps_left, const Element*, const Element*) {
    of_a.fetch<false>(a, k, rows_left, steps_left, a_end, thread);
    of_b.fetch<false>(b, n, steps_left, columns_left, b_end, thread);
    put<false>(stage, steps_left);
    advance();
  }

 private:
  template <bool whole>
  __device__ void put(unsigned stage, int steps_left) const {
    of_a.put<whole>(a, k, steps_left, [&](int row, int byte) { return stage + a_place(row, byte); }, thread);
    of_b.put<true>(b, n, 0, [&](int row, int byte) { return stage + a_bytes + b_place(row, byte); }, thread);
  }
  __device__ void advance() {
    a += depth;
    b += size_t{depth} * n;
  }
};
