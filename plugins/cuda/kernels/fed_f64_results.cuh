// Where the sums of matmul_tensor_f64_fed.cu go: through shared memory, where slices add them up, through `partial`, where
// blocks do that share a tile, and into C.
#pragma once

#include "count_up.cuh"
#include "fed_f64_operands.cuh"

constexpr int own_pairs = row_blocks * column_blocks * 2;  // of a thread's sums

__device__ inline double2 pair_of(const Sums& sums, int pair) {
  const double(&of)[4] = sums.at[pair / 2 / row_blocks][pair / 2 % row_blocks];
  return make_double2(of[pair % 2 * 2], of[pair % 2 * 2 + 1]);
}
__device__ inline void add_pair(Sums& sums, int pair, double2 other) {
  double(&of)[4] = sums.at[pair / 2 / row_blocks][pair / 2 % row_blocks];
  of[pair % 2 * 2] += other.x;
  of[pair % 2 * 2 + 1] += other.y;
}

/// A barrier of those who multiply.
__device__ inline void synchronize_multipliers() { asm volatile("bar.sync 1, %0;" ::"n"(multipliers) : "memory"); }

/// The slice that stores row block `i` once the sums are joined.
__device__ constexpr int slice_of_rows(int i) { return i * SLICES / row_blocks; }

/// Adds up the sums of two slices through `shared`, where nothing else is any more. Each has the row blocks that it stores.
__device__ inline void join_slices(Sums& sums, double2* shared, int slice) {
  constexpr int of_slice = multipliers / SLICES;
  double2* place = shared + threadIdx.x % of_slice;
  synchronize_multipliers();  // all have read their last operands
#pragma unroll
  for (int pair = 0; pair < own_pairs; ++pair) {
    if (slice_of_rows(pair / 2 % row_blocks) != slice) place[pair * of_slice] = pair_of(sums, pair);
  }
  synchronize_multipliers();
#pragma unroll
  for (int pair = 0; pair < own_pairs; ++pair) {
    if (slice_of_rows(pair / 2 % row_blocks) == slice) add_pair(sums, pair, place[pair * of_slice]);
  }
}

#if SPLITS > 1
/// Leaves the block's sums for the others. True in the last block of the tile, which gets the sums of all. Through `shared`,
/// where nothing else is any more, its threads learn which that is.
__device__ inline bool join_parts(Sums& sums, double2* partial, unsigned* finished, unsigned* shared, int slice) {
  constexpr int of_slice = multipliers / SLICES;
  constexpr size_t pairs = TILE_M * TILE_N / 2;
  double2* const first = partial + size_t{blockIdx.x} * SPLITS * pairs + threadIdx.x % of_slice;
#pragma unroll
  for (int pair = 0; pair < own_pairs; ++pair) {
    if (SLICES > 1 && slice_of_rows(pair / 2 % row_blocks) != slice) continue;
    first[blockIdx.y * pairs + pair * of_slice] = pair_of(sums, pair);
  }
  synchronize_multipliers();  // all of the block have written
  if (threadIdx.x == 0) {
    const bool is_last = count_up(finished + blockIdx.x) == SPLITS - 1;
    if (is_last) finished[blockIdx.x] = 0;
    *shared = unsigned(is_last);
  }
  synchronize_multipliers();
  if (*shared == 0) return false;
  sums = {};
#pragma unroll 1
  for (int split = 0; split < SPLITS; ++split) {
#pragma unroll
    for (int pair = 0; pair < own_pairs; ++pair) {
      if (SLICES > 1 && slice_of_rows(pair / 2 % row_blocks) != slice) continue;
      // Past the L1 cache, which may hold old values.
      add_pair(sums, pair, __ldcg(first + split * pairs + pair * of_slice));
    }
  }
  return true;
}
#endif

/// Two neighbouring elements of a row of C; where the copy engine is at work n is even.
__device__ inline void store_pair(double* C, int columns_left, double first, double second) {
  if (COPY_ENGINE) {
    if (columns_left > 0) *reinterpret_cast<double2*>(C) = make_double2(first, second);
  } else {
    if (columns_left > 0) C[0] = first;
    if (columns_left > 1) C[1] = second;
  }
}

/// Stores the warp's sums, as far as this slice has them; its part of C begins in row `row` and column `column`.
__device__ inline void store_sums(const Sums& sums, double* C, int row, int column, int slice, int m, int n) {
  static_assert(SLICES == 1 || row_blocks % SLICES == 0 || row_blocks > SLICES);
  row += int(threadIdx.x % 4);
  column += int(threadIdx.x % 32 / 4 * 2);
  double* first = C + size_t(row) * n + column;
#pragma unroll
  for (int i = 0; i < row_blocks; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int down = 8 * i + 4 * half;  // row_of_place of an odd place is 4 more
      if (row + down >= m || (SLICES > 1 && slice_of_rows(i) != slice)) continue;
#pragma unroll
      for (int j = 0; j < column_blocks; ++j) {
        const double(&of)[4] = sums.at[j][i];
        store_pair(first + size_t(down) * n + 16 * j, n - column - 16 * j, of[half], of[2 + half]);
      }
    }
  }
}
