// How often a fleet of like members has one that is called an outlier, and what is found.
#include "stats/fleet_scatter.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <vector>

using namespace benchctl;
using Catch::Matchers::WithinRel;

namespace {

std::vector<double> fleet_of(std::size_t members, std::mt19937_64& random) {
  std::normal_distribution<double> scatter(3, 0.01);
  std::vector<double> logs;
  for (std::size_t i = 0; i < members; ++i) logs.push_back(scatter(random));
  return logs;
}

std::size_t false_alarms(std::size_t members, std::size_t fleets) {
  std::mt19937_64 random(members);
  std::size_t alarms = 0;
  for (std::size_t i = 0; i < fleets; ++i) {
    const std::vector<double> logs = fleet_of(members, random);
    const auto fleet = stats::fleet_scatter(logs, 0.05, members);
    alarms += std::ranges::any_of(logs, [&](double log) { return log > fleet.value().bound; }) ? 1 : 0;
  }
  return alarms;
}

}  // namespace

TEST_CASE("a fleet of like members has an outlier by chance at most as often as asked for") {
  // 5 % are asked for; 2000 fleets tell that share to ± 1 %.
  for (const std::size_t members : {6, 8, 12, 20, 50, 200}) {
    CAPTURE(members, false_alarms(members, 2000));
    CHECK(false_alarms(members, 2000) <= 120);
  }
}

TEST_CASE(
    "members that are slow by six times the scatter are found among 200, though there are 20 of them") {
  std::mt19937_64 random(5);
  std::vector<double> logs = fleet_of(200, random);
  for (std::size_t i = 0; i < 20; ++i) logs[i] += 0.065;
  const auto fleet = stats::fleet_scatter(logs, 0.05, 200);
  REQUIRE(fleet);
  CHECK(std::abs(fleet->scatter - 0.01) < 0.004);
  CHECK(std::ranges::count_if(logs, [&](double log) { return log > fleet->bound; }) >= 19);
  CHECK_FALSE(stats::fleet_scatter(std::vector<double>(5, 1.0), 0.05, 5));
}

TEST_CASE("the bound of a fleet is Student's, of the scatter that the median distance tells") {
  // 0 … 26: median 13, median distance 7; 27 members less efficiency are ten degrees of freedom, whose
  // quantile of 99.9 % is 4.1437.
  std::vector<double> logs;
  for (int i = 0; i < 27; ++i) logs.push_back(i);
  const auto fleet = stats::fleet_scatter(logs, 0.05, 50);
  REQUIRE(fleet);
  CHECK(fleet->centre == 13);
  CHECK_THAT(fleet->scatter, WithinRel(1.4826 * 7 * 27 / 26.2, 1e-12));
  CHECK_THAT(fleet->bound,
             WithinRel(13 + fleet->scatter * std::sqrt(1 + std::numbers::pi / 54) * 4.143700494, 1e-9));
  // As many questions as members are asked, at least.
  CHECK(stats::fleet_scatter(logs, 0.05, 1).value().bound ==
        stats::fleet_scatter(logs, 0.05, 27).value().bound);
  CHECK(stats::fleet_scatter(std::span(logs).first(6), 0.05, 6));
}
