// Lists of hosts as Slurm writes them.
#include "sweep/shards.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;

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
