// How the slabs of matmul_register_tiled.cu come into shared memory.
#pragma once

#include "register_tiled_shape.cuh"

/// A few elements, of 4 or 8 bytes in all, or a pack, from global to shared memory.
template <int Count>
__device__ inline void copy_few(unsigned to, const REAL* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Count * int(sizeof(REAL))));
}
__device__ inline void copy_pack(unsigned to, const REAL* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

/// The same, or zeros from byte number `bytes` on.
template <int Count>
__device__ inline void copy_few(unsigned to, const REAL* from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Count * int(sizeof(REAL))),
               "r"(bytes));
}
__device__ inline void copy_pack(unsigned to, const REAL* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

/// The beginning of the pack that `from` is in.
__device__ inline const REAL* pack_of(const REAL* from) {
  return BEFORE == 0 ? from : reinterpret_cast<const REAL*>(reinterpret_cast<size_t>(from) & ~size_t{15});
}

/// `offset` elements further on, in one instruction; the compiler would take two.
__device__ inline const REAL* further(const REAL* from, unsigned offset) {
  const REAL* to;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(offset), "n"(int(sizeof(REAL))), "l"(from));
  return to;
}

/// What one thread copies of each slab.
struct Copier {
  const REAL* a[a_copies];  // of the last slab, and once that is copied, the first
  const REAL* b[b_parts];   // the pack, if one_place; else the element
  int n;
  const REAL* rest;  // the pack after the last of row number threadIdx.x, if that begins within a pack
  bool has_rest;
  unsigned a_to;   // in a stage, in bytes
  unsigned b_to;

  __device__ Copier(const REAL* A, const REAL* B, int rows, int columns, int k, int first_row, int first_column)
      : n(columns),
        rest(pack_of(B + size_t(threadIdx.x) * columns + first_column + TILE_N - 1)),
        has_rest(threadIdx.x < DEPTH && threadIdx.x * BEFORE % width != 0 && first_column + TILE_N - width < columns),
        a_to((a_step() * a_pitch + a_row()) * sizeof(REAL)),
        b_to((DEPTH * a_pitch + b_element()) * sizeof(REAL)) {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
      a[i] = A + size_t(min(first_row + a_row() + i * a_rows, rows - 1)) * k + a_step();
    }
#pragma unroll
    for (int part = 0; part < b_parts; ++part) {
      int column = first_column + b_column() + part * threads * b_width;
      if (!in_packs) {
        // Beyond the edge any other column will do, but not one for all: asynchronous copies from one place take turns.
        if (column >= n) column = min(int(threadIdx.x * b_width % 32), n - b_width);
      } else {
        column = min(column, n - (BEFORE == 0 ? width : 1));
      }
      b[part] = B + size_t(b_step()) * n + column;
      if (one_place) b[part] = pack_of(b[part]);
    }
  }

  /// The last slab, from where the pointers are, which then go `back` steps to the first; `depth` steps of it exist. It
  /// may hold the last row of B, which ends at `end`, before its last pack does; `B` is any pack of it.
  __device__ void copy_last(unsigned stage, int depth, int back, const REAL* B, const REAL* end) {
#pragma unroll
    for (int i = 0; i < a_copies; ++i) {
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) {
        const bool there = a_step() + q < depth;
        copy_few<1>(stage + a_to + a_place(i, q), there ? a[i] + q : a[i] - a_step(), there ? int(sizeof(REAL)) : 0);
      }
      a[i] -= back;
    }
#pragma unroll
    for (int part = 0; part < b_parts; ++part) {
      const REAL* from = b[part];
#pragma unroll
      for (int i = part; i < b_copies; i += b_parts) {
        const int step = b_step() + i / b_parts * b_rows;
        if (step >= DEPTH) break;
        const unsigned to = stage + b_to + b_place(i);
        const REAL* pack = pack_of(from);
        if (!in_packs) {
          copy_few<b_width>(to, step < depth ? pack : B, step < depth ? b_width * int(sizeof(REAL)) : 0);
        } else {
          copy_pack(to, step < depth ? pack : B, step < depth ? bytes_before(end, pack) : 0);
        }
        from += size_t(unsigned(b_rows)) * unsigned(n);
      }
      b[part] -= size_t(unsigned(back)) * unsigned(n);
    }
    if (has_rest) {
      const int bytes = int(threadIdx.x) < depth ? bytes_before(end, rest) : 0;
      copy_pack(stage + rest_to(), bytes > 0 ? rest : B, bytes);
    }
    rest -= size_t(unsigned(back)) * unsigned(n);
  }

  /// Portion number `portion` of the slab that begins with step `offset`, all of which exists.
  __device__ void copy(unsigned stage, int offset, int portion) const {
    if (portion == (PORTIONS > 1 ? 1 : 0) && has_rest) copy_pack(stage + rest_to(), rest + size_t(unsigned(offset)) * unsigned(n));
#pragma unroll
    for (int i = portion * a_copies / PORTIONS; i < (portion + 1) * a_copies / PORTIONS; ++i) {
      const REAL* from = further(a[i], unsigned(offset));
#pragma unroll
      for (int q = 0; q < DEPTH; q += run) copy_few<1>(stage + a_to + a_place(i, q), from + q);
    }
    if (b_rows > DEPTH && b_step() >= DEPTH) return;
    const int first = portion * b_copies / PORTIONS;
    const size_t down = size_t(unsigned(offset + first / b_parts * b_rows)) * unsigned(n);
    const REAL* from[b_parts];
#pragma unroll
    for (int part = 0; part < b_parts; ++part) from[part] = b[part] + down;
#pragma unroll
    for (int i = first; i < (portion + 1) * b_copies / PORTIONS; ++i) {
      const REAL* pack = one_place ? from[i % b_parts] : pack_of(from[i % b_parts]);
      if (!in_packs) {
        copy_few<b_width>(stage + b_to + b_place(i), pack);
      } else {
        copy_pack(stage + b_to + b_place(i), pack);
      }
      if (i % b_parts != b_parts - 1) continue;
#pragma unroll
      for (int part = 0; part < b_parts; ++part) from[part] = further(from[part], b_rows * unsigned(n));
    }
  }
  __device__ void copy(unsigned stage, int offset) const {
#pragma unroll
    for (int portion = 0; portion < PORTIONS; ++portion) copy(stage, offset, portion);
  }

 private:
  /// How many of a pack's 16 bytes lie before `end`.
  static __device__ int bytes_before(const REAL* end, const REAL* pack) {
    if (BEFORE == 0) return 16;
    const long long left = reinterpret_cast<const char*>(end) - reinterpret_cast<const char*>(pack);
    return left >= 16 ? 16 : left > 0 ? int(left) : 0;
  }
  static __device__ int a_step() { return int(threadIdx.x) % run; }
  static __device__ int a_row() { return int(threadIdx.x) / run; }
  static __device__ int b_step() { return int(threadIdx.x) * b_width / TILE_N; }
  static __device__ int b_column() { return int(threadIdx.x) * b_width % TILE_N; }
  /// The same as the sum of rows and columns where rows have no more than TILE_N elements, but one register less.
  static __device__ int b_element() {
    return BEFORE == 0 ? int(threadIdx.x) * b_width : b_step() * b_pitch + b_column();
  }
  static __device__ unsigned rest_to() {
    return (DEPTH * a_pitch + threadIdx.x * b_pitch + TILE_N) * sizeof(REAL);
  }
  static __device__ unsigned a_place(int i, int q) { return (q * a_pitch + i * a_rows) * sizeof(REAL); }
  static __device__ unsigned b_place(int i) {
    return (i / b_parts * b_rows * b_pitch + i % b_parts * threads * b_width) * sizeof(REAL);
  }
};
