// How transpose_swizzled.cu moves a matrix of few rows: a block takes a column per thread. What it writes is one run of
// out, in packs from beginning to end, wherever rows of in begin. Shared memory holds the run as out does, a column of in
// after the other, with an element of padding where their number of elements is even, so that 32 threads that write
// their columns meet all 32 banks.
//
// RUN is the number of rows, ACROSS = THREADS a multiple of a sector's elements.
#pragma once

constexpr int pitch = RUN % 2 == 0 ? RUN + 1 : RUN;

__device__ inline void read_columns(REAL* tile, const REAL* __restrict__ from, int columns, int columns_left) {
  REAL held[RUN];  // all on their way before the first is put down
#pragma unroll
  for (int row = 0; row < RUN; ++row) {
    if (int(threadIdx.x) < columns_left) held[row] = from[size_t(row) * columns];
  }
#pragma unroll
  for (int row = 0; row < RUN; ++row) tile[threadIdx.x * pitch + row] = held[row];
}

/// Where element `number` of the run lies.
__device__ inline int place(int number) { return pitch == RUN ? number : number + number / RUN; }

__device__ inline void write_run(const REAL* tile, REAL* __restrict__ to, int count) {
#pragma unroll
  for (int first = 0; first < RUN * ACROSS; first += THREADS * WIDTH) {
    const int number = first + threadIdx.x * WIDTH;
    if (number + WIDTH <= count) {
      Pack together;
      if (pitch == RUN) {
        together = *reinterpret_cast<const Pack*>(tile + number);
      } else {
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) together.element[i] = tile[place(number + i)];
      }
      *reinterpret_cast<Pack*>(to + number) = together;
    } else {  // where out ends within a pack
      for (int i = number; i < count; ++i) to[i] = tile[place(i)];
    }
  }
}
