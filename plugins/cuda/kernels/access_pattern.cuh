// Which element thread i of the access kernels reads: one function for each word that PATTERN can be.
#pragma once

__device__ __forceinline__ size_t linear(size_t i, size_t) { return i; }

// In the order of `linear`; MASKED keeps every fourth thread from loading.
__device__ __forceinline__ size_t masked(size_t i, size_t) { return i; }

// Permuted within each 32, the threads of a warp: the same bytes, in another order.
__device__ __forceinline__ size_t scattered_warp(size_t i, size_t) { return i - i % 32 + (i % 32 * 13 + 7) % 32; }

// Permuted within each 256: a warp touches most of the 32-byte sectors of a kilobyte (of 4-byte elements).
__device__ __forceinline__ size_t scattered_block(size_t i, size_t) {
  return i - i % 256 + (i % 256 * 101 + 37) % 256;
}

// Permuted over all n, a power of two: an odd factor has an inverse modulo 2^k. It is near 2^23 divided by the
// golden ratio, which keeps the elements that are read within a short time far apart.
__device__ __forceinline__ size_t scattered_array(size_t i, size_t n) { return i * 5184427 & (n - 1); }

// A warp's 32 elements of 4 bytes out of 384 bytes: in each of the three 128-byte lines the first and the third of
// the four sectors.
__device__ __forceinline__ size_t scattered_384(size_t i, size_t) {
  return i / 32 * 96 + i % 32 % 6 * 16 + i % 32 / 6;
}
