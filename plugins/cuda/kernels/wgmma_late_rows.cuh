// How C leaves while the next tile is multiplied. All multiprocessors end their tiles at about the same time, and together
// they write some 11 bytes per cycle each, during which the tensor cores idle; so the last LATE rows of a warpgroup's part
// of a tile stay in shared memory, and go out a few at a time while wgmma runs.
#pragma once

#include "wgmma_pipeline.cuh"

/// `Rows` knows how a warpgroup's sums become rows in shared memory: `put` writes rows `first` to before `end` of the
/// tile there, `write` some of them (`at_a_time`, step by step) to C. `memory` has room for `late` rows.
template <typename Rows, int tile_rows, int late>
struct LateRows {
  static constexpr int steps = (late + Rows::at_a_time - 1) / Rows::at_a_time;

  Rows rows;
  unsigned memory;
  int group;         // this warpgroup among those that multiply
  int column;        // its first one of the tile
  int next = steps;  // step to be written
  int first_row = 0;
  int first_column = 0;

  /// The next few rows, if any are left.
  template <typename T>
  __device__ void write_some(T* C, int m, int n) {
    if (next < steps) rows.write(memory, next++, late, C, first_row, first_column, m, n);
  }

  template <typename T>
  __device__ void write_rest(T* C, int m, int n) {
    while (next < steps) write_some(C, m, n);
  }

  /// A tile has been multiplied. What there is no room for goes out at once.
  template <typename T, int sums>
  __device__ void take(const float (&d)[sums], T* C, Corner at, int m, int n) {
    constexpr int at_once = late < 64 ? late : 64;
    write_rest(C, m, n);
    synchronize_groups(1 + group, 128);  // all have read what is overwritten now
    first_row = at.row;
    first_column = at.column + column;
#pragma unroll
    for (int first = 0; first < tile_rows - late; first += at_once) {
      const int end = first + at_once < tile_rows - late ? first + at_once : tile_rows - late;
      rows.put(d, memory, first, end);
      synchronize_groups(1 + group, 128);
#pragma unroll
      for (int step = 0; step * Rows::at_a_time < end - first; ++step) {
        rows.write(memory, step, end - first, C, first_row, first_column, m, n);
      }
      synchronize_groups(1 + group, 128);
      first_row += end - first;
    }
    rows.put(d, memory, tile_rows - late, tile_rows);
    synchronize_groups(1 + group, 128);
    next = 0;
  }
};
