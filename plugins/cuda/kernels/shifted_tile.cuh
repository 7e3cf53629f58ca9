// How transpose_swizzled.cu moves a tile where rows begin anywhere, in packs on both sides nevertheless.
//
// A sector of 32 bytes that two blocks write a part of each costs both a write, and where a cache gives it up in between,
// a read. So what a block writes of a row of out, RUN elements, begins and ends where sectors do: a row of out that begins
// e elements into a sector has its tiles e elements earlier. For that a block needs up to BEFORE rows of in above its own,
// which its neighbour reads, too, from the second-level cache. Rows of in are copied as they lie, from the beginning of a
// sector on; that they lie shifted in shared memory, too, by a number that changes from row to row, is for those to know
// who collect packs down the columns.
//
// Shapes are RUN × ACROSS elements. BEFORE is a sector less one element, or 0 where rows is a multiple of a sector. THREADS
// is a multiple of 128.
#pragma once

constexpr int sector = 2 * WIDTH;      // elements
constexpr int lines = RUN + BEFORE;    // rows of in that a tile may need
constexpr int pitch = ACROSS + WIDTH;  // of a line in shared memory, its shift included
constexpr int slots = ((ACROSS + sector - 2) / sector + 1) * 2;  // packs in the sectors that a line touches

/// Where a line begins: lines that lie WIDTH apart, whose packs are collected side by side, differ by an odd number of
/// packs, so that eight threads always meet different banks.
__device__ inline int place_of(int line) { return line * pitch + line / WIDTH * WIDTH; }
constexpr int tile_packs = (lines * (pitch + 1) + WIDTH - 1) / WIDTH;

struct ShiftedTile {
  int top;  // row of in that is line 0; negative in the first tiles
  int first_column;
  int width;       // columns that there are
  unsigned start;  // element of in where line 0 begins, modulo 2^32

  __device__ ShiftedTile(int first_row, int column, int columns)
      : top(first_row - BEFORE),
        first_column(column),
        width(min(columns - column, ACROSS)),
        start(unsigned(top) * unsigned(columns) + unsigned(column)) {}

  /// How far from the beginning of a pack, or of a sector, a line begins.
  __device__ unsigned shift(int line, int columns, int unit) const {
    return (start + unsigned(line) * unsigned(columns)) % unit;
  }
};

/// Through the first-level cache, which joins the halves of a line that two requests want; the second level is asked for
/// whole lines, since a neighbour wants the rest of them.
__device__ inline void copy_pack(Pack* to, const REAL* from) {
  asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 16;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// Brings the packs that hold the lines, whole sectors to neighbouring threads.
__device__ inline void read_lines(const ShiftedTile& tile, Pack* shared, const REAL* __restrict__ in, int rows,
                                  int columns) {
  const long long total = static_cast<long long>(rows) * columns;
#pragma unroll
  for (int turn = 0; turn < (lines * slots + THREADS - 1) / THREADS; ++turn) {
    const int number = turn * THREADS + threadIdx.x;
    const int line = number / slots;
    const int row = tile.top + line;
    const int shift = int(tile.shift(line, columns, sector));
    const int pack = number % slots - shift / WIDTH;  // counted from the one that the line begins in
    if (line < lines && unsigned(row) < unsigned(rows) && pack >= 0 && pack * WIDTH < shift % WIDTH + tile.width) {
      const long long first =
          static_cast<long long>(row) * columns + (tile.first_column - shift % WIDTH + pack * WIDTH);
      Pack* to = shared + place_of(line) / WIDTH + pack;
      if (first + WIDTH <= total) {
        copy_pack(to, in + first);
      } else {  // where in ends within a pack
        for (int i = 0; first + i < total; ++i) to->element[i] = in[first + i];
      }
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

/// Writes the rows of out. A thread has the same packs of every `step`-th row, which all begin at the same place in a
/// sector, so that places are worked out once.
__device__ inline void write_runs(const ShiftedTile& tile, const Pack* shared, REAL* __restrict__ out, int rows,
                                  int columns) {
  constexpr int abreast = RUN / WIDTH < 16 ? RUN / WIDTH : 16;  // threads along a row
  constexpr int step = THREADS / abreast;
  static_assert(THREADS % abreast == 0 && step % sector == 0 && RUN % (abreast * WIDTH) == 0, "tiles fit blocks");
  const int column = threadIdx.x / abreast;
  const unsigned early = unsigned(tile.first_column + column) * unsigned(rows) % sector * (BEFORE != 0);
  const int line = BEFORE - int(early) + threadIdx.x % abreast * WIDTH;
  const REAL* from[WIDTH];
#pragma unroll
  for (int i = 0; i < WIDTH; ++i) {
    from[i] = reinterpret_cast<const REAL*>(shared) + place_of(line + i) + tile.shift(line + i, columns, WIDTH) + column;
  }
  const int row = tile.top + line;
  REAL* to = out + (static_cast<long long>(tile.first_column + column) * rows + row);
#pragma unroll
  for (int below = 0; below < ACROSS; below += step, to += static_cast<long long>(step) * rows) {
    if (column + below >= tile.width) break;
#pragma unroll
    for (int ahead = 0; ahead < RUN; ahead += abreast * WIDTH) {
      const int place = place_of(ahead) + below;
      if (row + ahead >= 0 && row + ahead + WIDTH <= rows) {
        Pack turned;
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) turned.element[i] = from[i][place];
        *reinterpret_cast<Pack*>(to + ahead) = turned;
      } else {  // where a row of out begins or ends within a pack
#pragma unroll
        for (int i = 0; i < WIDTH; ++i) {
          if (unsigned(row + ahead + i) < unsigned(rows)) to[ahead + i] = from[i][place];
        }
      }
    }
  }
}
