// How plans split into shards: the same everywhere, evenly, a problem in one piece. Lists of hosts.
#include "sweep/shards.hpp"
#include "support/catch.hpp"
#include "sweep/fixtures.hpp"

#include <stdexcept>

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

TEST_CASE("host lists are read as Slurm writes them") {
  using Hosts = std::vector<std::string>;
  CHECK(hosts_of("gpu7") == Hosts{"gpu7"});
  CHECK(hosts_of("node[01-03,7],gpu7") == Hosts{"node01", "node02", "node03", "node7", "gpu7"});
  CHECK(hosts_of("n[8-11]-ib0") == Hosts{"n8-ib0", "n9-ib0", "n10-ib0", "n11-ib0"});
  CHECK(hosts_of("r[1-2]n[01-02]") == Hosts{"r1n01", "r1n02", "r2n01", "r2n02"});
  CHECK(hosts_of("n[099-101]") == Hosts{"n099", "n100", "n101"});
}

TEST_CASE("a wrong host list is refused with the place of the error") {
  const auto message = [](const std::string& list) -> std::string {
    try {
      static_cast<void>(hosts_of(list));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK_THAT(message(""), ContainsSubstring("character 1: expected a host's name"));
  CHECK_THAT(message("a,,b"), ContainsSubstring("character 3: expected a host's name"));
  CHECK_THAT(message("a[1-3"), ContainsSubstring("character 6: expected ',' or ']'"));
  CHECK_THAT(message("a[3-1]"), ContainsSubstring("expected a number from 3 on"));
  CHECK_THAT(message("a[x]"), ContainsSubstring("character 3: expected a number"));
  CHECK_THAT(message("a b"), ContainsSubstring("character 2: expected a letter"));
  CHECK_THAT(message("a]"), ContainsSubstring("character 2: expected a letter"));
  CHECK_THAT(message("a[1-2],a2"), ContainsSubstring("names a2 twice"));
  CHECK_THAT(message("a[0-99999]"), ContainsSubstring("more than 65536 hosts"));
  CHECK_THAT(message("a[0-999]b[0-999]"), ContainsSubstring("more than 65536 hosts"));
  CHECK_THAT(message("a[0-99999999999999999999]"), ContainsSubstring("more than 65536 hosts"));
}
