// Rates that APIs of one card read its caches at are compared with each other.
#include "selftest/checks.hpp"

#include "support/catch.hpp"

namespace {

namespace checks = benchctl::selftest;
using benchctl::DeviceType;
using benchctl::Lane;

Lane lane_of(const std::string& backend, const std::string& physical) {
  Lane lane;
  lane.backend = backend;
  lane.device.id = "0";
  lane.device.physical = physical;
  lane.device.type = DeviceType::gpu;
  return lane;
}

checks::CaseResult hot(const Lane& lane, double gbytes_per_s,
                       checks::Outcome outcome = checks::Outcome::pass, double doubt = 0) {
  checks::CaseResult result;
  result.lane = lane.name();
  result.what = "hot: a set of 3/8 of the last cache";
  result.outcome = outcome;
  result.figures = {{"found_gbytes_per_s", gbytes_per_s}, {"memory_gbytes_per_s", 4600}, {"doubt", doubt}};
  return result;
}

}  // namespace

TEST_CASE("APIs of one card that read a cache at other rates fail, other cards are not asked") {
  const std::vector<Lane> lanes{lane_of("a", "GPU-1"), lane_of("b", "GPU-1"), lane_of("c", "GPU-1"),
                                lane_of("d", "GPU-2"), lane_of("e", "")};
  const std::vector<checks::CaseResult> results{hot(lanes[0], 9400), hot(lanes[1], 8500),
                                                hot(lanes[2], 8400), hot(lanes[3], 1000),
                                                hot(lanes[4], 10)};
  const std::vector<checks::CaseResult> compared = checks::compare_caches(lanes, results);
  REQUIRE(compared.size() == 2);
  CHECK(compared[0].lane == "b:0");
  CHECK(compared[0].outcome == checks::Outcome::pass);
  CHECK(compared[1].lane == "c:0");
  CHECK(compared[1].outcome == checks::Outcome::fail);
  CHECK(compared[1].what == "hot: a set of 3/8 of the last cache, beside a:0");
}

TEST_CASE("rates of two APIs are told apart only as far as they are known") {
  const std::vector<Lane> lanes{lane_of("a", "GPU-1"), lane_of("b", "GPU-1")};
  const auto outcome = [&](double doubt) {
    const std::vector<checks::CaseResult> results{hot(lanes[0], 5760, checks::Outcome::pass, doubt),
                                                  hot(lanes[1], 5136, checks::Outcome::pass, doubt)};
    return checks::compare_caches(lanes, results).at(0).outcome;
  };
  CHECK(outcome(0.003) == checks::Outcome::fail);
  CHECK(outcome(0.02) == checks::Outcome::pass);
}

TEST_CASE("a rate that could not be found is compared with none") {
  const std::vector<Lane> lanes{lane_of("a", "GPU-1"), lane_of("b", "GPU-1")};
  const std::vector<checks::CaseResult> results{hot(lanes[0], 9400),
                                                hot(lanes[1], 1, checks::Outcome::not_possible)};
  CHECK(checks::compare_caches(lanes, results).empty());
}
