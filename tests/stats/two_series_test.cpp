// Two independent series: Mann and Whitney's test and the ratio of medians.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/independent.hpp"
#include "stats/mann_whitney.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// P(U ≤ u), both tails, from all 2^(m+n) choices of m places among m + n.
double counted(unsigned m, unsigned n, double u) {
  double at_most = 0;
  double all = 0;
  for (unsigned places = 0; places < (1U << (m + n)); ++places) {
    unsigned chosen = 0;
    unsigned seconds = 0;
    double pairs = 0;
    for (unsigned i = 0; i < m + n; ++i) {
      if ((places >> i & 1U) != 0) {
        ++chosen;
        pairs += seconds;
      } else {
        ++seconds;
      }
    }
    if (chosen != m) continue;
    ++all;
    if (pairs <= u) ++at_most;
  }
  return std::min(1.0, 2 * at_most / all);
}

}  // namespace

TEST_CASE("Mann and Whitney's test is exact for few samples without ties") {
  const MannWhitney apart = mann_whitney(std::vector<double>{3, 1, 2}, std::vector<double>{6, 4, 5});
  CHECK(apart.exact);
  CHECK(apart.u == 0);
  CHECK(apart.superiority == 0);
  CHECK_THAT(apart.p_value, WithinRel(2.0 / 20, 1e-12));  // one order of 20
  // u = 2 of 3 and 4: 1 + 1 + 2 of 35 orders.
  const MannWhitney mixed = mann_whitney(std::vector<double>{1, 2, 5}, std::vector<double>{3, 4, 6, 7});
  CHECK(mixed.u == 2);
  CHECK_THAT(mixed.superiority, WithinRel(2.0 / 12, 1e-12));
  CHECK_THAT(mixed.p_value, WithinRel(8.0 / 35, 1e-12));
  CHECK(mann_whitney(std::vector<double>{1}, std::vector<double>{2}).p_value == 1);
}

TEST_CASE("the exact distribution is that of counting every order") {
  for (unsigned m = 1; m <= 6; ++m) {
    for (unsigned n = 1; n <= 5; ++n) {
      // The first series is 1 … m, the second starts after `shift` of them.
      for (unsigned shift = 0; shift <= m; ++shift) {
        std::vector<double> a;
        std::vector<double> b;
        for (unsigned i = 0; i < m; ++i) a.push_back(i);
        for (unsigned i = 0; i < n; ++i) b.push_back(shift - 0.5 + 0.01 * i);
        const double u = n * (m - shift);
        const MannWhitney result = mann_whitney(a, b);
        CHECK(result.u == u);
        CHECK_THAT(result.p_value, WithinAbs(counted(m, n, std::min(u, m * n - u)), 1e-12));
      }
    }
  }
}

TEST_CASE("ties are halved and correct the variance of the approximation") {
  // u = 0 + ½ + ½ + 1½; groups of 3, 2 and 2 equal ones: 24 + 6 + 6.
  const MannWhitney ties = mann_whitney(std::vector<double>{1, 2, 2, 3}, std::vector<double>{2, 3, 4, 4});
  CHECK_FALSE(ties.exact);
  CHECK(ties.u == 2.5);
  const double deviation = std::sqrt(16.0 / 12 * (9 - 36.0 / 56));
  CHECK_THAT(ties.p_value, WithinRel(std::erfc(5 / deviation / std::sqrt(2.0)), 1e-9));
  // All in three pairs: (1.5 − 0.5) / √(3/12·(5 − 24/12)).
  CHECK_THAT(mann_whitney(std::vector<double>{1}, std::vector<double>{2, 2, 2}).p_value,
             WithinRel(std::erfc(1 / std::sqrt(0.75) / std::sqrt(2.0)), 1e-9));
  const std::vector<double> equal(10, 3.0);
  CHECK(mann_whitney(equal, equal).p_value == 1);
  CHECK(mann_whitney(equal, equal).superiority == 0.5);
}

TEST_CASE("many samples are approximated, 400 pairs are not") {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(i);
    b.push_back(i + 4.5);
  }
  const MannWhitney exact = mann_whitney(a, b);
  CHECK(exact.exact);
  a.push_back(100);
  CHECK_FALSE(mann_whitney(a, b).exact);
  std::vector<double> many(401);
  std::iota(many.begin(), many.end(), 0.0);
  CHECK_FALSE(mann_whitney(std::vector<double>{-1}, many).exact);
  a.pop_back();
  a.back() = a.front();  // a tie
  CHECK_FALSE(mann_whitney(a, b).exact);
  CHECK(exact.p_value > 0.01);
  CHECK(exact.p_value < 0.05);
}

TEST_CASE("exchanging the series mirrors the test") {
  const std::vector<double> a{1, 4, 4, 9, 2.5};
  const std::vector<double> b{4, 7, 8, 3};
  const MannWhitney forth = mann_whitney(a, b);
  const MannWhitney back = mann_whitney(b, a);
  CHECK(forth.u + back.u == 20);
  CHECK(forth.p_value == back.p_value);
  CHECK_THROWS_AS(mann_whitney({}, b), std::invalid_argument);
  CHECK_THROWS_AS(mann_whitney(a, std::vector{std::nan("")}), std::invalid_argument);
}

TEST_CASE("the ratio of two medians adds the errors of both") {
  // Logarithms 2 (−0.3, +0.8) and 1 (−0.6, +0.4): below √(0.3² + 0.4²), above √(0.8² + 0.6²).
  const MedianEstimate a{std::exp(2.0), {std::exp(1.7), std::exp(2.8)}};
  const MedianEstimate b{std::exp(1.0), {std::exp(0.4), std::exp(1.4)}};
  const RatioEstimate forth = ratio_of_medians(a, b);
  CHECK_THAT(forth.ratio, WithinRel(std::exp(1.0), 1e-12));
  CHECK_THAT(forth.interval.low, WithinRel(std::exp(0.5), 1e-12));
  CHECK_THAT(forth.interval.high, WithinRel(std::exp(2.0), 1e-12));
  CHECK(std::isnan(forth.p_value));
  CHECK(forth.n == 0);
  CHECK(ratio_of_medians(MedianEstimate{0.25, {0.2, 0.3}}, MedianEstimate{0.5, {0.4, 0.6}}).ratio == 0.5);
  const RatioEstimate back = ratio_of_medians(b, a);
  CHECK_THAT(back.ratio, WithinRel(forth.inverse().ratio, 1e-12));
  CHECK_THAT(back.interval.low, WithinRel(forth.inverse().interval.low, 1e-12));
  CHECK_THAT(back.interval.high, WithinRel(forth.inverse().interval.high, 1e-12));
}

TEST_CASE("a ratio without known ends has no interval") {
  const MedianEstimate good{2, {1, 3}};
  const double unknown = std::nan("");
  CHECK_FALSE(ratio_of_medians({2, {unknown, unknown}}, good).interval.known());
  CHECK_FALSE(ratio_of_medians(good, {2, {unknown, unknown}}).interval.known());
  CHECK_FALSE(ratio_of_medians({2, {0, 3}}, good).interval.known());
  CHECK_FALSE(ratio_of_medians(good, {2, {-1, 3}}).interval.known());
  CHECK(ratio_of_medians({2, {unknown, unknown}}, good).ratio == 1);
  CHECK_THROWS_AS(ratio_of_medians({0, {0, 1}}, good), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_medians(good, {unknown, {1, 2}}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of_medians({INFINITY, {1, 2}}, good), std::invalid_argument);
}

TEST_CASE("the ratio of two series' medians, from the samples") {
  const auto kind = benchctl::test::series_kinds().front();
  std::vector<double> a = benchctl::test::draw_series(kind, 50, 0.05, 1);
  for (double& x : a) x *= 2;
  const std::vector<double> b = benchctl::test::draw_series(kind, 80, 0.05, 2);
  const RatioEstimate forth = ratio_of_medians(a, b);
  CHECK(forth.n == 50);
  CHECK_THAT(forth.ratio, WithinRel(median(a) / median(b), 1e-3));
  CHECK(forth.interval.low < 2);
  CHECK(forth.interval.high > 2);
  CHECK(forth.interval.low > 1.9);
  CHECK(forth.interval.high < 2.1);
  CHECK(forth.p_value == mann_whitney(a, b).p_value);
  CHECK(ratio_of_medians(a, b, 0.8).interval.low > forth.interval.low);
  std::ranges::reverse(a);
  CHECK(ratio_of_medians(a, b).interval.low == forth.interval.low);
  CHECK_THAT(ratio_of_medians(b, a).interval.low, WithinRel(1 / forth.interval.high, 1e-12));
  CHECK_THROWS_AS(ratio_of_medians(a, std::vector<double>{1, 0}), std::invalid_argument);
}
