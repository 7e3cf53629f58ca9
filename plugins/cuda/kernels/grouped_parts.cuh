// How the blocks that share a tile of C, each with a part of k, join their sums in two levels, so that no block reads more
// than some of the parts. For kernels that define SPLITS, the number of parts; a block's part is number blockIdx.y, and its
// threads are numbered along x, then y.
//
// Sums come in packs of 16 bytes, which add(Pack&, const Pack&) adds up; each part of a tile has `packs` of them.
#pragma once

#include "count_up.cuh"

/// True in the last of `members` blocks that count here, which then sees what the others wrote.
__device__ inline bool is_last(unsigned* counter, unsigned members) {
  const bool first_thread = threadIdx.x + threadIdx.y == 0;
  __syncthreads();  // all of the block have written
  bool last = false;
  if (first_thread) last = count_up(counter) == members - 1;
  if (!__syncthreads_or(last)) return false;
  if (first_thread) *counter = 0;
  return true;
}

/// Past the L1 cache, which may hold old values.
template <class Pack>
__device__ inline Pack load_written(const Pack* from) {
  const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(from));
  return reinterpret_cast<const Pack&>(bits);
}

/// Adds up `count` parts, each `stride` parts after the one before, and calls take(number, sums) for each pack of the tile.
/// As many loads as there are registers for are under way at once: nothing else is left to do meanwhile.
template <int packs, int threads, class Pack, class Take>
__device__ inline void add_up_parts(const Pack* first, int count, int stride, const Take& take) {
  constexpr int each = (packs + threads - 1) / threads;  // of a thread
  constexpr int together = each < 16 ? 16 / each : 1;    // parts
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  Pack totals[each] = {};
#pragma unroll 1
  for (int part = 0; part < count; part += together) {
    Pack x[together][each] = {};
#pragma unroll
    for (int t = 0; t < together; ++t) {
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const int number = thread + i * threads;
        const bool there = part + t < count && (packs % threads == 0 || number < packs);
        if (there) x[t][i] = load_written(first + size_t(part + t) * stride * packs + number);
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
    const int number = thread + i * threads;
    if (packs % threads == 0 || number < packs) take(number, totals[i]);
  }
}

/// Joins the parts of a tile, which lie in `parts`. The last block of each group of `group` parts adds up those, and the last
/// of these blocks all groups; it calls take(number, sums) for each pack of the tile. `counters` has one for each group and
/// one more if there are several.
template <int packs, int threads, int group, class Pack, class Take>
__device__ inline void join_groups(Pack* parts, unsigned* counters, const Take& take) {
  constexpr int groups = (SPLITS + group - 1) / group;
  const int own = blockIdx.y / group;
  const int members = min(group, SPLITS - own * group);
  if (!is_last(counters + own, members)) return;
  Pack* const of_group = parts + size_t(own) * group * packs;
  if constexpr (groups == 1) {
    add_up_parts<packs, threads>(of_group, SPLITS, 1, take);
  } else {
    add_up_parts<packs, threads>(of_group, members, 1, [&](int number, const Pack& total) { of_group[number] = total; });
    if (!is_last(counters + groups, groups)) return;
    add_up_parts<packs, threads>(parts, groups, group, take);
  }
}
