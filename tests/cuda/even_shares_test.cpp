// How tiles are shared out evenly among blocks, compiled for the host with stand-ins for what CUDA has
// built in.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace {

struct Index {
  unsigned x = 0;
};
Index gridDim;    // NOLINT(readability-identifier-naming)
Index blockIdx;   // NOLINT(readability-identifier-naming)
Index threadIdx;  // NOLINT(readability-identifier-naming)
[[maybe_unused]] void __syncthreads() {}
[[maybe_unused]] bool __syncthreads_or(bool any) { return any; }
using std::min;

#define __device__
#include "kernels/even_shares.cuh"
#undef __device__

std::vector<PartOfTile> parts_of_block(unsigned block, unsigned tiles, unsigned slabs) {
  blockIdx.x = block;
  std::vector<PartOfTile> parts;
  PartOfTile part{};
  while (part_of_turn(part, static_cast<unsigned>(parts.size()), tiles, slabs)) parts.push_back(part);
  return parts;
}

void check_shares(unsigned tiles, unsigned blocks, unsigned slabs) {
  INFO(tiles << " tiles of " << slabs << " slabs for " << blocks << " blocks");
  gridDim.x = blocks;
  std::vector<std::vector<unsigned>> covered(tiles, std::vector<unsigned>(slabs));
  std::map<unsigned, std::vector<unsigned>> tiles_of_boundary;
  std::size_t least = std::size_t{tiles} * slabs;
  std::size_t most = 0;
  for (unsigned block = 0; block < blocks; ++block) {
    std::size_t work = 0;
    for (const PartOfTile& part : parts_of_block(block, tiles, slabs)) {
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
  CHECK(most - least <= 1);
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

}  // namespace

TEST_CASE("blocks that share tiles evenly get all of them once, and the same amount of work", "[cuda]") {
  for (const unsigned blocks : {1, 2, 5, 132, 264}) {
    for (const unsigned more : {0, 1, 3, 131, 396, 1916}) {
      for (const unsigned slabs : {1, 2, 17, 256}) check_shares(blocks + more, blocks, slabs);
    }
  }
}
