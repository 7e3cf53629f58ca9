// Cᵀ = Bᵀ·Aᵀ on Hopper's tensor cores: B is the left operand and comes from registers, A the right one from shared
// memory. What products of float matrices have in common: where a thread finds its words of B, and how it writes its
// sums to C. Two warpgroups, each for 64 columns of a tile of C; for the way that registers are dealt out see wgmma.cuh.
//
// B's part of a slab, depth × 128, lies in shared memory in pieces of 32 columns: rows of 128 bytes whose 16-byte
// pieces are swizzled, piece p of row r at p xor (r mod 8), as the copy engine writes them. Which columns of C the rows
// of the left operand stand for is free; they are chosen so that the 32 words of a warp's load lie in 32 banks: 4 rows
// (k) × two pieces of 4 words, pieces p and p + 4.
#pragma once

#include "tile_copy.cuh"

constexpr unsigned b_piece_rows_bytes = 128;

__device__ inline unsigned shared_word(unsigned address) {
  unsigned word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

/// A thread's place among the 256 that multiply.
struct LeftColumns {
  int lane;
  int in_warps;  // first of the 32 columns of the tile that two warps share
  int odd_warp;
  unsigned place[4];  // of a fragment's parts in B's part of a slab, in bytes

  /// `slab_rows` is the length of a slab along k.
  __device__ LeftColumns(int thread, int slab_rows) : lane(thread % 32), odd_warp(thread / 32 % 2) {
    const int g = lane / 4;
    const int t = lane % 4;
    in_warps = thread / 64 * 32;
    // Rows g and g + 8 of the warp's part of the left operand: column g % 4 of pieces p and p + 1 among the 8 of the
    // 32 columns. The fragment's parts: row g or g + 8 (part % 2), k = t or t + 4 (part / 2).
    const int piece = 4 * (g / 4) + 2 * odd_warp;
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const int row = t + part / 2 * 4;
      place[part] = in_warps / 32 * slab_rows * b_piece_rows_bytes + row * b_piece_rows_bytes +
                    ((piece + part % 2) ^ row) * 16 + g % 4 * 4;
    }
  }

  /// Part `part` of the fragment of steps 8·step … of k, out of B's part of a slab.
  __device__ unsigned word(unsigned b, int step, int part) const {
    return shared_word(b + place[part] + step * 8 * b_piece_rows_bytes);
  }

  /// Writes a tile of C. A lane has column `g % 4` of two neighbouring pieces (rows g and g + 8 of Cᵀ). Lanes with
  /// g < 4 and g ≥ 4 exchange one of the two, so that all lanes together write two neighbouring pieces at once: first
  /// those that belong to g < 4, then the others.
  template <int tile_m, int tile_n>
  __device__ void store(const float (&d)[tile_m / 2], float* C, TileNumbers at, int m, int n) const {
    const int g = lane / 4;
    const int t = lane % 4;
    const bool upper = g >= 4;
    const int column = int(at.column) * tile_n + in_warps + (2 * odd_warp + (upper ? 1 : 0)) * 4 + g % 4;
#pragma unroll
    for (int j = 0; j < tile_m / 8; ++j) {
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const float of_g = d[4 * j + part];
        const float of_g_and_8 = d[4 * j + part + 2];
        const float mine = upper ? of_g_and_8 : of_g;
        const float theirs = __shfl_xor_sync(0xffffffff, upper ? of_g : of_g_and_8, 16);
        const size_t row = size_t{at.row} * tile_m + 8 * j + 2 * t + part;
        if (row < m) {
          float* to = C + row * n + column;
          if (column < n) to[0] = upper ? theirs : mine;
          if (column + 16 < n) to[16] = upper ? mine : theirs;
        }
      }
    }
  }
};
