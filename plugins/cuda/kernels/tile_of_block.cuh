// Which tile of C, and which part of k, a block of a product has, and which block of a tile ends last. Shared by kernels
// that define TILE_M, TILE_N, DEPTH, BAND and SPLITS, run a block per tile along x, and SPLITS of them along y.
#pragma once

#include "count_up.cuh"

struct WorkOfBlock {
  int first_row;
  int first_column;
  unsigned begin;  // slabs of k, DEPTH steps each
  unsigned end;

  /// Blocks go through C in bands of BAND tiles' height; with BAND = 0 they lie in the grid, unsplit, as their tiles in C.
  __device__ WorkOfBlock(int m, int n, int k) {
    const unsigned slabs = (unsigned(k) + DEPTH - 1) / DEPTH;
    if (BAND == 0) {
      first_row = int(blockIdx.y * TILE_M);
      first_column = int(blockIdx.x * TILE_N);
      begin = 0;
      end = slabs;
    } else {
      take_tile(blockIdx.x, m, n);
      begin = unsigned(size_t{slabs} * blockIdx.y / SPLITS);
      end = unsigned(size_t{slabs} * (blockIdx.y + 1) / SPLITS);
    }
  }
  __device__ WorkOfBlock(unsigned tile, unsigned first_slab, unsigned end_slab, int m, int n)
      : begin(first_slab), end(end_slab) {
    take_tile(tile, m, n);
  }

 private:
  __device__ void take_tile(unsigned tile, int m, int n) {
    constexpr unsigned band = BAND == 0 ? 1 : BAND;
    const unsigned tiles_m = (unsigned(m) + TILE_M - 1) / TILE_M;
    const unsigned tiles_n = (unsigned(n) + TILE_N - 1) / TILE_N;
    const unsigned band_first = tile / (band * tiles_n) * band;
    const unsigned band_height = min(tiles_m - band_first, band);
    const unsigned in_band = tile % (band * tiles_n);
    first_row = int((band_first + in_band % band_height) * TILE_M);
    first_column = int(in_band / band_height * TILE_N);
  }
};

/// True in the block that ends last of those that share its tile, which then sees what the others wrote before they asked.
/// `finished` counts them per tile; it is zero before and after.
__device__ inline bool ends_last(unsigned* finished) {
  __syncthreads();  // all of the block have written
  bool is_last = false;
  if (threadIdx.x == 0) is_last = count_up(finished + blockIdx.x) == SPLITS - 1;
  if (!__syncthreads_or(is_last)) return false;
  if (threadIdx.x == 0) finished[blockIdx.x] = 0;
  return true;
}
