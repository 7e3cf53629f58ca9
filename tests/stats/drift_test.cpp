// Trends: the test of Mann and Kendall, the slope of Theil and Sen.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/drift.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<double> line(std::size_t n, double from, double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(from + step * static_cast<double>(i));
  return values;
}

/// Two-sided tail of the standard normal distribution.
double tails(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("Mann and Kendall's test without ties") {
  // 1 … 10: all 45 pairs rise; variance 10·9·25/18 = 125; one step towards 0.
  const TrendTest rising = mann_kendall(line(10, 1, 1));
  CHECK(rising.tau == 1);
  CHECK_THAT(rising.z, WithinRel(44 / std::sqrt(125.0), 1e-12));
  CHECK_THAT(rising.p_value, WithinRel(tails(44 / std::sqrt(125.0)), 1e-9));
  const TrendTest falling = mann_kendall(line(10, 1, -1));
  CHECK(falling.tau == -1);
  CHECK(falling.z == -rising.z);
  CHECK(falling.p_value == rising.p_value);
  CHECK(mann_kendall(line(2, 1, 1)).tau == 1);
  CHECK(mann_kendall(line(2, 1, 1)).p_value == 1);
}

TEST_CASE("Mann and Kendall's test with ties") {
  // 1 1 2 2 3: 8 pairs rise, 2 are level; variance (5·4·15 − 2·(2·1·9)) / 18 = 264/18.
  const TrendTest ties = mann_kendall(std::vector<double>{1, 1, 2, 2, 3});
  CHECK_THAT(ties.tau, WithinRel(0.8, 1e-12));
  CHECK_THAT(ties.z, WithinRel(7 / std::sqrt(264.0 / 18), 1e-12));
  CHECK_THAT(ties.p_value, WithinRel(tails(7 / std::sqrt(264.0 / 18)), 1e-9));
  CHECK(mann_kendall(std::vector<double>(8, 1.5)).p_value == 1);
  CHECK(mann_kendall(std::vector<double>{3}).p_value == 1);
  // As many pairs rise as fall.
  const TrendTest level = mann_kendall(std::vector<double>{1, 3, 3, 1});
  CHECK(level.z == 0);
  CHECK(level.p_value == 1);
}

TEST_CASE("Theil and Sen's slope is the median of all slopes") {
  // Six slopes of 1, and four large ones to the outlier.
  CHECK(theil_sen(std::vector<double>{1, 2, 3, 4, 100}).per_step == 1);
  const Slope straight = theil_sen(line(10, 5, -2));
  CHECK(straight.per_step == -2);
  CHECK(straight.interval.low == -2);
  CHECK(straight.interval.high == -2);
}

TEST_CASE("the slope's interval is by ranks of the slopes") {
  // 1 4 3 7 8 12: slopes −1 1 1 4/3 1.5 1.75 2 2 2.2 2.5 2.5 3 3 4 4; variance 6·5·17/18; ranks from 0:
  // (15 − C)/2 − 1 = 1.2837 between 1 and 1, (15 + C)/2 = 12.7163 between 3 and 4.
  const Slope slope = theil_sen(std::vector<double>{1, 4, 3, 7, 8, 12});
  CHECK_THAT(slope.per_step, WithinRel(2.0, 1e-12));
  const double half = 1.959963984540054 * std::sqrt(6 * 5 * 17 / 18.0) / 2;
  CHECK_THAT(slope.interval.low, WithinRel(1.0, 1e-12));
  CHECK_THAT(slope.interval.high, WithinRel(3 + (7.5 + half - 12), 1e-9));
  // 0 1 3 6 10 15: 1 1.5 2 … 4 4 4.5 5. The same ranks, between 1.5 and 2, and between 4 and 4.5.
  const Slope bent = theil_sen(std::vector<double>{0, 1, 3, 6, 10, 15});
  CHECK_THAT(bent.interval.low, WithinRel(1.5 + 0.5 * (7.5 - half - 2), 1e-9));
  CHECK_THAT(bent.interval.high, WithinRel(4 + 0.5 * (7.5 + half - 12), 1e-9));
  CHECK_FALSE(theil_sen(std::vector<double>{1, 2}).interval.known());
  // Ranks of ten slopes: (10 − 1.96 √(50/3)) / 2 − 1 is below 0, with 1.645 it is 0.64.
  CHECK_FALSE(theil_sen(line(5, 1, 1)).interval.known());
  CHECK(theil_sen(line(5, 1, 1), 0.9).interval.known());
  CHECK_THROWS_AS(theil_sen(std::vector<double>{1}), std::invalid_argument);
  CHECK_THROWS_AS(theil_sen(std::vector<double>{1, 2, 3}, 1), std::invalid_argument);
}

TEST_CASE("drift is the change from the first to the last sample, relative to the median") {
  // 100 … 110 in eleven: 10 / 105.
  const Drift short_one = drift(line(11, 100, 1));
  CHECK_THAT(short_one.change, WithinRel(10.0 / 105, 1e-12));
  CHECK_THAT(short_one.change_interval.low, WithinRel(10.0 / 105, 1e-12));
  CHECK_THAT(short_one.change_interval.high, WithinRel(10.0 / 105, 1e-12));
  CHECK(short_one.test.p_value < 0.001);
  // Through 1000 blocks of three and through 501 of two with one sample left over: the same line.
  CHECK_THAT(drift(line(3000, 1000, 0.1)).change, WithinRel(0.1 * 2999 / 1149.95, 1e-9));
  CHECK_THAT(drift(line(1003, 1000, 0.1)).change, WithinRel(0.1 * 1002 / 1050.1, 1e-9));
  CHECK_THAT(drift(line(1000, 1000, -0.1)).change, WithinRel(-0.1 * 999 / 950.05, 1e-9));
  CHECK_THROWS_AS(drift(std::vector<double>{1}), std::invalid_argument);
}

TEST_CASE("drift looks at a thousand samples one by one, at more by blocks") {
  const auto kind = benchctl::test::series_kinds().front();
  const std::vector<double> thousand = benchctl::test::draw_series(kind, 1000, 0.05, 1);
  CHECK(drift(thousand).test.z == mann_kendall(thousand).z);
  for (const std::size_t n : {std::size_t{1001}, std::size_t{1002}, std::size_t{2001}}) {
    const std::vector<double> values = benchctl::test::draw_series(kind, n, 0.05, n);
    const std::size_t length = n > 2000 ? 3 : 2;
    std::vector<double> medians;
    for (std::size_t i = 0; i + length <= n; i += length) {
      medians.push_back(
          median(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(i),
                                     values.begin() + static_cast<std::ptrdiff_t>(i + length))));
    }
    CHECK(drift(values).test.z == mann_kendall(medians).z);
  }
}

TEST_CASE("a level series drifts seldom, a drifting one is found; scale does not matter") {
  int level_called_drifting = 0;
  int found = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto kinds = benchctl::test::series_kinds();
    std::vector<double> level = benchctl::test::draw_series(kinds.front(), 50, 0.01, seed);
    level_called_drifting += drift(level).test.p_value < 0.05 ? 1 : 0;
    const Drift drifting = drift(benchctl::test::draw_series(kinds.back(), 50, 0.01, seed));
    found += drifting.test.p_value < 0.05 ? 1 : 0;
    if (seed > 0) continue;
    const Drift before = drift(level);
    for (double& x : level) x *= 4;
    CHECK_THAT(drift(level).change, WithinAbs(before.change, 1e-14));
    CHECK(drift(level).test.z == before.test.z);
  }
  CHECK(level_called_drifting <= 35);  // 20 expected
  CHECK(level_called_drifting >= 7);
  CHECK(found >= 380);
}
