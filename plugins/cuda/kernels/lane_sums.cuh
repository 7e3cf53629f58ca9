// Sums that all lanes of a warp have a part of, added up by halves: half of the sums go to the lane across, the other half come
// from there, five times. For kernels that define REAL.
#pragma once

/// Sums of all lanes: `count` of them, a power of two below 32 or a multiple of 32, of which lanes then have one, or
/// count / 32; the first of a lane's is sum number `first`.
template <int count, int distance>
__device__ inline void add_up_lanes(REAL* sums, int lane, int& first) {
  if constexpr (distance > 0) {
    if constexpr (count == 1) {
      sums[0] += __shfl_xor_sync(~0U, sums[0], distance);
      add_up_lanes<1, distance / 2>(sums, lane, first);
    } else {
      constexpr int half = count / 2;
      const bool upper = (lane & distance) != 0;
#pragma unroll
      for (int i = 0; i < half; ++i) {
        const REAL sent = upper ? sums[i] : sums[i + half];
        const REAL kept = upper ? sums[i + half] : sums[i];
        sums[i] = kept + __shfl_xor_sync(~0U, sent, distance);
      }
      if (upper) first += half;
      add_up_lanes<half, distance / 2>(sums, lane, first);
    }
  }
}

__device__ constexpr int padded(int count) {
  if (count > 32) return (count + 31) / 32 * 32;
  int power = 1;
  while (power < count) power *= 2;
  return power;
}
