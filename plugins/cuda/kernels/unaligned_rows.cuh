// How rows of 16-bit numbers leave shared memory for a matrix whose rows begin anywhere, 16 bytes at a time nevertheless.
// C_BYTES says how many bytes of C can be written at once: 16 where rows of C are multiples of that, else an element.
#pragma once

#ifndef C_BYTES
#define C_BYTES 16
#endif

/// Up to `rows` rows of `columns` elements, of which `rows_left` and `columns_left` exist, to a matrix with rows of `n`
/// elements, from its element `c` on. The word of four bytes from byte number `byte` of a row on lies at `place(row, byte)`
/// in shared memory. The first and last few elements of a row, up to the next multiple of 16 bytes, are written one by one;
/// one word behind a row may be read, and is not used.
template <int columns, int rows, int threads, typename Place>
__device__ inline void write_unaligned_rows(unsigned short* c, Place place, int rows_left, int columns_left, int n, int thread) {
  const int width = min(columns, columns_left);
  // Elements of a row before the first multiple of 16 bytes.
  const auto early_of = [&](int row) { return -(unsigned(size_t(c) / 2) + unsigned(row) * unsigned(n)) % 8; };
  constexpr int packs = columns / 8;
  constexpr int at_once = threads / packs;  // rows
#pragma unroll
  for (int i = 0; i < rows; i += at_once) {
    const int row = i + thread / packs;
    const int column = int(thread % packs * 8 + early_of(row));
    if (row >= (rows % at_once == 0 ? rows_left : min(rows, rows_left)) || column + 8 > width) continue;
    unsigned word[5];
#pragma unroll
    for (int j = 0; j < 5; ++j) {
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word[j]) : "r"(place(row, column / 2 * 4 + j * 4)) : "memory");
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) word[j] = __funnelshift_r(word[j], word[j + 1], column % 2 * 16);
    *reinterpret_cast<uint4*>(c + size_t(unsigned(row)) * n + column) = {word[0], word[1], word[2], word[3]};
  }
  // Eight threads have the beginning of a row, eight its end.
#pragma unroll 2
  for (int row = thread / 16; row < min(rows, rows_left); row += threads / 16) {
    const int early = int(early_of(row));
    const int column = thread % 8 + (thread % 16 < 8 ? 0 : early + max(width - early, 0) / 8 * 8);
    if (column >= (thread % 16 < 8 ? min(early, width) : width)) continue;
    unsigned short x;
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(x) : "r"(place(row, column / 2 * 4) + column % 2 * 2) : "memory");
    c[size_t(unsigned(row)) * n + column] = x;
  }
}
