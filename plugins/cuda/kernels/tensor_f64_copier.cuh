// How the slabs of matmul_tensor_f64.cu come into shared memory.
#pragma once

#include "tensor_f64_shape.cuh"

/// Two doubles from global to shared memory, or zeros from byte number `bytes` on.
__device__ inline void copy_pair(unsigned to, const double* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

/// Bytes of a pair that begins in column `column` of `columns`.
__device__ inline int bytes_of_pair(int column, int columns) {
  return column + 1 < columns ? 16 : column < columns ? 8 : 0;
}

/// `rows` rows of `stride` doubles further on, in one instruction; the compiler would take several.
__device__ inline const double* further(const double* from, int stride, int rows) {
  const double* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(stride), "r"(rows * 8), "l"(from));
  return to;
}

/// What one thread copies of each slab, a pair at a time. Rows that begin one double early (odd numbers, if rows have an odd
/// length) end one pair later.
class Copier {
 public:
  /// For slabs from step `k_begin` of k on.
  __device__ Copier(const double* A, const double* B, int m, int n, int k, int first_row, int first_column,
                    size_t k_begin)
      : a_(A + size_t(first_row + a_row()) * k + k_begin + a_column()),
        b_(B + (k_begin + b_row()) * n + first_column + b_column(0)),
        k_(k),
        n_(n),
        rows_left_(m - first_row),
        columns_left_(n - first_column) {}

  /// The slab that begins `offset` steps further on, of which `depth` exist; nothing comes after it.
  __device__ void copy_last(unsigned stage, int offset, int depth) const {
    Copier last = *this;
    last.a_ += offset;
    last.b_ += size_t(offset) * n_;
#pragma unroll
    for (int number = 0; number < copies; ++number) last.copy_one<true>(stage, depth, number);
  }

  /// One of the thread's pairs of the next slab, which is not the last one.
  __device__ void copy(unsigned stage, int number) const { copy_one<false>(stage, DEPTH, number); }

  /// Once all are copied.
  __device__ void step() {
    a_ += DEPTH;
    b_ = further(b_, n_, DEPTH);
  }

  /// The next slab, which is not the last one.
  __device__ void copy(unsigned stage) {
#pragma unroll
    for (int number = 0; number < copies; ++number) copy(stage, number);
    step();
  }

 private:
  /// Pairs of A, then those of B, then what rows that begin early end with.
  template <bool is_last>
  __device__ void copy_one(unsigned stage, int depth, int number) const {
    if (number < a_copies) {
      copy_a<is_last>(stage, depth, number);
    } else if (number < a_copies + b_copies) {
      copy_b<is_last>(stage, depth, number - a_copies);
    } else if (number < a_copies + b_copies + a_ends) {
      copy_end_of_a<is_last>(stage, depth, number - a_copies - b_copies);
    } else {
      copy_end_of_b<is_last>(stage, depth);
    }
  }

  template <bool is_last>
  __device__ void copy_a(unsigned stage, int depth, int i) const {
    const int place = a_column() ^ turn_of(a_row(), a_modulo);
    const unsigned to = stage + (a_row() * a_pitch + place + i * a_rows * a_pitch) * 8;
    const int bytes = is_last ? bytes_of_pair(a_column(), depth) : 16;
    const bool there = i * a_rows + a_row() < rows_left_;
    if (a_rows <= TILE_M || a_row() < TILE_M) copy_pair(to, further(a_, k_, i * a_rows), there ? bytes : 0);
  }

  template <bool is_last>
  __device__ void copy_b(unsigned stage, int depth, int number) const {
    const int i = number / b_parts * b_rows;
    const int column = b_column(i) + number % b_parts * threads * 2;
    const int place = column ^ turn_of(b_row() + i, b_modulo);
    const unsigned to = stage + (TILE_M * a_pitch + (b_row() + i) * b_pitch + place) * 8;
    const int bytes = is_last ? bytes_of_pair(column, columns_left_) : column < columns_left_ ? 16 : 0;
    const bool there = !is_last || i + b_row() < depth;
    if (i + b_rows <= DEPTH || i + b_row() < DEPTH) {
      copy_pair(to, further(b_, n_, i) + (column - b_column(0)), there ? bytes : 0);
    }
  }

  template <bool is_last>
  __device__ void copy_end_of_a(unsigned stage, int depth, int i) const {
    const int row = i * threads + int(threadIdx.x);
    if (row % 2 == 0 || row >= TILE_M) return;
    const double* from = a_ + ptrdiff_t(row - a_row()) * k_ + (DEPTH - 1 - a_column());
    const int bytes = is_last ? bytes_of_pair(DEPTH - 1, depth) : 16;
    copy_pair(stage + (row * a_pitch + DEPTH - 1) * 8, from, row < rows_left_ ? bytes : 0);
  }

  template <bool is_last>
  __device__ void copy_end_of_b(unsigned stage, int depth) const {
    const int row = threadIdx.x;
    if (row % 2 == 0 || row >= DEPTH) return;
    const double* from = b_ + ptrdiff_t(row - b_row()) * n_ + (TILE_N - 1 - b_column(0));
    const bool there = (!is_last || row < depth) && TILE_N - 1 < columns_left_;
    const int bytes = is_last ? bytes_of_pair(TILE_N - 1, columns_left_) : 16;
    copy_pair(stage + (TILE_M * a_pitch + row * b_pitch + TILE_N - 1) * 8, from, there ? bytes : 0);
  }

  static __device__ int a_row() { return int(threadIdx.x) / a_pairs; }
  static __device__ int a_column() { return int(threadIdx.x) % a_pairs * 2 - (odd_k ? a_row() % 2 : 0); }
  static __device__ int b_row() { return b_pairs > threads ? 0 : int(threadIdx.x) / b_pairs; }
  /// In the row number `below`, a multiple of b_rows, from the thread's first one on.
  static __device__ int b_column(int below) {
    const bool early = odd_n && (b_rows % 2 == 0 ? b_row() : b_row() + below) % 2 != 0;
    return (b_pairs > threads ? int(threadIdx.x) : int(threadIdx.x) % b_pairs) * 2 - int(early);
  }

  const double* a_;  // the thread's first pair of the next slab
  const double* b_;
  int k_;
  int n_;
  int rows_left_;
  int columns_left_;
};
