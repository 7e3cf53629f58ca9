// Tiles of a product shared out evenly among more blocks than there are tiles, gridDim.x of them, at most two for each, that
// all run at once: 120 tiles would leave a tenth of 132 multiprocessors without work. For each block that there is more, a
// chain of tiles is laid end to end, slab after slab of k, and cut into one piece more than it has tiles. So every tile has
// two parts, whose sum is the same in either order, and every block has parts of two tiles, or of one.
#pragma once

#include "even_shares.cuh"

/// Turn number `turn` of block number blockIdx.x. False when it has had its last.
__device__ inline bool part_of_chain(PartOfTile& part, unsigned turn, unsigned tiles, unsigned slabs) {
  unsigned blocks = gridDim.x;
  asm volatile("" : "+r"(blocks));  // computed anew in each turn, for want of registers
  const unsigned chains = blocks - tiles;
  const unsigned most = tiles / chains + 1;  // tiles of the longer chains, which come first
  const unsigned longer = tiles % chains;
  const bool in_longer = blockIdx.x < longer * (most + 1);
  const unsigned length = in_longer ? most : most - 1;
  const unsigned block = in_longer ? blockIdx.x : blockIdx.x - longer * (most + 1);
  const unsigned piece = block % (length + 1);
  const size_t all = size_t{length} * slabs;
  const size_t begin = all * piece / (length + 1);
  const size_t end = all * (piece + 1) / (length + 1);
  const unsigned in_chain = unsigned(begin / slabs) + turn;
  const size_t origin = size_t{in_chain} * slabs;
  if (origin >= end) return false;
  part.tile = (in_longer ? 0 : longer * most) + block / (length + 1) * length + in_chain;
  part.begin = begin > origin ? unsigned(begin - origin) : 0;
  part.end = unsigned(min(end - origin, size_t{slabs}));
  part.shared = part.end - part.begin < slabs;
  part.boundary = part.begin > 0 ? blockIdx.x - 1 : blockIdx.x;
  return true;
}
