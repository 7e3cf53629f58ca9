// Tiles of a product shared out evenly among blocks that all run at once, gridDim.x of them, no more than there are tiles.
// Where tiles are not a multiple of blocks, one block per tile would leave some of the multiprocessors idle at the end. Here
// the remainder and one whole turn, which are at least as many tiles as blocks, are laid end to end, slab after slab of k,
// and each block gets as long a piece of that; then it takes whole tiles in turns. No piece is shorter than a tile, so no
// tile has more than two parts, whose sum is the same in either order.
#pragma once

#include "count_up.cuh"

/// A part of a tile, in slabs of k.
struct PartOfTile {
  unsigned tile;
  unsigned begin;
  unsigned end;
  bool shared;        // another block has the rest
  unsigned boundary;  // if so: the number of the two blocks' boundary
};

/// Turn number `turn` of block number blockIdx.x. False when it has had its last.
__device__ inline bool part_of_turn(PartOfTile& part, unsigned turn, unsigned tiles, unsigned slabs) {
  unsigned blocks = gridDim.x;
  asm volatile("" : "+r"(blocks));  // computed anew in each turn, for want of registers
  const unsigned rest = tiles % blocks;
  const unsigned divided = rest == 0 ? 0 : rest + (tiles > blocks ? blocks : 0);
  const size_t length = size_t{divided} * slabs;
  const size_t begin = length * blockIdx.x / blocks;
  const size_t end = length * (blockIdx.x + 1) / blocks;
  const unsigned first = unsigned(begin / slabs);
  const unsigned pieces = unsigned((end + slabs - 1) / slabs) - first;
  if (divided == 0 || turn >= pieces) {
    part.tile = divided + (turn - (divided == 0 ? 0 : pieces)) * blocks + blockIdx.x;
    part.begin = 0;
    part.end = slabs;
    part.shared = false;
    return part.tile < tiles;
  }
  part.tile = first + turn;
  const size_t origin = size_t{part.tile} * slabs;
  part.begin = begin > origin ? unsigned(begin - origin) : 0;
  part.end = unsigned(min(end - origin, size_t{slabs}));
  part.shared = part.end - part.begin < slabs;
  part.boundary = part.begin > 0 ? blockIdx.x - 1 : blockIdx.x;
  return true;
}

/// The first of the two blocks that share a tile leaves its sums for the other. True in the second, for which they
/// lie there when this returns. `state` is zero before and after.
template <typename Leave>
__device__ inline bool comes_second(unsigned* state, const Leave& leave) {
  bool second = false;
  if (threadIdx.x == 0) second = count_up(state) != 0;
  if (!__syncthreads_or(second)) {
    leave();
    __syncthreads();  // all of the block have written
    if (threadIdx.x == 0) count_up(state);
    return false;
  }
  // The other block is running: it has come, and only has to write.
  if (threadIdx.x == 0) {
    unsigned count = 0;
    while (count != 3) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(state) : "memory");
    *state = 0;
  }
  __syncthreads();
  return true;
}
