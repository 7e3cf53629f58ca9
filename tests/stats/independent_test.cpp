// The ratio of two medians that are known with their intervals.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/independent.hpp"

#include <cmath>
#include <stdexcept>

using namespace benchctl::stats;
using Catch::Matchers::WithinRel;

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
