// 16 bytes that begin anywhere, of the two aligned packs of 16 bytes that they lie in.
#pragma once

/// 16 of the 32 bytes, from number `shift` on, a multiple of the `size` bytes of an element, 2 or 4.
template <int size>
__device__ inline uint4 shifted_pack(uint4 low, uint4 high, unsigned shift) {
  unsigned word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) word[i] = shift & 8 ? word[i + 2] : word[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) word[i] = shift & 4 ? word[i + 1] : word[i];
  if (size == 2) {
#pragma unroll
    for (int i = 0; i < 4; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], shift % 4 * 8);
  }
  return {word[0], word[1], word[2], word[3]};
}

/// Zeros from element number `left` on.
template <int size>
__device__ inline uint4 cut_off(uint4 pack, unsigned left) {
  unsigned word[4] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (size == 4) {
      if (i >= left) word[i] = 0;
    } else {
      if (2 * i >= left) word[i] = 0;
      if (2 * i + 1 == left) word[i] &= 0xffff;
    }
  }
  return {word[0], word[1], word[2], word[3]};
}
