// How the sums of matmul_strips.cu are joined and stored.
#pragma once

#include "count_up.cuh"
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

#if SPLITS > 1
/// True in the last of `members` blocks that count here, which then sees what the others wrote.
__device__ inline bool is_last(unsigned* counter, unsigned members) {
  __syncthreads();  // all of the block have written
  bool last = false;
  if (threadIdx.x == 0) last = count_up(counter) == members - 1;
  if (!__syncthreads_or(last)) return false;
  if (threadIdx.x == 0) *counter = 0;
  return true;
}

/// Adds up `count` parts, each `stride` tiles after the one before, and calls take(number, sums) for each four of the tile.
/// As many loads as there are registers for are under way at once: nothing else is left to do meanwhile.
template <class Take>
__device__ inline void add_up_parts(const float4* first, int count, int stride, const Take& take) {
  constexpr int each = (tile_quads + threads - 1) / threads;  // of a thread
  constexpr int together = each < 16 ? 16 / each : 1;         // parts
  float4 totals[each] = {};
#pragma unroll 1
  for (int part = 0; part < count; part += together) {
    float4 x[together][each] = {};
#pragma unroll
    for (int t = 0; t < together; ++t) {
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const int q = threadIdx.x + i * threads;
        const bool there = part + t < count && (tile_quads % threads == 0 || q < tile_quads);
        if (there) x[t][i] = __ldcg(first + size_t(part + t) * stride * tile_quads + q);
      }
    }
#pragma unroll
    for (int t = 0; t < together; ++t) {
#pragma unroll
      for (int i = 0; i < each; ++i) add(totals[i], x[t][i]);
    }
  }
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const int q = threadIdx.x + i * threads;
    if (tile_quads % threads == 0 || q < tile_quads) take(q, totals[i]);
  }
}

/// Joins the parts of a tile, which lie in `parts`. The last block of each group of GROUP parts adds up those, and the last
/// of these blocks all groups; it calls take(number, sums) for each four of the tile. `counters` has one for each group and
/// one more.
template <class Take>
__device__ inline void join_parts(float4* parts, unsigned* counters, const Take& take) {
  constexpr int groups = (SPLITS + GROUP - 1) / GROUP;
  const int group = blockIdx.y / GROUP;
  const int members = min(GROUP, SPLITS - group * GROUP);
  if (!is_last(counters + group, members)) return;
  float4* const of_group = parts + size_t(group) * GROUP * tile_quads;
  if constexpr (groups == 1) {
    add_up_parts(of_group, SPLITS, 1, take);
  } else {
    add_up_parts(of_group, members, 1, [&](int q, const float4& total) { of_group[q] = total; });
    if (!is_last(counters + groups, groups)) return;
    add_up_parts(parts, groups, GROUP, take);
  }
}
#endif
