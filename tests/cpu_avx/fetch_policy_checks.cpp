// Which operands are asked for ahead, and which are read in several pieces; compiled in where the plugin is
// built.
#include "fetch_policy.hpp"
#include "support/catch.hpp"

using namespace benchctl::cpu_avx;

TEST_CASE("lines are asked for ahead if they come from the last cache") {
  constexpr std::size_t mb = std::size_t{1} << 20;
  Topology topology;
  CHECK_FALSE(comes_from_last_cache(4 * mb, 1, topology));  // nobody knows
  topology.l2_bytes = mb;
  topology.last_level_cache_bytes = 32 * mb;
  CHECK_FALSE(comes_from_last_cache(mb * 3 / 2, 1, topology));
  CHECK(comes_from_last_cache(mb * 3 / 2 + 1, 1, topology));
  CHECK_FALSE(comes_from_last_cache(mb * 3, 2, topology));
  CHECK(comes_from_last_cache(4 * mb, 2, topology));
  CHECK(comes_from_last_cache(16 * mb, 1, topology));
  CHECK_FALSE(comes_from_last_cache(16 * mb + 1, 2, topology));
  topology.last_level_cache_bytes = 480 * mb;
  CHECK_FALSE(comes_from_last_cache(16 * mb + 1, 1, topology));
  CHECK(comes_from_last_cache(32 * mb, 2, topology));
}

TEST_CASE("several pieces are read side by side if they come from memory") {
  constexpr std::size_t mb = std::size_t{1} << 20;
  Topology topology;
  CHECK_FALSE(comes_from_memory(16 * mb, 1, topology));  // the size of a cache is not known
  CHECK(comes_from_memory(16 * mb + 1, 1, topology));
  CHECK_FALSE(comes_from_memory(16 * mb + 1, 2, topology));
  topology.l2_bytes = mb;
  topology.last_level_cache_bytes = 32 * mb;
  CHECK_FALSE(comes_from_memory(16 * mb, 1, topology));
  CHECK(comes_from_memory(16 * mb + 1, 1, topology));
  CHECK(comes_from_memory(100 * mb, 2, topology));
  CHECK_FALSE(comes_from_memory(100 * mb, 100, topology));  // each in a second-level cache of its own
  CHECK_FALSE(comes_from_last_cache(16 * mb + 1, 1, topology));
}
