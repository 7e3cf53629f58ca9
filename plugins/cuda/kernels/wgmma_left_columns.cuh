// Cᵀ = Bᵀ·Aᵀ on Hopper's tensor cores: B is the left operand and comes from registers, A the right one from shared
// memory. What products of float matrices have in common: where a thread finds its words of B, and how it writes its
// sums to C. Each warpgroup has 64 columns of a tile of C; for the way that registers are dealt out see wgmma.cuh.
//
// B's part of a slab lies in shared memory in pieces of 32 columns: rows of 128 bytes whose 16-byte
// pieces are swizzled, piece p of row r at p xor (r mod 8), as the copy engine writes them. Which columns of C the rows
// of the left operand stand for is free; they are chosen so that the 32 words of a warp's load lie in 32 banks: 4 rows
// (k) × two pieces of 4 words, pieces p and p + 4.
#pragma once

#include "tile_copy.cuh"
#include "unaligned_rows.cuh"

constexpr unsigned b_piece_rows_bytes = 128;

__device__ inline unsigned shared_word(unsigned address) {
  unsigned word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}

/// A thread's place among those that multiply.
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

  static constexpr int at_a_time = 8;  // rows that a warpgroup writes
  static constexpr unsigned row_bytes = 256;

  /// Puts rows `first` to before `end` of its part of a tile into shared memory, in rows of 64 columns whose 16-byte
  /// pieces are swizzled by the number of the pair of rows. A lane has column `g % 4` of two neighbouring pieces (rows g
  /// and g + 8 of Cᵀ) and t's of neighbouring pairs of rows.
  template <int sums>
  __device__ void put(const float (&d)[sums], unsigned memory, int first, int end) const {
    const int g = lane / 4;
    const int t = lane % 4;
    const int piece = 4 * (g / 4) + 2 * odd_warp;
    const unsigned to = memory + 2 * t * row_bytes + in_warps % 64 * 4 + g % 4 * 4;
#pragma unroll
    for (int j = 0; j < sums / 4; ++j) {
      if (8 * j < first || 8 * j >= end) continue;
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        const unsigned row = to + (8 * j - first + part) * row_bytes;
        put_shared(row + (piece ^ t) * 16, d[4 * j + part]);
        put_shared(row + (piece + 1 ^ t) * 16, d[4 * j + part + 2]);
      }
    }
  }

  /// Takes step `step` of `rows` such rows out again: 16 lanes have a row.
  __device__ void write(unsigned memory, int step, int rows, float* C, int first_row, int first_column, int m,
                        int n) const {
    const int in_step = int(threadIdx.x) % 128 / 16;
    const int piece = lane % 16;
    const int row = step * at_a_time + in_step;
    const float4 four = shared_quad(memory + row * row_bytes + (piece / 8 * 8 + (piece % 8 ^ in_step / 2)) * 16);
    const int column = first_column + piece * 4;
    if (row < rows && first_row + row < m && column < n) {
      *reinterpret_cast<float4*>(C + size_t(first_row + row) * n + column) = four;
    }
  }

  /// Writes `rows` rows of a tile of C, up to 64 at a time.
  template <int rows>
  __device__ void store(const float (&d)[rows / 2], float* C, int first_row, int first_column, int m, int n,
                        unsigned memory) const {
    constexpr int at_once = rows < 64 ? rows : 64;
    const int group = in_warps / 64;
    memory += group * (at_once * row_bytes);
    first_column += group * 64;
#pragma unroll
    for (int base = 0; base < rows; base += at_once) {
      const int count = rows - base < at_once ? rows - base : at_once;
      if (base > 0) synchronize_groups(1 + group, 128);
      put(d, memory, base, base + count);
      synchronize_groups(1 + group, 128);
      if constexpr (C_BYTES < 16) {
        write_words<at_once>(C, first_row + base, min(m, first_row + rows), first_column, n, memory);
        continue;
      }
#pragma unroll
      for (int step = 0; step * at_a_time < count; ++step) {
        write(memory, step, count, C, first_row + base, first_column, m, n);
      }
    }
    synchronize_groups(1 + group, 128);
  }

 private:
  /// Writes rows of 64 columns, as `store` has put them, word by word, to a C whose rows begin anywhere.
  template <int at_once>
  __device__ void write_words(float* C, int first_row, int end_row, int first_column, int n, unsigned memory) const {
#pragma unroll
    for (int i = 0; i < at_once; i += 4) {
      const int number = i + int(threadIdx.x) % 128 / 32;
      const int row = first_row + number;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int column = first_column + half * 32 + lane;
        const unsigned piece = half * 8 + (lane / 4 ^ number % 8 / 2);
        const unsigned word = shared_word(memory + number * 256 + piece * 16 + lane % 4 * 4);
        if (row < end_row && column < n) C[size_t(unsigned(row)) * n + column] = __uint_as_float(word);
      }
    }
  }
};
