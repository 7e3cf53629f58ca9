// How tiles are shared out evenly among blocks, whatever language says it: each slab once, the same amount
// of work for all, and at most two parts of a tile unless there are more blocks than tiles.
#pragma once

#include "support/catch.hpp"

#include <cstddef>

namespace benchctl::test {

/// `parts_of_block(block, blocks, tiles, slabs)` gives a block's parts in the order of its turns, each with
/// tile, begin, end, shared and boundary. Blocks get equally many slabs but for `difference`.
template <class PartsOfBlock>
void check_shares(unsigned tiles, unsigned blocks, unsigned slabs, const PartsOfBlock& parts_of_block,
                  std::size_t difference = 1) {
  INFO(tiles << " tiles of " << slabs << " slabs for " << blocks << " blocks");
  std::vector<std::vector<unsigned>> covered(tiles, std::vector<unsigned>(slabs));
  std::map<unsigned, std::vector<unsigned>> tiles_of_boundary;
  std::size_t least = std::size_t{tiles} * slabs;
  std::size_t most = 0;
  for (unsigned block = 0; block < blocks; ++block) {
    std::size_t work = 0;
    for (const auto& part : parts_of_block(block, blocks, tiles, slabs)) {
      REQUIRE(part.tile < tiles);
      REQUIRE(part.begin < part.end);
      REQUIRE(part.end <= slabs);
      for (unsigned slab = part.begin; slab < part.end; ++slab) ++covered[part.tile][slab];
      CHECK(part.shared == (part.end - part.begin < slabs));
      if (part.shared) tiles_of_boundary[part.boundary].push_back(part.tile);
      work += part.end - part.begin;
    }
    least = std::min(least, work);
    most = std::max(most, work);
  }
  CHECK(most - least <= difference);
  for (const std::vector<unsigned>& times : covered) {
    CHECK(std::ranges::all_of(times, [](unsigned n) { return n == 1; }));
  }
  // A tile has one part or two, whose blocks name the same boundary, which no other tile has.
  for (const auto& [boundary, both] : tiles_of_boundary) {
    CHECK(boundary + 1 < blocks);
    REQUIRE(both.size() == 2);
    CHECK(both[0] == both[1]);
  }
}

template <class PartsOfBlock>
void check_all_shares(const PartsOfBlock& parts_of_block) {
  for (const unsigned blocks : {1, 2, 5, 132, 264}) {
    for (const unsigned more : {0, 1, 3, 131, 396, 1916}) {
      for (const unsigned slabs : {1, 2, 17, 256})
        check_shares(blocks + more, blocks, slabs, parts_of_block);
    }
  }
}

/// Tiles in any number of parts are covered once, in the order of the blocks. `first_slab(all, block)` and
/// `block_of(all, slab)` say the same of all tiles' slabs end to end, after parts_of_block.
template <class PartsOfBlock, class FirstSlab, class BlockOf>
void check_many_parts(unsigned tiles, unsigned blocks, unsigned slabs, const PartsOfBlock& parts_of_block,
                      const FirstSlab& first_slab, const BlockOf& block_of) {
  INFO(tiles << " tiles of " << slabs << " slabs for " << blocks << " blocks");
  const std::size_t all = std::size_t{tiles} * slabs;
  unsigned tile = 0;
  unsigned covered = 0;  // of that tile
  std::vector<unsigned> count(tiles);
  for (unsigned block = 0; block < blocks; ++block) {
    std::size_t work = 0;
    const auto parts = parts_of_block(block, blocks, tiles, slabs);
    REQUIRE(parts.size() <= 2);
    for (const auto& part : parts) {
      CHECK(part.tile == tile);
      CHECK(part.begin == covered);
      CHECK(part.shared == (part.end - part.begin < slabs));
      // The place of its sums, as the block that adds them up finds it.
      const std::size_t first = std::size_t{tile} * slabs;
      CHECK(part.boundary == 2 * block + (first_slab(all, block) < first ? 1 : 0));
      CHECK(block_of(all, first) + count[tile] == block);
      CHECK(block_of(all, first + slabs - 1) >= block);
      ++count[tile];
      work += part.end - part.begin;
      covered = part.end;
      if (covered == slabs) {
        CHECK(block_of(all, first + slabs - 1) == block);
        ++tile;
        covered = 0;
      }
    }
    CHECK((work == all / blocks || work == all / blocks + 1));
  }
  CHECK(tile == tiles);
}

template <class PartsOfBlock, class FirstSlab, class BlockOf>
void check_all_many_parts(const PartsOfBlock& parts_of_block, const FirstSlab& first_slab,
                          const BlockOf& block_of) {
  for (const unsigned blocks : {2, 5, 132, 396}) {
    for (const unsigned tiles : {1U, (blocks + 3) / 4, blocks * 5 / 9, blocks - 1}) {
      for (const unsigned slabs : {blocks, 401U})
        check_many_parts(tiles, blocks, slabs, parts_of_block, first_slab, block_of);
    }
  }
}

}  // namespace benchctl::test
