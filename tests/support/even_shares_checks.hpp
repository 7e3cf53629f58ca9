// How tiles are shared out evenly among blocks, whatever language says it: each slab once, at most two
// parts of a tile, the same amount of work for all.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

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

}  // namespace benchctl::test
