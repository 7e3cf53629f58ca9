// How tiles are shared out evenly among blocks, in CUDA C++ and in OpenCL C: compiled for the host with
// stand-ins for what the languages have built in.
#include <cstddef>

#include "support/catch.hpp"
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

}  // namespace

TEST_CASE("blocks that share tiles evenly get all of them once, and the same amount of work") {
  benchctl::test::check_all_shares(parts_by(cuda::part_of_turn));
  benchctl::test::check_all_shares(parts_by(in_opencl<opencl::part_of_turn>));
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
        benchctl::test::check_shares(tiles, blocks, slabs, parts_by(cuda::part_of_chain), difference + 2);
      }
    }
  }
}

TEST_CASE("tiles in any number of parts are covered once, in the order of the blocks") {
  using benchctl::test::check_all_many_parts;
  check_all_many_parts(parts_by(cuda::part_of_many), cuda::first_slab, cuda::block_of);
  check_all_many_parts(parts_by(in_opencl<opencl::part_of_many>), opencl::first_slab,
                       opencl::group_of_slab);
}
