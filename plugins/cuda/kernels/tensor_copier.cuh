// How the slabs of matmul_tensor.cu come into shared memory.
#pragma once

#include "tensor_shape.cuh"

/// What is copied at once, and where to.
struct Piece {
  unsigned to;
  const Element* from;
  bool there;
};

/// Nothing if it is not there.
template <int bytes>
__device__ inline void copy_piece(const Piece& piece) {
  if constexpr (bytes == 16) {
    asm volatile(
        "{.reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.cg.shared.global [%0], [%1], 16;}" ::"r"(
            piece.to),
        "l"(piece.from), "r"(unsigned(piece.there))
        : "memory");
  } else {
    asm volatile(
        "{.reg .pred there; setp.ne.u32 there, %2, 0; @there cp.async.ca.shared.global [%0], [%1], %3;}" ::"r"(
            piece.to),
        "l"(piece.from), "r"(unsigned(piece.there)), "n"(bytes)
        : "memory");
  }
}

/// Zeros if it is not there.
template <int bytes>
__device__ inline void copy_or_clear(const Piece& piece) {
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(piece.to), "l"(piece.from),
                 "r"(piece.there ? bytes : 0)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(piece.to), "l"(piece.from), "n"(bytes),
                 "r"(piece.there ? bytes : 0)
                 : "memory");
  }
}

/// Pieces number `first` to `last`, where `piece_of` says, each followed by `advance`. cp.async takes no 2 bytes: they
/// pass through registers, several at a time. Loops over many small pieces stay loops: their addresses would not fit.
template <int bytes, bool whole, typename PieceOf, typename Advance>
__device__ inline void copy_pieces(int first, int last, PieceOf piece_of, Advance advance) {
  const auto copy_one = [&](int c) {
    if constexpr (whole) {
      copy_piece<bytes>(piece_of(c));
    } else {
      copy_or_clear<bytes>(piece_of(c));
    }
    advance(c);
  };
  if constexpr (TF32 || bytes > 4) {
#pragma unroll
    for (int c = first; c < last; ++c) copy_one(c);
  } else if constexpr (bytes == 4) {
#pragma unroll 8
    for (int c = first; c < last; ++c) copy_one(c);
  } else {
    constexpr int batch = 8;
#pragma unroll 1
    for (int c = first; c < last; c += batch) {
      unsigned to[batch];
      unsigned short held[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (c + q >= last) break;
        const Piece piece = piece_of(c + q);
        to[q] = piece.to;
        held[q] = piece.there ? __ldg(reinterpret_cast<const unsigned short*>(piece.from)) : 0;
        advance(c + q);
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        if (c + q < last) asm volatile("st.shared.u16 [%0], %1;" ::"r"(to[q]), "h"(held[q]) : "memory");
      }
    }
  }
}

/// How a block shares the copying of a tile: a thread takes pieces of the same columns, `rows` rows apart, or several
/// parts of each row.
template <int tile_rows, int tile_columns, int bytes>
struct Share {
  static constexpr int width = bytes / size;
  static constexpr int pieces = tile_columns / width;  // of a row
  static constexpr int parts = pieces > threads ? pieces / threads : 1;
  static constexpr int rows = pieces > threads ? 1 : threads / pieces;
  static constexpr int copies = tile_rows / rows * parts;
  static_assert(tile_rows % rows == 0);
  static __device__ int row(int thread) { return pieces > threads ? 0 : thread / pieces; }
  static __device__ int column(int thread) { return thread % pieces * width; }
  // Position of a copy, counted from the thread's first one.
  static constexpr int row_of(int copy) { return copy / parts * rows; }
  static constexpr int column_of(int copy) { return copy % parts * threads * width; }
  static constexpr bool ends_row(int copy) { return copy % parts == parts - 1; }
};
using ShareA = Share<TILE_M, depth, A_BYTES>;
using ShareB = Share<depth, TILE_N, B_BYTES>;
constexpr int copies = ShareA::copies + ShareB::copies;

/// Copies slabs of A and B, one after the other.
struct Copier {
  int thread;        // this one
  const Element* a;  // of the thread's next copy
  const Element* b;
  int n;
  int k;
  int rows_left;     // of A, from the thread's first on
  int columns_left;  // of B

  __device__ Copier(const Element* A, const Element* B, int n_, int k_, int rows, int columns)
      : thread(this_thread()),
        a(A + size_t(ShareA::row(thread)) * k_ + ShareA::column(thread)),
        b(B + size_t(ShareB::row(thread)) * n_ + ShareB::column(thread)),
        n(n_),
        k(k_),
        rows_left(rows - ShareA::row(thread)),
        columns_left(columns - ShareB::column(thread)) {}

  /// Part `part` of `parts` of a slab all steps of which exist, if it is `wanted`; else only goes on.
  __device__ void copy(unsigned stage, int part, int parts, bool wanted) {
    const int first = copies * part / parts;
    const int last = copies * (part + 1) / parts;
    copy_a<true>(stage, min(first, ShareA::copies), min(last, ShareA::copies), wanted, depth, nullptr);
    copy_b<true>(stage, max(first - ShareA::copies, 0), max(last - ShareA::copies, 0), wanted, depth, nullptr);
    if (part == parts - 1) a = further<-TILE_M>(a, k) + depth;
  }

  /// The last slab, of which `steps_left` steps exist; `any_a` and `any_b` are elements that do.
  __device__ void copy_last(unsigned stage, int steps_left, const Element* any_a, const Element* any_b) {
    copy_a<false>(stage, 0, ShareA::copies, true, steps_left, any_a);
    copy_b<false>(stage, 0, ShareB::copies, true, steps_left, any_b);
    a = further<-TILE_M>(a, k) + depth;
  }

 private:
  template <bool whole>
  __device__ void copy_a(unsigned stage, int first, int last, bool wanted, int steps_left, const Element* any) {
    const auto piece_of = [&](int c) {
      const int column = ShareA::column(thread) + ShareA::column_of(c);
      const unsigned to = stage + a_place(ShareA::row(thread) + ShareA::row_of(c), column * size);
      const Element* from = a + ShareA::column_of(c);
      const bool there = ShareA::row_of(c) < (wanted ? rows_left : 0);
      if (whole) return Piece{to, from, there};
      const bool inside = there && column < steps_left;
      return Piece{to, inside ? from : any, inside};
    };
    copy_pieces<A_BYTES, whole>(first, last, piece_of, [&](int c) {
      if (ShareA::ends_row(c)) a = further<ShareA::rows>(a, k);
    });
  }
  template <bool whole>
  __device__ void copy_b(unsigned stage, int first, int last, bool wanted, int steps_left, const Element* any) {
    const auto piece_of = [&](int c) {
      const int row = ShareB::row(thread) + ShareB::row_of(c);
      const unsigned to = stage + a_bytes + b_place(row, (ShareB::column(thread) + ShareB::column_of(c)) * size);
      const Element* from = b + ShareB::column_of(c);
      const bool there = ShareB::column_of(c) < (wanted ? columns_left : 0);
      if (whole) return Piece{to, from, there};
      const bool inside = there && row < steps_left;
      return Piece{to, inside ? from : any, inside};
    };
    copy_pieces<B_BYTES, whole>(first, last, piece_of, [&](int c) {
      if (ShareB::ends_row(c)) b = further<ShareB::rows>(b, n);
    });
  }
};
