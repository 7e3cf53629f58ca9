// What matmul_tensor.cu has in numbers, and where it lays elements in shared memory.
#pragma once

#include "mma_types.cuh"

constexpr int depth = DEPTH;
constexpr int warp_m = WARP_M;
constexpr int warp_n = WARP_N;
constexpr int warps_n = TILE_N / warp_n;
constexpr int threads = TILE_M / warp_m * warps_n * 32;
#if TF32
using Element = float;
constexpr int k_step = 8;  // of one instruction
#else
using Element = unsigned short;
constexpr int k_step = 16;
#endif
constexpr int size = int(sizeof(Element));
constexpr int rows_m = warp_m / 16;    // of instructions of a warp
constexpr int columns_n = warp_n / 8;  // of them
constexpr int steps = depth / k_step;
constexpr int steps_kept = 4;  // whose sums stay in the tensor cores, if TERMS is 3
constexpr unsigned a_row = depth * size;  // bytes of a row in shared memory
constexpr unsigned b_row = TILE_N * size;
constexpr unsigned c_row = warp_n * size;  // of a warp's tile
constexpr unsigned a_bytes = TILE_M * a_row;
constexpr unsigned stage_bytes = a_bytes + depth * b_row;
// Where copies are many and small, their addresses take the registers of a second set of fragments.
constexpr int sets = A_BYTES == 16 && B_BYTES == 16 ? 2 : 1;
static_assert(steps % 2 == 0 && WARP_M % 16 == 0 && (WARP_N == 32 || WARP_N == 64));

#ifndef SHIFTED
#define SHIFTED 0
#endif
#ifndef RESIDENT
#define RESIDENT 1  // blocks that a multiprocessor has registers for
#endif
#ifndef A_UNIT
#define A_UNIT 1
#endif
#ifndef B_UNIT
#define B_UNIT 1
#endif
/// From row to row in a matrix of `columns` whose rows begin at multiples of `unit` elements.
template <int unit>
__device__ inline int whole_rows(int columns) {
  return unit == 1 ? columns : (columns + unit - 1) / unit * unit;
}

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

/// Pieces of 16 bytes change places within 128 bytes by their row's number, so that eight rows' pieces of one column lie
/// in different banks.
__device__ inline unsigned swizzled(unsigned row, unsigned byte, unsigned row_bytes) {
  return row * row_bytes + (byte ^ (row_bytes == 64 ? row / 2 % 4 : row % 8) * 16);
}
/// Where byte number `byte` of a row of A or B lies in its slab.
__device__ inline unsigned a_place(unsigned row, unsigned byte) { return swizzled(row, byte, a_row); }
__device__ inline unsigned b_place(unsigned row, unsigned byte) {
  if (TF32) return row * b_row + (byte ^ row % 4 * 32);  // two neighbouring pieces of each of four rows are read at once
  return swizzled(row, byte, b_row);
}
/// The same in 16 rows of a warp's tile of C.
__device__ inline unsigned c_place(unsigned row, unsigned byte) {
  if (TF32) return row * c_row + (byte ^ row % 2 * 16);  // every other piece of two rows is written at once
  return swizzled(row, byte, c_row);
}

/// `rows` rows of `stride` elements further on, in one instruction.
template <int rows>
__device__ inline const Element* further(const Element* from, int stride) {
  const Element* to;
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(to) : "r"(stride), "n"(rows * size), "l"(from));
  return to;
}

/// The compiler does not know it to be the same for each tile: what follows from it would take registers from one to the
/// next.
__device__ inline unsigned this_thread() {
  unsigned thread = threadIdx.x;
  asm volatile("" : "+r"(thread));
  return thread;
}
