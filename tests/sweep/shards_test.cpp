// How plans split into shards: the same everywhere, evenly, a problem in one piece.
#include "sweep/shards.hpp"
#include "support/catch.hpp"
#include "sweep/fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Milliseconds and problems by shard.
std::vector<double> seconds(const Shards& shards) {
  std::vector<double> all;
  for (const ShardLoad& load : shards.loads()) all.push_back(load.most_seconds);
  return all;
}

}  // namespace

TEST_CASE("shards get equal times, and one for each problem at most has any") {
  const Catalogue tables = catalogue();
  const Config config = test::config("[sweep.parameters]\nn = [16, 32, 48, 64, 80, 96]");
  const std::vector<double> three = seconds(Shards(config, tables, {}, 3));
  CHECK(three[0] > 0);
  CHECK(three == std::vector<double>(3, three[0]));
  const std::vector<double> eight = seconds(Shards(config, tables, {}, 8));
  CHECK(std::ranges::count(eight, 0.0) == 2);
}

TEST_CASE("a split follows from problems and times, not from the order of values or from devices") {
  const Catalogue tables = catalogue();
  const Shards shards(test::config("[sweep.parameters]\nn = [16, 32, 48, 64]"), tables, {}, 2);
  CHECK(Shards(test::config("[sweep.parameters]\nn = [64, 48, 16, 32]"), tables, {}, 2).digest() ==
        shards.digest());
  CHECK(Shards(test::config("[sweep.parameters]\nn = [16, 32, 48, 65]"), tables, {}, 2).digest() !=
        shards.digest());
  CHECK(Shards(test::config("[sweep.parameters]\nn = [16, 32, 48, 64]"), tables, {}, 3).digest() !=
        shards.digest());
}

TEST_CASE("a problem that no plan without devices has goes to one shard, the same each time") {
  const Catalogue tables = catalogue();
  const Shards shards(test::config("[sweep.parameters]\nn = [16, 32]"), tables, {}, 5);
  Point point;
  point.workload = "grid";
  std::set<std::size_t> used;
  for (std::int64_t n = 1000; n < 1050; ++n) {
    point.problem = {{"n", n}};
    const std::size_t shard = shards.of(point);
    REQUIRE(shard < 5);
    CHECK(Shards(test::config("[sweep.parameters]\nn = [32, 16]"), tables, {}, 5).of(point) == shard);
    used.insert(shard);
  }
  CHECK(used.size() == 5);
}
