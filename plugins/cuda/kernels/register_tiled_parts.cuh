// How the sums of matmul_register_tiled.cu are joined where both slices and other blocks have parts of a tile.
#pragma once

#if SLICES > 1 && SPLITS > 1
#include "grouped_parts.cuh"
#include "register_tiled_results.cuh"
#include "tile_of_block.cuh"

constexpr int tile_packs = TILE_M * TILE_N / width;

/// Parts that one block adds up: all of few; of many, as many as there are groups, or about so.
__device__ constexpr int parts_of_group() {
  if (SPLITS <= 6) return SPLITS;
  int groups = 1;
  while (groups * groups < SPLITS) ++groups;
  return (SPLITS + groups - 1) / groups;
}

__device__ inline void add(Pack& total, const Pack& x) {
#pragma unroll
  for (int j = 0; j < width; ++j) total.element[j] += x.element[j];
}

/// Adds up the sums of the block's slices through shared memory, in the order of the parts of k, and calls take(number, sums)
/// for each pack of the tile, which are numbered row by row. `stages` are those of the first slice.
template <class Take>
__device__ inline void add_up_slices(const Sums& sums, REAL* stages, int slice, int row_in_tile, int column_in_tile,
                                     const Take& take) {
  static_assert(STAGES * stage_elements >= TILE_M * TILE_N);
  REAL* const own = stages + slice * (STAGES * stage_elements) + row_in_tile * TILE_N + column_in_tile;
  synchronize_slice<threads>(slice);  // all have read their last operands
#pragma unroll
  for (int i = 0; i < THREAD_M; ++i) {
    const int row = i / width * (lanes_m * width) + i % width;
#pragma unroll
    for (int p = 0; p < packs_n; ++p) store_pack(own + row * TILE_N + p * (lanes_n * width), sums.at[i] + p * width);
  }
  __syncthreads();
  const Pack* const first = reinterpret_cast<const Pack*>(stages);
  for (int number = slice * threads + threadIdx.x; number < tile_packs; number += threads * SLICES) {
    Pack total = first[number];
#pragma unroll
    for (int other = 1; other < SLICES; ++other) add(total, first[number + other * (STAGES * stage_elements / width)]);
    take(number, total);
  }
}

/// Stores pack number `number` of a tile.
__device__ inline void store_numbered(REAL* C, int number, const Pack& sums, const WorkOfBlock& work, int m, int n) {
  const int row = work.first_row + number / (TILE_N / width);
  const int column = work.first_column + number % (TILE_N / width) * width;
  if (row >= m || column >= n) return;
  REAL* const to = C + size_t(row) * n + column;
  if (C_BEFORE == 0) {
    *reinterpret_cast<Pack*>(to) = sums;
    return;
  }
#pragma unroll
  for (int j = 0; j < width; ++j) {
    if (column + j < n) to[j] = sums.element[j];
  }
}

/// The last of the blocks that share the tile stores it.
__device__ inline void join_slices_of_parts(const Sums& sums, REAL* C, REAL* stages, Pack* partial, unsigned* finished,
                                            const WorkOfBlock& work, int slice, int row_in_tile, int column_in_tile, int m,
                                            int n) {
  Pack* const parts = partial + size_t{blockIdx.x} * SPLITS * tile_packs;
  Pack* const own = parts + size_t{blockIdx.y} * tile_packs;
  add_up_slices(sums, stages, slice, row_in_tile, column_in_tile,
                [&](int number, const Pack& total) { own[number] = total; });
  join_groups<tile_packs, threads * SLICES, parts_of_group()>(
      parts, finished + size_t{blockIdx.x} * SPLITS,
      [&](int number, const Pack& total) { store_numbered(C, number, total, work, m, n); });
}
#endif
