// Tiles of a product shared out evenly among more blocks than there are tiles, gridDim.x of them, that all run at once: laid
// end to end, slab after slab of k, they are cut into as many pieces as there are blocks. A tile has any number of parts, a
// block parts of one tile or of two.
#pragma once

#include "even_shares.cuh"

/// The first slab of block number `block`, of all tiles' `all`.
__device__ inline size_t first_slab(size_t all, unsigned block) { return all * block / gridDim.x; }

/// The block that has slab number `slab` of all.
__device__ inline unsigned block_of(size_t all, size_t slab) {
  return unsigned(((slab + 1) * gridDim.x - 1) / all);
}

/// Turn number `turn` of block number blockIdx.x. False when it has had its last.
__device__ inline bool part_of_many(PartOfTile& part, unsigned turn, unsigned tiles, unsigned slabs) {
  const size_t all = size_t{tiles} * slabs;
  const size_t begin = first_slab(all, blockIdx.x);
  const size_t end = first_slab(all, blockIdx.x + 1);
  part.tile = unsigned(begin / slabs) + turn;
  const size_t origin = size_t{part.tile} * slabs;
  if (origin >= end) return false;
  part.begin = begin > origin ? unsigned(begin - origin) : 0;
  part.end = unsigned(min(end - origin, size_t{slabs}));
  part.shared = part.end - part.begin < slabs;
  part.boundary = 2 * blockIdx.x + turn;
  return true;
}
