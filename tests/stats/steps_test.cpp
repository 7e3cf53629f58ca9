// Steps in a series: found where they are, and seldom where there is none.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/steps.hpp"
#include "support/series.hpp"

#include <limits>

using namespace benchctl::stats;
using namespace benchctl::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

std::vector<double> none(std::size_t n) { return std::vector<double>(n, 0.0); }

std::vector<double> noisy(std::uint64_t seed, std::size_t n, double spread) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(spread * random.normal());
  return values;
}

}  // namespace

TEST_CASE("a step has its place, its size and Student's interval") {
  // 1 2 | 5 6: means 1.5 and 5.5, pooled variance 0.5, standard error sqrt(0.5), t = 5.65685 with 2
  // degrees: two-sided p = 0.0298575; three places.
  const std::vector<double> values{1, 2, 5, 6};
  const auto steps = find_steps(values, none(4), 0.1);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].at == 2);
  CHECK_THAT(steps[0].shift, WithinRel(4.0, 1e-12));
  CHECK_THAT(steps[0].p_value, WithinRel(3 * 0.0298575, 1e-4));
  CHECK_THAT(steps[0].interval.low, WithinRel(4 - 4.302652730 * std::sqrt(0.5), 1e-8));
  CHECK_THAT(steps[0].interval.high, WithinRel(4 + 4.302652730 * std::sqrt(0.5), 1e-8));
  CHECK(find_steps(values, none(4), 0.08).empty());
}

TEST_CASE("values are never taken to be better known than their own errors say") {
  // The same values with errors of 1, 2, 3 and 4: their mean square 7.5 replaces the pooled variance of
  // 0.5. t = 4 / sqrt(7.5), 2 degrees: two-sided p = 1 - sqrt(t² / (t² + 2)); three places.
  const std::vector<double> values{1, 2, 5, 6};
  const std::vector<double> errors{1, 2, 3, 4};
  const auto steps = find_steps(values, errors, 0.9);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].at == 2);
  const double t_squared = 16 / 7.5;
  CHECK_THAT(steps[0].p_value, WithinRel(3 * (1 - std::sqrt(t_squared / (t_squared + 2))), 1e-9));
  CHECK_THAT(steps[0].interval.low, WithinRel(4 - 4.302652730 * std::sqrt(7.5), 1e-8));
  CHECK(find_steps(values, errors, 0.8).empty());
  // Errors below the scatter change nothing.
  CHECK(find_steps(values, std::vector<double>(4, 0.5), 0.1).at(0).p_value ==
        find_steps(values, none(4), 0.1).at(0).p_value);
}

TEST_CASE("several steps are found, each against its neighbours") {
  std::vector<double> values = noisy(1, 40, 0.01);
  for (std::size_t i = 10; i < 40; ++i) values[i] += 1;
  for (std::size_t i = 25; i < 40; ++i) values[i] -= 0.4;
  const auto steps = find_steps(values, none(40), 0.01);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].at == 10);
  CHECK(steps[1].at == 25);
  CHECK_THAT(steps[0].shift, WithinAbs(1, 0.02));
  CHECK_THAT(steps[1].shift, WithinAbs(-0.4, 0.02));
  CHECK(steps[1].interval.low < -0.4);
  CHECK(steps[1].interval.high > -0.42);
}

TEST_CASE("the newest value alone can be a step") {
  std::vector<double> values = noisy(2, 12, 0.01);
  values.back() += 0.2;
  const auto steps = find_steps(values, none(12), 0.01);
  REQUIRE(steps.size() == 1);
  CHECK(steps[0].at == 11);
}

TEST_CASE("values that agree better than they are known make no step") {
  const std::vector<double> values{1, 1, 1, 1.001, 1.001, 1.001};
  CHECK(find_steps(values, none(6), 0.05).size() == 1);
  CHECK(find_steps(values, std::vector<double>(6, 0.01), 0.05).empty());
  CHECK(find_steps(std::vector<double>{1, 1, 1, 1}, none(4), 0.05).empty());
}

TEST_CASE("short series have none") {
  CHECK(find_steps(std::vector<double>{}, none(0), 0.05).empty());
  CHECK(find_steps(std::vector<double>{1}, none(1), 0.05).empty());
  CHECK(find_steps(std::vector<double>{1, 9}, none(2), 0.05).empty());
  const auto three = find_steps(std::vector<double>{1, 1, 9}, none(3), 0.05);
  REQUIRE(three.size() == 1);
  CHECK(three[0].at == 2);
}

TEST_CASE("a series without a step is said to have one no more often than stated") {
  for (const std::size_t n : {3U, 5U, 10U, 30U}) {
    CAPTURE(n);
    int wrong = 0;
    constexpr int series = 2000;
    for (std::uint64_t seed = 0; seed < series; ++seed) {
      wrong += find_steps(noisy(seed * 31 + n, n, 1), none(n), 0.05).empty() ? 0 : 1;
    }
    CHECK(wrong <= 0.06 * series);
    CHECK(wrong > 0);
  }
}

TEST_CASE("steps refuse what is no series") {
  const std::vector<double> two{1, 2};
  CHECK_THROWS_AS(find_steps(two, none(1), 0.05), std::invalid_argument);
  CHECK_THROWS_AS(find_steps(two, none(2), 0), std::invalid_argument);
  CHECK_THROWS_AS(find_steps(two, none(2), 1), std::invalid_argument);
  CHECK_THROWS_AS(find_steps(two, std::vector<double>{0, -1}, 0.05), std::invalid_argument);
  CHECK_THROWS_AS(
      find_steps(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}, none(2), 0.05),
      std::invalid_argument);
}
