// How tiles are shared out evenly among blocks, in CUDA C++ and in OpenCL C: compiled for the host with
// stand-ins for what the languages have built in. Each slab once, the same amount of work for all, and at
// most two parts of a tile unless there are more blocks than tiles.
#include <cstddef>

#include "support/catch.hpp"

namespace {

struct Index {
  unsigned x = 0;
};
Index gridDim;    // NOLINT(readability-identifier-naming)
Index blockIdx;   // NOLINT(readability-identifier-naming)
Index threadIdx;  // NOLINT(readability-identifier-naming)
[[maybe_unused]] void __syncthreads() {}
[[maybe_unused]] bool __syncthreads_or(bool any) { return any; }
using uint = unsigned;
using ulong = unsigned long;
unsigned get_group_id(int /*dimension*/) { return blockIdx.x; }
unsigned get_num_groups(int /*dimension*/) { return gridDim.x; }
[[maybe_unused]] void mem_fence(int /*flags*/) {}
[[maybe_unused]] uint atomic_inc(volatile uint* counter) {
  const uint before = *counter;
  *counter = before + 1;
  return before;
}
using std::min;

#define __device__
namespace cuda {
#include "cuda/kernels/even_parts.cuh"
#include "cuda/kernels/shared_chains.cuh"
}  // namespace cuda
#undef __device__

#define __global
#define CLK_GLOBAL_MEM_FENCE 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wold-style-cast"
namespace opencl {
#include "opencl/kernels/even_shares.clh"
// What it needs comes first.
#include "opencl/kernels/even_parts.clh"
}  // namespace opencl
#pragma GCC diagnostic pop
#undef CLK_GLOBAL_MEM_FENCE
#undef __global

/// The parts that a kernel's function gives a block in turns.
auto parts_by(bool (*next)(cuda::PartOfTile&, unsigned, unsigned, unsigned)) {
  return [next](unsigned block, unsigned blocks, unsigned tiles, unsigned slabs) {
    gridDim.x = blocks;
    blockIdx.x = block;
    std::vector<cuda::PartOfTile> parts;
    cuda::PartOfTile part{};
    while (next(part, static_cast<unsigned>(parts.size()), tiles, slabs)) parts.push_back(part);
    return parts;
  };
}

template <bool (*next)(opencl::PartOfTile*, uint, uint, uint)>
bool in_opencl(cuda::PartOfTile& part, unsigned turn, unsigned tiles, unsigned slabs) {
  opencl::PartOfTile found{};
  const bool more = next(&found, turn, tiles, slabs);
  part = {found.tile, found.begin, found.end, found.shared, found.boundary};
  return more;
}

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

}  // namespace

TEST_CASE("blocks that share tiles evenly get all of them once, and the same amount of work") {
  check_all_shares(parts_by(cuda::part_of_turn));
  check_all_shares(parts_by(in_opencl<opencl::part_of_turn>));
}

TEST_CASE("chains of tiles for more blocks are covered once, no tile in more than two parts") {
  for (const unsigned blocks : {2, 5, 132, 264}) {
    for (const unsigned tiles : {(blocks + 1) / 2, blocks * 2 / 3, blocks * 10 / 11, blocks - 1}) {
      for (const unsigned slabs : {1, 2, 17, 256}) {
        if (tiles < (blocks + 1) / 2 || tiles >= blocks) continue;
        // Chains differ by a tile in length.
        const std::size_t chains = blocks - tiles;
        const std::size_t shorter = tiles / chains;
        const std::size_t difference =
            slabs * (tiles % chains == 0 ? 0 : 1) / ((shorter + 1) * (shorter + 2));
        check_shares(tiles, blocks, slabs, parts_by(cuda::part_of_chain), difference + 2);
      }
    }
  }
}

TEST_CASE("tiles in any number of parts are covered once, in the order of the blocks") {
  check_all_many_parts(parts_by(cuda::part_of_many), cuda::first_slab, cuda::block_of);
  check_all_many_parts(parts_by(in_opencl<opencl::part_of_many>), opencl::first_slab,
                       opencl::group_of_slab);
}
