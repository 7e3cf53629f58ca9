// How transpose_swizzled.cu moves small matrices: what a multiprocessor gets of them is on its way at once, so that the
// way of one element counts, not how many go abreast. No more is worked out than where a thread's elements lie, and whole
// tiles are not asked for their edges.
//
// Where rows begin at packs (PACKED), a thread turns its square in registers and writes it: no shared memory, no barrier.
// Lanes are 4 across and 8 down, so that a warp reads runs of 64 bytes and writes runs of 128, whole sectors both. With WIDTH
// 1 a pack is an element, wherever rows begin: so for the fewest, where a barrier costs more than sectors moved in parts.
//
// Where rows begin anywhere, elements go one by one through shared memory with a column of padding. Sectors that two
// blocks write a part of are joined in the second-level cache, where small matrices stay.
#pragma once

#if PACKED
constexpr int lanes_across = 4;
constexpr int lanes_down = 32 / lanes_across;
constexpr int warps_across = ACROSS / (lanes_across * WIDTH);
static_assert(warps_across * lanes_across * WIDTH == ACROSS, "whole warps abreast");
constexpr int apart = lanes_down * WIDTH;
constexpr int squares = RUN * ACROSS / (THREADS * WIDTH * WIDTH);  // of a thread, one below the other
static_assert(RUN == THREADS / 32 / warps_across * apart * squares, "whole squares per thread");

__device__ inline void move_squares(const REAL* __restrict__ in, REAL* __restrict__ out, int rows, int columns) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int column = blockIdx.y * ACROSS + (warp % warps_across * lanes_across + lane % lanes_across) * WIDTH;
  const int row = blockIdx.x * RUN + warp / warps_across * (apart * squares) + lane / lanes_across * WIDTH;
  if (row >= rows || column >= columns) return;
  Pack lines[squares][WIDTH];
#pragma unroll
  for (int s = 0; s < squares; ++s) {
#pragma unroll
    for (int i = 0; i < WIDTH; ++i) {
      if (s == 0 || row + s * apart < rows) {
        lines[s][i] = *reinterpret_cast<const Pack*>(in + size_t(row + s * apart + i) * columns + column);
      }
    }
  }
#pragma unroll
  for (int s = 0; s < squares; ++s) {
    if (s > 0 && row + s * apart >= rows) break;
#pragma unroll
    for (int j = 0; j < WIDTH; ++j) {
      Pack turned;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) turned.element[i] = lines[s][i].element[j];
      *reinterpret_cast<Pack*>(out + size_t(column + j) * rows + row + s * apart) = turned;
    }
  }
}
#else
constexpr int pitch = ACROSS + 1;
constexpr int each = RUN * ACROSS / THREADS;  // elements of a thread

template <bool whole>
__device__ inline void move_elements(REAL* tile, const REAL* __restrict__ in, REAL* __restrict__ out, int rows,
                                     int columns) {
  const int first_row = blockIdx.x * RUN;
  const int first_column = blockIdx.y * ACROSS;
  const int rows_left = rows - first_row;
  const int columns_left = columns - first_column;
  {
    constexpr int step = THREADS / ACROSS;
    const int x = threadIdx.x % ACROSS;
    const int y = threadIdx.x / ACROSS;
    const REAL* from = in + size_t(first_row + y) * columns + first_column + x;
    REAL held[each];  // all on their way before the first is put down
#pragma unroll
    for (int e = 0; e < each; ++e) {
      if (whole || (x < columns_left && y + e * step < rows_left)) held[e] = from[size_t(e * step) * columns];
    }
#pragma unroll
    for (int e = 0; e < each; ++e) tile[(y + e * step) * pitch + x] = held[e];
  }
  __syncthreads();
  constexpr int step = THREADS / RUN;
  const int x = threadIdx.x % RUN;
  const int y = threadIdx.x / RUN;
  REAL* to = out + size_t(first_column + y) * rows + first_row + x;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    if (whole || (x < rows_left && y + e * step < columns_left)) to[size_t(e * step) * rows] = tile[x * pitch + y + e * step];
  }
}
#endif
