// Paired rounds: the ratio, its interval and the sign test.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/paired.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using Catch::Matchers::WithinRel;

namespace {

struct Rounds {
  std::vector<double> a;
  std::vector<double> b;
};

/// Rounds whose common part swings by a factor of two, the ratio by a few per cent around `ratio`.
Rounds swinging(std::size_t n, double ratio) {
  std::mt19937_64 random(n);
  std::uniform_real_distribution<double> common(1, 2);
  std::uniform_real_distribution<double> own(0.97, 1.03);
  Rounds rounds;
  for (std::size_t i = 0; i < n; ++i) {
    const double level = common(random);
    rounds.a.push_back(level * ratio * own(random));
    rounds.b.push_back(level * own(random));
  }
  return rounds;
}

}  // namespace

TEST_CASE("the ratio of paired rounds is the median of the rounds' ratios") {
  // Ratios 2, 3 and 8; the ratio of the medians would be 4 / 3.
  const std::vector<double> a{4, 3, 40};
  const std::vector<double> b{2, 1, 5};
  const RatioEstimate odd = paired_ratio(a, b);
  CHECK(odd.n == 3);
  CHECK_THAT(odd.ratio, WithinRel(3.0, 1e-14));
  CHECK_FALSE(odd.interval.known());
  // Of two in the middle the geometric mean: √(2 · 8) = 4.
  CHECK_THAT(paired_ratio(std::vector{2.0, 8.0}, std::vector{1.0, 1.0}).ratio, WithinRel(4.0, 1e-14));
}

TEST_CASE("the interval of a paired ratio is that of the median, on the logarithmic scale") {
  // Log ratios 1 … 6: the ends are at 1 + 5/14 and 6 − 5/14 (see summary_test.cpp).
  std::vector<double> a;
  for (int i = 1; i <= 6; ++i) a.push_back(7 * std::exp(i));
  const RatioEstimate six = paired_ratio(a, std::vector<double>(6, 7.0));
  CHECK_THAT(six.ratio, WithinRel(std::exp(3.5), 1e-12));
  CHECK_THAT(six.interval.low, WithinRel(std::exp(1 + 5.0 / 14), 1e-12));
  CHECK_THAT(six.interval.high, WithinRel(std::exp(6 - 5.0 / 14), 1e-12));
  // All six rounds on one side: 2 / 2^6.
  CHECK_THAT(six.p_value, WithinRel(2.0 / 64, 1e-12));
  CHECK(paired_ratio(a, std::vector<double>(6, 7.0), 0.9).interval.low > six.interval.low);
  CHECK_FALSE(paired_ratio(a, std::vector<double>(6, 7.0), 0.99).interval.known());
}

TEST_CASE("exchanging the two inverts the ratio, permuting the rounds changes nothing") {
  Rounds rounds = swinging(33, 0.8);
  const RatioEstimate forth = paired_ratio(rounds.a, rounds.b);
  const RatioEstimate back = paired_ratio(rounds.b, rounds.a);
  CHECK_THAT(back.ratio, WithinRel(forth.inverse().ratio, 1e-14));
  CHECK_THAT(back.interval.low, WithinRel(forth.inverse().interval.low, 1e-14));
  CHECK_THAT(back.interval.high, WithinRel(forth.inverse().interval.high, 1e-14));
  CHECK(back.p_value == forth.p_value);
  CHECK(forth.inverse().n == 33);
  std::ranges::reverse(rounds.a);
  std::ranges::reverse(rounds.b);
  CHECK(paired_ratio(rounds.a, rounds.b).interval.low == forth.interval.low);
  for (double& x : rounds.a) x *= 4;
  CHECK_THAT(paired_ratio(rounds.a, rounds.b).interval.high, WithinRel(4 * forth.interval.high, 1e-14));
}

TEST_CASE("identical rounds have the ratio 1, without width and without evidence") {
  const std::vector<double> same{3, 1, 4, 1, 5, 9, 2, 6};
  const RatioEstimate estimate = paired_ratio(same, same);
  CHECK(estimate.ratio == 1);
  CHECK(estimate.interval.low == 1);
  CHECK(estimate.interval.high == 1);
  CHECK(estimate.p_value == 1);
}

TEST_CASE("the sign test counts signs by the binomial distribution") {
  // 8 of 9: 2 · (9 + 1) / 512
  CHECK_THAT(sign_test(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, -100}), WithinRel(20.0 / 512, 1e-12));
  CHECK_THAT(sign_test(std::vector<double>{-1, -2, -3, -4, -5, -6, -7, -8, 100}),
             WithinRel(20.0 / 512, 1e-12));
  // Zeros are left out: 3 of 4 are 2 · (4 + 1) / 16.
  CHECK_THAT(sign_test(std::vector<double>{0, 1, 0, 1, 1, -1, 0}), WithinRel(10.0 / 16, 1e-12));
  CHECK(sign_test(std::vector<double>{1, -1}) == 1);
  CHECK(sign_test(std::vector<double>{2, 2, -1}) == 1);
  CHECK(sign_test(std::vector<double>{0, 0}) == 1);
  CHECK(sign_test(std::vector<double>{1}) == 1);
  CHECK_THROWS_AS(sign_test(std::vector<double>{}), std::invalid_argument);
}

TEST_CASE("the sign test and the interval agree on whether a ratio of 1 is possible") {
  // At a confidence that an order statistic has exactly, the interval leaves 1 out just when p ≤ 1 − c:
  // of 10 rounds the 2nd and the 9th enclose the median with 1 − 22/1024.
  const std::vector<double> ones(10, 1.0);
  for (std::size_t below = 0; below <= 3; ++below) {
    std::vector<double> a(10);
    for (std::size_t i = 0; i < 10; ++i) a[i] = i < below ? 0.5 : 1.5;
    const RatioEstimate estimate = paired_ratio(a, ones, 1 - 22.0 / 1024);
    CHECK((estimate.interval.low > 1) == (estimate.p_value <= 22.0 / 1024 + 1e-12));
  }
}

TEST_CASE("rounds that cannot be paired are refused") {
  const std::vector<double> two{1, 2};
  CHECK_THROWS_AS(paired_ratio(two, std::vector{1.0}), std::invalid_argument);
  CHECK_THROWS_AS(paired_ratio({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(paired_ratio(two, two, 1), std::invalid_argument);
  CHECK_THROWS_AS(paired_ratio(two, two, 0.4), std::invalid_argument);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CHECK_THROWS_AS(paired_ratio(two, std::vector{1.0, bad}), std::invalid_argument);
    CHECK_THROWS_AS(paired_ratio(std::vector{bad, 1.0}, two), std::invalid_argument);
  }
}
