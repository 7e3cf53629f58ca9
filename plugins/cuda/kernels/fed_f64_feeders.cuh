// Who brings the slabs of matmul_tensor_f64_fed.cu into shared memory, into swizzled rows of 128 bytes: the piece of 16 bytes
// number i of row r is at place i ^ r % 8.
#pragma once

#include "fed_f64_shape.cuh"
#include "tile_copy.cuh"

#if COPY_ENGINE
/// One thread feeds the copy engine, which wants rows that begin at multiples of 16 bytes.
class Feeder {
 public:
  static constexpr int arrivals = 1;  // at the barrier of a stage
  using OfA = const TensorMap&;
  using OfB = const TensorMap&;

  __device__ Feeder(OfA a, OfB b, int row, int column, int /*m*/, int /*n*/, int /*k*/, int first)
      : a_(a), b_(b), row_(row), column_(column), step_(first * DEPTH) {}
  static __device__ bool takes_part() { return threadIdx.x == multipliers; }

  /// The next slab.
  __device__ void copy(unsigned stage, unsigned barrier) {
    barrier_expect(barrier, stage_bytes);
#pragma unroll
    for (int i = 0; i < a_boxes; ++i) copy_rectangle(stage + i * a_box_bytes, a_, step_ + i * box_columns, row_, barrier);
#pragma unroll
    for (int i = 0; i < b_boxes; ++i) {
      copy_rectangle(stage + a_bytes + i * b_box_bytes, b_, column_ + i * box_columns, step_, barrier);
    }
    step_ += DEPTH;
  }

 private:
  const TensorMap& a_;
  const TensorMap& b_;
  int row_;
  int column_;
  int step_;
};
#else
/// A double, or zero.
__device__ inline void copy_double(unsigned to, const double* from, bool there) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(there ? 8 : 0) : "memory");
}
/// This thread arrives when what it has copied is there.
__device__ inline void arrive_when_copied(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

/// FEEDERS warps copy double by double, neighbouring lanes neighbouring columns: for rows that begin anywhere. The first
/// slab of k is the one that may not be full, since what is behind k would have to be left out.
class Feeder {
 public:
  static constexpr int arrivals = feeders;
  using OfA = const double*;
  using OfB = const double*;

  __device__ Feeder(OfA a, OfB b, int row, int column, int m, int n, int k, int first)
      : k_(k),
        n_(n),
        depth_(first == 0 ? (k - 1) % DEPTH + 1 : DEPTH),
        rows_left_(m - row - a_row()),
        columns_left_(n - column - lane()),
        a_(a + size_t(row + a_row()) * k + a_column()),
        b_(b + size_t(warp()) * n + column + lane()),
        to_a_(a_column() / box_columns * a_box_bytes + place(a_row(), a_column())),
        to_b_(a_bytes + lane() / box_columns * b_box_bytes + place(warp(), lane())) {
    if (SPLITS > 1 && first > 0) {
      const int before = (first - 1) * DEPTH + (k - 1) % DEPTH + 1;
      a_ += before;
      b_ += size_t(before) * n;
    }
  }
  static __device__ bool takes_part() { return true; }

  __device__ void copy(unsigned stage, unsigned barrier) {
#pragma unroll
    for (int columns = 0; columns < DEPTH; columns += a_columns) {
#pragma unroll
      for (int rows = 0; rows < TILE_M; rows += a_rows) {
        const bool there = rows < rows_left_ && columns + a_column() < depth_;
        copy_double(((stage + to_a_) ^ (rows % 8 * 16)) + rows * row_bytes + columns / box_columns * a_box_bytes,
                    there ? a_ + size_t(rows) * k_ + columns : a_, there);
      }
    }
#pragma unroll
    for (int columns = 0; columns < TILE_N; columns += 32) {
#pragma unroll
      for (int rows = 0; rows < DEPTH; rows += FEEDERS) {
        const bool there = rows + warp() < depth_ && columns < columns_left_;
        copy_double(((stage + to_b_) ^ (rows % 8 * 16)) + rows * row_bytes + columns / box_columns * b_box_bytes,
                    there ? b_ + size_t(rows) * n_ + columns : b_, there);
      }
    }
    arrive_when_copied(barrier);
    a_ += depth_;
    b_ += size_t(depth_) * n_;
    depth_ = DEPTH;
  }

 private:
  static constexpr int a_columns = DEPTH % 32 == 0 ? 32 : box_columns;  // that a warp copies of a row of A
  static constexpr int a_rows = feeders / a_columns;
  static_assert(FEEDERS % 4 == 0 && TILE_M % a_rows == 0 && DEPTH % FEEDERS == 0 && TILE_N % 32 == 0);

  static __device__ int number() { return int(threadIdx.x) - multipliers; }
  static __device__ int warp() { return number() / 32; }
  static __device__ int lane() { return number() % 32; }
  static __device__ int a_row() { return number() / a_columns; }
  static __device__ int a_column() { return number() % a_columns; }
  static __device__ unsigned place(int row, int column) {
    return row * row_bytes + ((column % box_columns / 2) ^ (row % 8)) * 16 + column % 2 * 8;
  }

  int k_;
  int n_;
  int depth_;  // of the next slab
  int rows_left_;
  int columns_left_;
  const double* a_;  // the thread's first double of the next slab
  const double* b_;
  unsigned to_a_;
  unsigned to_b_;
};
#endif
