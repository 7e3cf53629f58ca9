// How tiles are shared out evenly among work-groups, compiled for the host with stand-ins for what OpenCL C
// has built in.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/even_shares_checks.hpp"

namespace {

using uint = unsigned;
using ulong = unsigned long;
unsigned group_number = 0;
unsigned all_groups = 1;
unsigned get_group_id(int /*dimension*/) { return group_number; }
unsigned get_num_groups(int /*dimension*/) { return all_groups; }
[[maybe_unused]] void mem_fence(int /*flags*/) {}
[[maybe_unused]] uint atomic_inc(volatile uint* counter) {
  const uint before = *counter;
  *counter = before + 1;
  return before;
}
using std::min;

#define __global
#define CLK_GLOBAL_MEM_FENCE 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "kernels/even_shares.clh"
// What it needs comes first.
#include "kernels/even_parts.clh"
#pragma GCC diagnostic pop
#undef CLK_GLOBAL_MEM_FENCE
#undef __global

template <class Next>
std::vector<PartOfTile> parts_of(unsigned group, unsigned groups, unsigned tiles, unsigned slabs,
                                 const Next& next) {
  group_number = group;
  all_groups = groups;
  std::vector<PartOfTile> parts;
  PartOfTile part{};
  while (next(&part, static_cast<unsigned>(parts.size()), tiles, slabs)) parts.push_back(part);
  return parts;
}

std::vector<PartOfTile> parts_of_group(unsigned group, unsigned groups, unsigned tiles, unsigned slabs) {
  return parts_of(group, groups, tiles, slabs, part_of_turn);
}

std::vector<PartOfTile> parts_of_many_tiles(unsigned group, unsigned groups, unsigned tiles,
                                            unsigned slabs) {
  return parts_of(group, groups, tiles, slabs, part_of_many);
}

}  // namespace

TEST_CASE("groups that share tiles evenly get all of them once, and the same amount of work") {
  benchctl::test::check_all_shares(parts_of_group);
}

TEST_CASE("tiles in any number of parts are covered once, in the order of the groups") {
  benchctl::test::check_all_many_parts(parts_of_many_tiles, first_slab, group_of_slab);
}
