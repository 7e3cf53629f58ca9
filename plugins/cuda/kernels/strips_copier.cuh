// How the slabs of matmul_strips.cu come into shared memory.
#pragma once

#include "strips_shape.cuh"

/// A float, or four, from global to shared memory, or zeros if `bytes` is 0.
template <int floats>
__device__ inline void copy_floats(unsigned to, const float* from, int bytes) {
  if (floats == 1) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes));
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
  }
}
template <int floats>
__device__ inline void copy_floats(unsigned to, const float* from) {
  if (floats == 1) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
  }
}

/// `rows` rows of `stride` floats further down, in one instruction.
template <unsigned rows>
__device__ inline const float* further_down(const float* from, unsigned stride) {
  const float* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(stride), "n"(rows * unsigned(sizeof(float))), "l"(from));
  return to;
}

// Who copies what: threads stand side by side along rows, and take every so-manieth row.
constexpr int a_across = DEPTH / 4;  // threads along a row
constexpr int a_rows = threads / a_across;
constexpr int a_copies = tile_m / a_rows;
constexpr int b_floats = PACKED ? 4 : 1;  // of a copy
constexpr int b_across = tile_n / b_floats;
constexpr int b_down = threads / b_across;  // rows copied at a time
constexpr int b_copies = (b_rows + b_down - 1) / b_down;
constexpr int b_unroll = b_copies > 8 ? 2 : b_copies;  // all addresses at once would leave no registers
static_assert(threads % a_across == 0 && tile_m % a_rows == 0 && a_rows % 4 == 0);

/// What one thread copies of each slab.
class Copier {
 public:
  __device__ Copier(const float* A, const float* B, int first_row, int first_column, int rows, int columns, int steps)
      : n(unsigned(columns)), k(unsigned(steps)) {
    const int row = threadIdx.x / a_across;
    a_step = threadIdx.x % a_across * 4 - shift_of_row(row, steps);
    a_left = rows - first_row - row;
    a = A + size_t(first_row + row) * k + a_step;
    a_to = (row * a_pitch + threadIdx.x % a_across * 4) * 4;
    const int column = threadIdx.x % b_across * b_floats;
    b_step = int(threadIdx.x) / b_across - before;
    has_b = first_column + column < columns && (threads % b_across == 0 || int(threadIdx.x) < b_down * b_across);
    b = B + first_column + column + (long long)(b_step) * (long long)(n);
    b_to = (a_floats + int(threadIdx.x) / b_across * b_pitch + column) * 4;
  }

  /// From now on slabs are copied from number `slab` on.
  __device__ void go_to(int slab) {
    const size_t steps = size_t(unsigned(slab)) * DEPTH;
    a_next = a + steps;
    b_next = b + steps * n;
  }

  /// Slab number `slab`, which may begin before the first step, or end after the last. It begins, in a row of A, with the 16
  /// bytes that its first step lies in, and of B as much earlier as that may be. What does not exist is zero.
  __device__ void copy_edge(unsigned stage, int slab) {
    go_to(slab);
    const int first = slab * DEPTH;
    const float* begin = a - threadIdx.x % a_across * 4;  // exists, as `top` does
    const float* top = b - (long long)(b_step) * (long long)(n);
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
      if (i * a_rows >= a_left) continue;
      const int left = int(k) - first - a_step;
      const float* from = left > 0 ? a_next + size_t(unsigned(i * a_rows)) * k : begin;
      const unsigned to = stage + a_to + i * a_rows * a_pitch * 4;
      if (SHIFTED && left > 0 && left < 4) {
        for (int j = 0; j < 4; ++j) copy_floats<1>(to + j * 4, j < left ? from + j : from, j < left ? 4 : 0);
      } else {
        copy_floats<4>(to, from, left > 0 ? 16 : 0);
      }
    }
#pragma unroll(b_unroll)
    for (int i = 0; i < b_copies; ++i) {
      const int step = first + b_step + i * b_down;
      if (!has_b || (b_rows % b_down != 0 && b_step + before + i * b_down >= b_rows)) continue;
      const bool there = step >= 0 && step < int(k);
      const float* from = there ? b_next + size_t(unsigned(i * b_down)) * n : top;
      copy_floats<b_floats>(stage + b_to + i * b_down * b_pitch * 4, from, there ? b_floats * 4 : 0);
    }
    a_next += DEPTH;
    b_next += size_t{DEPTH} * n;
  }

  /// Portion number `portion` of the next slab, which exists as a whole.
  template <int portion, int portions>
  __device__ void copy_portion(unsigned stage) {
    copy_a<portion * a_copies / portions, (portion + 1) * a_copies / portions>(stage);
    if (has_b) copy_b<portion * b_copies / portions, (portion + 1) * b_copies / portions>(stage);
    if (portion < portions - 1) return;
    a_next += DEPTH;
    b_next += size_t{DEPTH} * n;
  }

  /// What the first slab has of A before its rows begin: the ends of other rows, which may be NaN.
  __device__ void clear_before(float* stages) const {
    for (int row = threadIdx.x; row < tile_m; row += threads) {
      const int shift = shift_of_row(row, int(k));
      for (int step = 0; step < shift; ++step) stages[row * a_pitch + step] = 0;
    }
  }

 private:
  template <int i, int end>
  __device__ void copy_a(unsigned stage) const {
    if constexpr (i < end) {
      if (i * a_rows < a_left) {
        copy_floats<4>(stage + a_to + i * a_rows * a_pitch * 4, further_down<i * a_rows>(a_next, k));
      }
      copy_a<i + 1, end>(stage);
    }
  }
  template <int i, int end>
  __device__ void copy_b(unsigned stage) const {
    if constexpr (i < end) {
      if (b_rows % b_down == 0 || i < b_copies - 1 || b_step + before + i * b_down < b_rows) {
        copy_floats<b_floats>(stage + b_to + i * b_down * b_pitch * 4, further_down<i * b_down>(b_next, n));
      }
      copy_b<i + 1, end>(stage);
    }
  }

  const float* a;  // of slab 0
  const float* b;
  const float* a_next;
  const float* b_next;
  unsigned n;
  unsigned k;
  int a_step;  // of slab 0
  int b_step;
  int a_left;  // rows of A from this thread's first on
  bool has_b;
  unsigned a_to;  // in a stage, in bytes
  unsigned b_to;
};
