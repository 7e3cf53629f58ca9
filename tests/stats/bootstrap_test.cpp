// The bootstrap against its exact distribution, and its seed.
#include <catch2/catch_test_macros.hpp>

#include "stats/bootstrap.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using benchctl::test::one_to;

namespace {}  // namespace

TEST_CASE("the bootstrap of a median approaches its exact distribution") {
  // The median of 25 draws from 1 … 25 is at most j when at least 13 draws are: with B binomial
  // (25, j/25), P(B ≥ 13) is 0.0096 at j = 7, 0.0299 at 8, 0.9701 at 17 and 0.9904 at 18, so the 2.5 %
  // and 97.5 % quantiles are 8 and 18.
  const Interval interval = bootstrap_median_interval(one_to(25), {0.95, 20'000, 7});
  CHECK(interval.low == 8);
  CHECK(interval.high == 18);
  // 10 % and 90 %: P is 0.0745 at 9 and 0.1538 at 10, so 10; by symmetry 16.
  const Interval narrower = bootstrap_median_interval(one_to(25), {0.8, 20'000, 7});
  CHECK(narrower.low == 10);
  CHECK(narrower.high == 16);
}

TEST_CASE("the bootstrap takes any statistic") {
  // Of a mean: normal with the standard deviation of the samples over √n, √((n² − 1)/12) / √n.
  const int n = 100;
  const double half = 1.96 * std::sqrt((n * n - 1) / 12.0) / std::sqrt(n);
  const Interval interval = bootstrap_interval(one_to(n), mean, {0.95, 20'000, 3});
  CHECK(std::abs(interval.low - (50.5 - half)) < 0.3);
  CHECK(std::abs(interval.high - (50.5 + half)) < 0.3);
}

TEST_CASE("the bootstrap depends on its seed, not on the order of the samples") {
  std::vector<double> values;
  for (int i = 1; i <= 40; ++i) values.push_back(std::sqrt(i));
  const Interval first = bootstrap_interval(values, mean, {0.95, 500, 1});
  const Interval other = bootstrap_interval(values, mean, {0.95, 500, 2});
  CHECK(first.low != other.low);
  std::ranges::reverse(values);
  const Interval again = bootstrap_interval(values, mean, {0.95, 500, 1});
  CHECK(again.low == first.low);
  CHECK(again.high == first.high);
}

TEST_CASE("the bootstrap refuses what makes no sense") {
  CHECK_FALSE(bootstrap_median_interval(one_to(1)).known());
  CHECK(bootstrap_median_interval(one_to(2)).known());
  CHECK_THROWS_AS(bootstrap_median_interval(one_to(5), {0.95, 99, 1}), std::invalid_argument);
  CHECK_NOTHROW(bootstrap_median_interval(one_to(5), {0.95, 100, 1}));
  CHECK_THROWS_AS(bootstrap_median_interval(one_to(5), {1, 1000, 1}), std::invalid_argument);
  CHECK_THROWS_AS(bootstrap_median_interval({}, {}), std::invalid_argument);
}
