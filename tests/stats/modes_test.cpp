// Series with two modes, and others that only look so.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/modes.hpp"
#include "support/series.hpp"

#include <cmath>
#include <vector>

using namespace benchctl::stats;
using benchctl::test::Random;
using Catch::Matchers::WithinRel;

namespace {

/// So many in a hundred at 31, the others at 19, with a scatter of 2 %.
std::vector<double> two_times(std::size_t n, int high_percent) {
  Random random(n);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const bool high = static_cast<int>(i * 37 % 100) < high_percent;
    values.push_back((high ? 31 : 19) * (1 + 0.02 * random.normal()));
  }
  return values;
}

}  // namespace

TEST_CASE("two modes are found with their shares and visits") {
  const auto modes = two_modes(two_times(200, 30));
  REQUIRE(modes);
  CHECK_THAT(modes->low, WithinRel(19.0, 0.01));
  CHECK_THAT(modes->high, WithinRel(31.0, 0.01));
  CHECK_THAT(modes->high_share, WithinRel(0.3, 1e-12));
  // Thirty-seven steps at a time around a circle of a hundred.
  CHECK(modes->visits > 80);
  std::vector<double> in_order(60, 19.0);
  in_order.insert(in_order.end(), 40, 31.0);
  for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i] *= 1 + 1e-4 * static_cast<double>(i);
  REQUIRE(two_modes(in_order));
  CHECK(two_modes(in_order)->visits == 2);
}

TEST_CASE("a tenth of the samples makes a mode, less does not") {
  CHECK(two_modes(two_times(400, 12)));
  CHECK_FALSE(two_modes(two_times(400, 5)));
}

TEST_CASE("one hump is not called two, and few samples tell nothing") {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    std::vector<double> normal;
    std::vector<double> exponential;
    std::vector<double> uniform;
    for (std::size_t i = 0; i < 20 + seed; ++i) {
      normal.push_back(1 + 0.03 * random.normal());
      exponential.push_back(1 - 0.05 * std::log(random.uniform()));
      uniform.push_back(random.uniform());
    }
    found += (two_modes(normal) ? 1 : 0) + (two_modes(exponential) ? 1 : 0) + (two_modes(uniform) ? 1 : 0);
  }
  CHECK(found <= 5);
  CHECK_FALSE(two_modes(two_times(12, 50)));
  CHECK_FALSE(two_modes(std::vector<double>{1}));
  CHECK_FALSE(two_modes(std::vector<double>(100, 3.0)));
}

TEST_CASE("steps of a timer are not modes") {
  std::vector<double> steps;
  for (int i = 0; i < 200; ++i) steps.push_back(i % 2 == 0 ? 10 : 11);
  CHECK_FALSE(two_modes(steps));
  for (const auto& kind : benchctl::test::series_kinds()) {
    if (kind.name == "quantised") CHECK_FALSE(two_modes(benchctl::test::draw_series(kind, 500, 0.03, 1)));
    if (kind.name == "bimodal") CHECK(two_modes(benchctl::test::draw_series(kind, 500, 0.03, 1)));
  }
}
