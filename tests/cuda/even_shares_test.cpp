// How tiles are shared out evenly among blocks, compiled for the host with stand-ins for what CUDA has
// built in.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/even_shares_checks.hpp"

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
#include "kernels/even_parts.cuh"
#include "kernels/shared_chains.cuh"
#undef __device__

template <class Next>
std::vector<PartOfTile> parts_of(unsigned block, unsigned blocks, unsigned tiles, unsigned slabs,
                                 const Next& next) {
  gridDim.x = blocks;
  blockIdx.x = block;
  std::vector<PartOfTile> parts;
  PartOfTile part{};
  while (next(part, static_cast<unsigned>(parts.size()), tiles, slabs)) parts.push_back(part);
  return parts;
}

std::vector<PartOfTile> parts_of_block(unsigned block, unsigned blocks, unsigned tiles, unsigned slabs) {
  return parts_of(block, blocks, tiles, slabs, part_of_turn);
}

std::vector<PartOfTile> parts_of_chain(unsigned block, unsigned blocks, unsigned tiles, unsigned slabs) {
  return parts_of(block, blocks, tiles, slabs, part_of_chain);
}

std::vector<PartOfTile> parts_of_many(unsigned block, unsigned blocks, unsigned tiles, unsigned slabs) {
  return parts_of(block, blocks, tiles, slabs, part_of_many);
}

}  // namespace

TEST_CASE("blocks that share tiles evenly get all of them once, and the same amount of work", "[cuda]") {
  benchctl::test::check_all_shares(parts_of_block);
}

TEST_CASE("chains of tiles for more blocks are covered once, no tile in more than two parts", "[cuda]") {
  for (const unsigned blocks : {2, 5, 132, 264}) {
    for (const unsigned tiles : {(blocks + 1) / 2, blocks * 2 / 3, blocks * 10 / 11, blocks - 1}) {
      for (const unsigned slabs : {1, 2, 17, 256}) {
        if (tiles < (blocks + 1) / 2 || tiles >= blocks) continue;
        // Chains differ by a tile in length.
        const std::size_t chains = blocks - tiles;
        const std::size_t shorter = tiles / chains;
        const std::size_t difference =
            slabs * (tiles % chains == 0 ? 0 : 1) / ((shorter + 1) * (shorter + 2));
        benchctl::test::check_shares(tiles, blocks, slabs, parts_of_chain, difference + 2);
      }
    }
  }
}

TEST_CASE("tiles in any number of parts are covered once, in the order of the blocks", "[cuda]") {
  benchctl::test::check_all_many_parts(parts_of_many, first_slab, block_of);
}
