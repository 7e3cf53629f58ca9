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
#include "kernels/even_shares.cuh"
#undef __device__

std::vector<PartOfTile> parts_of_block(unsigned block, unsigned blocks, unsigned tiles, unsigned slabs) {
  gridDim.x = blocks;
  blockIdx.x = block;
  std::vector<PartOfTile> parts;
  PartOfTile part{};
  while (part_of_turn(part, static_cast<unsigned>(parts.size()), tiles, slabs)) parts.push_back(part);
  return parts;
}

}  // namespace

TEST_CASE("blocks that share tiles evenly get all of them once, and the same amount of work", "[cuda]") {
  benchctl::test::check_all_shares(parts_of_block);
}
