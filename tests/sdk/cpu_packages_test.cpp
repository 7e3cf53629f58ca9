// Which sockets a host device spans, on made-up machines.
#include <benchctl/cpu_packages.hpp>

#include "support/catch.hpp"
#include "support/paths.hpp"

#include <filesystem>
#include <utility>

using namespace benchctl;
using benchctl::test::TemporaryDirectory;

namespace {

/// Processor numbers and what their physical_package_id holds.
using Processors = std::vector<std::pair<int, std::string>>;

/// The identity on a machine with these processors, for a thread that may run on those in the list
/// `allowed`.
std::string physical(const std::string& allowed, const Processors& processors) {
  const TemporaryDirectory root;
  std::filesystem::create_directories(root.path() / "proc/thread-self");
  root.write("proc/thread-self/status",
             "Name:\tbenchctl\nCpus_allowed:\tff\nCpus_allowed_list:\t" + allowed + "\nMems_allowed:\t1\n");
  for (const auto& [cpu, package] : processors) {
    const std::string topology = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology";
    std::filesystem::create_directories(root.path() / topology);
    root.write(topology + "/physical_package_id", package + "\n");
  }
  return cpu_physical(cpu_packages(root.path()));
}

const Processors two_sockets{{0, "0"}, {1, "0"}, {2, "1"}, {3, "1"},
                             {4, "0"}, {5, "0"}, {6, "1"}, {7, "1"}};

}  // namespace

TEST_CASE("lists of processors are read as Linux writes them") {
  CHECK(parse_cpu_list("0") == std::vector<int>{0});
  CHECK(parse_cpu_list("0-3,8,10-11") == std::vector<int>{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_cpu_list("").empty());
  CHECK(parse_cpu_list("x,2,3-,-4,5-y,7,") == std::vector<int>{2, 7});
}

TEST_CASE("a host device names the sockets that its thread may run on") {
  CHECK(physical("0-1", two_sockets) == "cpu:package-0");
  CHECK(physical("3,6", two_sockets) == "cpu:package-1");
  CHECK(physical("0-7", two_sockets) == "cpu:package-0+1");
  CHECK(physical("3-4", two_sockets) == "cpu:package-0+1");
}

TEST_CASE("sockets are in the order of their numbers") {
  CHECK(physical("0-2", {{0, "10"}, {1, "2"}, {2, "36"}}) == "cpu:package-2+10+36");
}

TEST_CASE("a machine that does not tell its sockets has one") {
  CHECK(physical("0-3", {}) == "cpu:package-0");
  CHECK(physical("0-1", {{0, "-1"}, {1, "-1"}}) == "cpu:package-0");
  CHECK(physical("0", {{0, ""}}) == "cpu:package-0");
  const TemporaryDirectory nothing;
  CHECK(cpu_packages(nothing.path()) == std::vector<int>{0});
}
