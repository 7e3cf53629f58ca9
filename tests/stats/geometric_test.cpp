// Geometric means.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/geometric.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

using namespace benchctl::stats;
using Catch::Matchers::WithinRel;

TEST_CASE("the geometric mean and its interval by Student's t") {
  CHECK_THAT(geometric_mean(std::vector<double>{2, 8}), WithinRel(4.0, 1e-14));
  // Logarithms ln 2 and 3 ln 2: mean 2 ln 2, standard error ln 2, so t = 2 with one degree of freedom,
  // which is Cauchy's distribution: its 97.5 % quantile is tan(0.475 π).
  const RatioEstimate two = mean_ratio(std::vector<double>{2, 8});
  const double quantile = std::tan(0.475 * std::numbers::pi);
  CHECK(two.n == 2);
  CHECK_THAT(two.ratio, WithinRel(4.0, 1e-14));
  CHECK_THAT(two.interval.low, WithinRel(4 * std::pow(2.0, -quantile), 1e-9));
  CHECK_THAT(two.interval.high, WithinRel(4 * std::pow(2.0, quantile), 1e-9));
  CHECK_THAT(two.p_value, WithinRel(1 - 2 * std::atan(2.0) / std::numbers::pi, 1e-9));
  // Three: 1, 2, 4 with mean ln 2, deviations ∓ln 2, standard error ln 2/√3; two degrees of freedom have
  // the quantile (2p − 1) / √(2p (1 − p)) = 0.95 / √(2·0.975·0.025).
  const RatioEstimate three = mean_ratio(std::vector<double>{4, 1, 2});
  const double half = 0.95 / std::sqrt(2 * 0.975 * 0.025) / std::sqrt(3.0);
  CHECK_THAT(three.interval.high, WithinRel(2 * std::pow(2.0, half), 1e-9));
  CHECK(mean_ratio(std::vector<double>{4, 1, 2}, 0.8).interval.high < three.interval.high);
}

TEST_CASE("inverting every ratio inverts the mean") {
  const RatioEstimate forth = mean_ratio(std::vector<double>{0.5, 1.25, 3, 0.8});
  const RatioEstimate back = mean_ratio(std::vector<double>{1 / 0.8, 1 / 3.0, 2, 0.8});
  CHECK_THAT(back.ratio, WithinRel(1 / forth.ratio, 1e-12));
  CHECK_THAT(back.interval.low, WithinRel(1 / forth.interval.high, 1e-12));
  CHECK_THAT(back.p_value, WithinRel(forth.p_value, 1e-9));
}

TEST_CASE("one ratio has no interval, equal ones no width") {
  CHECK_FALSE(mean_ratio(std::vector<double>{2}).interval.known());
  CHECK(mean_ratio(std::vector<double>{2}).p_value == 1);
  const RatioEstimate equal = mean_ratio(std::vector<double>{2, 2, 2});
  CHECK_THAT(equal.interval.low, WithinRel(2.0, 1e-12));
  CHECK_THAT(equal.interval.high, WithinRel(2.0, 1e-12));
  CHECK(equal.p_value == 0);
  CHECK(mean_ratio(std::vector<double>{1, 1}).p_value == 1);
  CHECK_THROWS_AS(mean_ratio(std::vector<double>{1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(mean_ratio(std::vector<double>{1, 2}, 1), std::invalid_argument);
  CHECK_THROWS_AS(geometric_mean({}), std::invalid_argument);
  CHECK_THROWS_AS(geometric_mean(std::vector<double>{-1}), std::invalid_argument);
}
