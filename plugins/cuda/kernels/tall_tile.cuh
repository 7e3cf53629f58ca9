// How transpose_swizzled.cu moves a matrix of few columns, the other way round from flat_tile.cuh: what a block reads is one
// run of in, in packs from beginning to end, since its rows lie one after the other. Each row of out then gets an element
// per thread, wherever it begins. Shared memory holds the run as in does, with an element of padding after a row where their
// number of elements is even, so that 32 threads that read their rows meet all 32 banks.
//
// ACROSS is the number of columns, RUN = THREADS a multiple of a sector's elements.
#pragma once

constexpr int pitch = ACROSS % 2 == 0 ? ACROSS + 1 : ACROSS;
constexpr int turns = (RUN * ACROSS + THREADS * WIDTH - 1) / (THREADS * WIDTH);  // packs of a thread

/// Where element `number` of the run lies.
__device__ inline int place(int number) { return pitch == ACROSS ? number : number + number / ACROSS; }

__device__ inline void read_run(REAL* tile, const REAL* __restrict__ from, int count) {
  Pack held[turns];  // all on their way before the first is put down
#pragma unroll
  for (int turn = 0; turn < turns; ++turn) {
    const int number = (turn * THREADS + threadIdx.x) * WIDTH;
    if (number + WIDTH <= count) {
      held[turn] = *reinterpret_cast<const Pack*>(from + number);
    } else {  // where in ends within a pack
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) {
        if (number + i < count) held[turn].element[i] = from[number + i];
      }
    }
  }
#pragma unroll
  for (int turn = 0; turn < turns; ++turn) {
    const int number = (turn * THREADS + threadIdx.x) * WIDTH;
    if (RUN * ACROSS % (THREADS * WIDTH) != 0 && number >= RUN * ACROSS) break;
    if (pitch == ACROSS) {
      *reinterpret_cast<Pack*>(tile + number) = held[turn];
    } else {
#pragma unroll
      for (int i = 0; i < WIDTH; ++i) tile[place(number + i)] = held[turn].element[i];
    }
  }
}

/// A row of the tile per thread.
__device__ inline void write_columns(const REAL* row, REAL* __restrict__ to, int rows) {
#pragma unroll
  for (int column = 0; column < ACROSS; ++column) to[size_t(column) * rows] = row[column];
}
