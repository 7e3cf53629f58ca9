// How the sums of matmul_strips.cu are joined and stored.
#pragma once

#include "grouped_parts.cuh"
#include "strips_shape.cuh"

__device__ inline void add(float4& total, const float4& x) {
  total.x += x.x;
  total.y += x.y;
  total.z += x.z;
  total.w += x.w;
}

/// Four results of a tile whose first element is in `first_row` and `first_column`. They are numbered as the warps add them
/// up: round by round, in each row by row.
__device__ inline void store_quad(float* C, int number, const float4& x, int first_row, int first_column, int m, int n) {
  const int row_in_round = number % round_quads / (tile_n / 4);
  constexpr int rows = round_rows * lanes_m;  // of a warp in a round
  const int row = first_row + row_in_round / rows * warp_m + number / round_quads * rows + row_in_round % rows;
  const int column = first_column + number % (tile_n / 4) * 4;
  if (row >= m || column >= n) return;
  float* to = C + size_t(row) * n + column;
#if PACKED
  *reinterpret_cast<float4*>(to) = x;
#else
  to[0] = x.x;
  if (column + 1 < n) to[1] = x.y;
  if (column + 2 < n) to[2] = x.z;
  if (column + 3 < n) to[3] = x.w;
#endif
}

/// Rows of one round of this thread's sums to shared memory.
__device__ inline void leave_sums(const Sums& sums, float* held, const Place& place, int round) {
#pragma unroll
  for (int i = 0; i < round_rows; ++i) {
    const float* row = sums.at[round * round_rows + i];
    const int warp = place.along_k * WARPS_M + place.along_m;
    float* to = held + ((warp * round_rows + i) * lanes_m + place.lane_m) * sums_pitch;
#pragma unroll
    for (int q = 0; q < quads_n; ++q) {
      *reinterpret_cast<float4*>(to + (q * lanes_n + place.lane_n) * 4) =
          make_float4(row[q * 4], row[q * 4 + 1], row[q * 4 + 2], row[q * 4 + 3]);
    }
    if (has_pair) {
      *reinterpret_cast<float2*>(to + quads_n * lanes_n * 4 + place.lane_n * 2) =
          make_float2(row[THREAD_N - 2], row[THREAD_N - 1]);
    }
  }
}

/// Adds up the sums of the warps that share rows, in the order of the parts of k, and calls take(number, sums) for each four
/// of the tile.
template <class Take>
__device__ inline void join_warps(const Sums& sums, float* held, const Place& place, const Take& take) {
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();  // all have read what was held before
    leave_sums(sums, held, place, round);
    __syncthreads();
    for (int q = threadIdx.x; q < round_quads; q += threads) {
      const float* from = held + q / (tile_n / 4) * sums_pitch + q % (tile_n / 4) * 4;
      float4 total = make_float4(0, 0, 0, 0);
#pragma unroll
      for (int w = 0; w < WARPS_K; ++w) {
        add(total, *reinterpret_cast<const float4*>(from + w * (WARPS_M * round_rows * lanes_m * sums_pitch)));
      }
      take(round * round_quads + q, total);
    }
  }
}
