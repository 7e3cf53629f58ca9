// Autocorrelation, its integrated time, and intervals that are widened for it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/dependence.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using benchctl::test::one_to;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// Independent normal numbers, each `times` times in succession.
std::vector<double> repeated(std::size_t n, std::size_t times) {
  benchctl::test::Random random(n + times);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.insert(values.end(), times, 100 + random.normal());
  return values;
}

}  // namespace

TEST_CASE("autocorrelation has the divisor n") {
  // 1 … 5 less 3: squares 10; products 2 + 0 + 0 + 2, then 0 − 1 + 0, then −2 − 2, then −4.
  const std::vector<double> values = one_to(5);
  CHECK_THAT(autocorrelation(values, 0), WithinRel(1.0, 1e-15));
  CHECK_THAT(autocorrelation(values, 1), WithinRel(0.4, 1e-12));
  CHECK_THAT(autocorrelation(values, 2), WithinRel(-0.1, 1e-12));
  CHECK_THAT(autocorrelation(values, 3), WithinRel(-0.4, 1e-12));
  CHECK_THAT(autocorrelation(values, 4), WithinRel(-0.4, 1e-12));
  CHECK_THROWS_AS(autocorrelation(values, 5), std::invalid_argument);
  CHECK(autocorrelation(std::vector<double>(9, 0.1), 1) == 0);
  CHECK_THAT(autocorrelation(std::vector<double>{7, 1007, 2007, 3007, 4007}, 2), WithinRel(-0.1, 1e-12));
}

TEST_CASE("the autocorrelation time adds pairs of lags while they are positive") {
  // (1 + 0.4) counts, (−0.1 − 0.4) ends it: −1 + 2·1.4.
  CHECK_THAT(autocorrelation_time(one_to(5)), WithinRel(1.8, 1e-12));
  // 1 … 6 less 3.5: squares 17.5, products 8.75, 1, −3.75: pairs 1.5, −2.75 / 17.5.
  CHECK_THAT(autocorrelation_time(one_to(6)), WithinRel(2.0, 1e-12));
  // A swing is not worth more than independent samples; equal ones and a single one are worth themselves.
  CHECK(autocorrelation_time(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2}) == 1);
  CHECK(autocorrelation_time(std::vector<double>(30, 0.1)) == 1);
  CHECK(autocorrelation_time(std::vector<double>{5}) == 1);
  // Every number four times: correlations 1, ¾, ½, ¼, 0, so 1 + 2·1.5.
  CHECK_THAT(autocorrelation_time(repeated(2000, 4)), WithinAbs(4.0, 0.5));
}

TEST_CASE("Ljung and Box's test has the χ² distribution's tail") {
  // 5·7·(0.16/4 + 0.01/3) with two degrees of freedom, whose tail is exp(−x/2).
  const double statistic = 35 * (0.04 + 0.01 / 3);
  CHECK_THAT(ljung_box(one_to(5), 2), WithinRel(std::exp(-statistic / 2), 1e-12));
  CHECK(ljung_box(std::vector<double>(10, 3.0), 2) == 1);
  CHECK_THROWS_AS(ljung_box(one_to(5), 0), std::invalid_argument);
  CHECK_THROWS_AS(ljung_box(one_to(5), 5), std::invalid_argument);
  CHECK_NOTHROW(ljung_box(one_to(5), 4));
}

TEST_CASE("dependence is shown where it is, and seldom where it is not") {
  const Dependence four = median_dependence(repeated(250, 4));
  CHECK(four.shown);
  CHECK(four.lag1 > 0.6);
  CHECK(four.effective > 150);
  CHECK(four.effective < 400);
  CHECK(four.effective == static_cast<std::size_t>(1000 / four.time));
  int shown = 0;
  for (std::size_t seed = 0; seed < 500; ++seed) {
    const Dependence none = median_dependence(repeated(60 + seed, 1));
    shown += none.shown ? 1 : 0;
    if (!none.shown) CHECK(none.effective == 60 + seed);
    if (!none.shown) CHECK(none.time == 1);
  }
  CHECK(shown <= 15);  // one in a hundred expected
}

TEST_CASE(
    "dependence is looked for in the signs around the median, over a fifth of the samples, at most ten") {
  const auto kinds = benchctl::test::series_kinds();
  for (const std::size_t n : {std::size_t{20}, std::size_t{34}, std::size_t{59}, std::size_t{200}}) {
    for (const auto& kind : {kinds[0], kinds[4]}) {  // quantised ones equal their median now and then
      const std::vector<double> values = benchctl::test::draw_series(kind, n, 0.05, n);
      const double center = median(values);
      std::vector<double> signs;
      for (const double x : values) signs.push_back(x == center ? 0 : x < center ? -1 : 1);
      const Dependence dependence = median_dependence(values);
      CHECK(dependence.p_value == ljung_box(signs, n < 50 ? n / 5 : 10));
      CHECK(dependence.lag1 == autocorrelation(signs, 1));
    }
  }
}

TEST_CASE("dependence is shown at the 1 % level") {
  const auto normal = benchctl::test::series_kinds().front();
  double largest_shown = 0;
  for (std::size_t seed = 0; seed < 4000; ++seed) {
    const Dependence dependence = median_dependence(benchctl::test::draw_series(normal, 25, 0.05, seed));
    if (dependence.shown != (dependence.p_value < 0.01)) FAIL("p = " << dependence.p_value);
    if (dependence.shown) largest_shown = std::max(largest_shown, dependence.p_value);
  }
  CHECK(largest_shown > 0.009);
}

TEST_CASE("outliers do not hide dependence, and scale does not matter") {
  std::vector<double> values = repeated(100, 4);
  const Dependence before = median_dependence(values);
  for (double& x : values) x = 8 * x;
  *std::ranges::max_element(values) = 1e12;
  const Dependence after = median_dependence(values);
  CHECK(after.shown);
  CHECK(after.effective == before.effective);
}

TEST_CASE("a series that only rises is worth six samples, a short one all of its own") {
  CHECK(median_dependence(one_to(200)).effective == 6);
  CHECK(median_dependence(one_to(20)).shown);
  CHECK_FALSE(median_dependence(one_to(19)).shown);
  CHECK(median_dependence(one_to(19)).effective == 19);
  CHECK_FALSE(median_dependence(std::vector<double>(50, 2.0)).shown);
  CHECK(median_dependence(std::vector<double>{1}).effective == 1);
}

TEST_CASE("a widened interval has the ranks of fewer samples, spread over all") {
  const std::vector<double> values = one_to(400);
  // The interval of 1 … 100 is its own ranks.
  const Interval hundred = median_interval(one_to(100));
  const Interval widened = widened_median_interval(values, 100);
  CHECK_THAT(widened.low, WithinRel(hundred.low * 401 / 101, 1e-12));
  CHECK_THAT(widened.high, WithinRel(hundred.high * 401 / 101, 1e-12));
  const Interval plain = median_interval(values);
  for (const std::size_t effective : {std::size_t{400}, std::size_t{1000}}) {
    CHECK(widened_median_interval(values, effective).low == plain.low);
    CHECK(widened_median_interval(values, effective).high == plain.high);
  }
  CHECK_FALSE(widened_median_interval(values, 5).known());
  CHECK(widened_median_interval(values, 6).known());
  CHECK_FALSE(widened_median_interval(values, 6, 0.99).known());
  CHECK(widened_median_interval(values, 100, 0.9).low > widened.low);
  CHECK_THROWS_AS(widened_median_interval(values, 100, 1), std::invalid_argument);
}
