// Which element invocation i of the access kernels reads: PATTERN_OF(word)(i, n) for each word that PATTERN can be.
#pragma once

#define PATTERN_JOIN(x, y) x##y
#define PATTERN_OF(word) PATTERN_JOIN(element_of_, word)

#define element_of_linear(i, n) (i)

// In the order of `linear`; MASKED keeps every fourth invocation from loading.
#define element_of_masked(i, n) (i)

// Permuted within each 32: the same bytes, in another order.
#define element_of_scattered_warp(i, n) ((i) - (i) % 32 + ((i) % 32 * 13 + 7) % 32)

// Permuted within each 256: 32 neighbours touch most of the 32-byte sectors of a kilobyte (of 4-byte elements).
#define element_of_scattered_block(i, n) ((i) - (i) % 256 + ((i) % 256 * 101 + 37) % 256)

// Permuted over all n, a power of two: an odd factor has an inverse modulo 2^k. It is near 2^23 divided by the golden
// ratio, which keeps the elements that are read within a short time far apart.
#define element_of_scattered_array(i, n) ((i) * 5184427 & (uint(n) - 1))

// 32 elements of 4 bytes out of 384 bytes: in each of three 128-byte pieces the first and the third 32 bytes. With r the
// place in its 32, element r % 6 * 16 + r / 6.
#define element_of_scattered_384(i, n) ((i) / 32 * 96 + (i) % 32 % 6 * 16 + (i) % 32 / 6)
