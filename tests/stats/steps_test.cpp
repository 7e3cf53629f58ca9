// Steps, trends and disturbed values: found where they are, whatever else the series does.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/level_noise.hpp"
#include "stats/steps.hpp"
#include "support/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace benchctl::stats;
using namespace benchctl::test;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

using Places = std::vector<std::size_t>;

std::vector<double> noisy(std::uint64_t seed, std::size_t n, double spread) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(spread * random.normal());
  return values;
}

void raise(std::vector<double>& values, std::size_t from, std::size_t to, double by) {
  for (std::size_t i = from; i < to; ++i) values[i] += by;
}

LevelChanges changes_of(const std::vector<double>& values, double level = 0.05) {
  return find_changes(values, std::vector<double>(values.size(), 0.0), level);
}

Places places_of(const LevelChanges& changes) {
  Places places;
  for (const Step& step : changes.steps) places.push_back(step.at);
  return places;
}

}  // namespace

TEST_CASE("several steps are found, each against its neighbours") {
  std::vector<double> values = noisy(1, 40, 0.01);
  raise(values, 10, 25, 1);
  raise(values, 25, 40, 0.6);
  const LevelChanges found = changes_of(values, 0.01);
  REQUIRE(places_of(found) == Places{10, 25});
  CHECK_FALSE(found.trend);
  CHECK_THAT(found.steps[0].shift, WithinAbs(1, 0.02));
  CHECK_THAT(found.steps[1].shift, WithinAbs(-0.4, 0.02));
  CHECK(found.steps[1].interval.low < -0.4);
  CHECK(found.steps[1].interval.high > -0.4);
  CHECK(found.steps[1].interval.high < -0.35);
}

TEST_CASE("a bump that comes back is two steps") {
  std::vector<double> values = noisy(2, 20, 0.02);
  raise(values, 7, 13, 0.2);
  CHECK(places_of(changes_of(values)) == Places{7, 13});
}

TEST_CASE("three new values are a step at the end, and disturbed between others") {
  std::vector<double> end = noisy(3, 20, 0.02);
  raise(end, 17, 20, 0.2);
  CHECK(places_of(changes_of(end)) == Places{17});
  CHECK(changes_of(end).disturbed.empty());
  std::vector<double> between = noisy(3, 20, 0.02);
  raise(between, 9, 12, 0.2);
  const LevelChanges found = changes_of(between);
  CHECK(found.steps.empty());
  CHECK_FALSE(found.trend);
  CHECK(found.disturbed == Places{9, 10, 11});
}

TEST_CASE("one disturbed value is named and is no step, wherever it is") {
  for (std::size_t at = 0; at < 20; ++at) {
    std::vector<double> values = noisy(40 + at, 20, 0.02);
    values[at] += 0.5;
    const LevelChanges found = changes_of(values);
    CAPTURE(at);
    CHECK(found.steps.empty());
    CHECK_FALSE(found.trend);
    CHECK(found.disturbed == Places{at});
  }
}

TEST_CASE("a step is found beside disturbed values") {
  std::vector<double> values = noisy(5, 30, 0.02);
  raise(values, 18, 30, 0.15);
  values[4] += 1;
  values[25] += 0.8;
  const LevelChanges found = changes_of(values);
  REQUIRE(places_of(found) == Places{18});
  CHECK_THAT(found.steps[0].shift, WithinAbs(0.15, 0.03));
  CHECK(found.disturbed == Places{4, 25});
}

TEST_CASE("a slow drift is a trend and no staircase, with its size") {
  std::vector<double> values = noisy(6, 30, 0.02);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.2 * static_cast<double>(i) / 29;
  values[12] += 0.6;
  const LevelChanges found = changes_of(values);
  CHECK(found.steps.empty());
  REQUIRE(found.trend);
  CHECK_THAT(found.trend->shift, WithinAbs(0.2, 0.03));
  CHECK(found.trend->interval.low < 0.2);
  CHECK(found.trend->interval.low > 0.1);
  CHECK(found.trend->interval.high > 0.2);
  CHECK(found.trend->p_value < 0.001);
  CHECK(found.disturbed == Places{12});
}

TEST_CASE("a cut has to save four standard deviations of what neighbours differ by") {
  // In turns above and below, by 1 and, from the 23rd on, by 1/2: the median difference is 1.75.
  const auto raised = [](double by) {
    std::vector<double> values;
    for (int i = 0; i < 45; ++i) values.push_back((i < 23 ? 1 : 0.5) * (i % 2 == 0 ? 1 : -1));
    raise(values, 15, 30, by);
    return places_of(changes_of(values));
  };
  CHECK(raised(2.1).empty());
  CHECK(raised(2.12) == Places{16, 30});
}

TEST_CASE("a step has the error of both its levels, and its p-value counts all places") {
  // The outlier of 4.5 counts as two standard deviations: the levels are 0.1 and 4.
  std::vector<double> values(22, 0.0);
  raise(values, 10, 22, 4);
  values[4] = 4.5;
  const std::vector<double> errors(22, 0.5);
  std::vector<double> residuals(22, 0.0);
  raise(residuals, 0, 10, -0.1);
  residuals[4] = 4.4;
  const LevelNoise noise = level_noise(residuals, 2, errors);
  REQUIRE(noise.scatter == 0.5);
  const double error = 0.5 * std::sqrt(noise.mean_variance(10) + noise.mean_variance(12));
  const LevelChanges found = find_changes(values, errors, 0.05);
  REQUIRE(places_of(found) == Places{10});
  const Step& step = found.steps[0];
  CHECK_THAT(step.shift, WithinRel(3.9, 1e-12));
  CHECK_THAT(step.interval.low, WithinRel(3.9 - noise.half_interval() * error, 1e-9));
  CHECK_THAT(step.interval.high, WithinRel(3.9 + noise.half_interval() * error, 1e-9));
  CHECK_THAT(step.p_value, WithinRel(22 * noise.p_value(3.9 / error), 1e-9));
  CHECK(places_of(find_changes(values, errors, step.p_value)) == Places{10});
  CHECK(find_changes(values, errors, 0.999 * step.p_value).steps.empty());
}

TEST_CASE("of up to nine values of a level four fifths lie on its side, of ten not so many") {
  const auto is_level = [](std::vector<double> values) {
    const std::size_t n = values.size();
    values.insert(values.end(), 12, 20.0);
    const std::vector<double> errors(values.size(), 0.5);
    const bool at_start = places_of(find_changes(values, errors, 0.05)) == Places{n};
    std::ranges::reverse(values);
    CHECK((places_of(find_changes(values, errors, 0.05)) == Places{12}) == at_start);
    return at_start;
  };
  CHECK(is_level({30, 30, 30}));
  CHECK_FALSE(is_level({30, 21, 30, 30}));
  CHECK(is_level({30, 30, 21, 30, 30}));
  CHECK_FALSE(is_level({30, 21, 30, 21, 30}));
  CHECK(is_level({30, 30, 30, 30, 21, 30, 30, 30, 30}));
  CHECK_FALSE(is_level({30, 30, 21, 30, 30, 30, 21, 30, 30}));
  CHECK(is_level({30, 21, 30, 30, 21, 30, 30, 21, 30, 30}));
}

TEST_CASE("a trend has the error of a slope in dependent noise") {
  // A line in errors of 1/2: ten degrees of freedom count as eight, neighbours correlate by 1/2.
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(i);
  const std::vector<double> errors(12, 0.5);
  LevelNoise noise;
  noise.degrees = 8;
  const double error = 0.5 * 11 * std::sqrt(12.0 / (12 * 143) * 1.5 / 0.5);
  const LevelChanges found = find_changes(values, errors, 0.05);
  REQUIRE(found.trend);
  CHECK(found.steps.empty());
  CHECK(found.trend->shift == 11);
  CHECK_THAT(found.trend->interval.low, WithinRel(11 - noise.half_interval() * error, 1e-9));
  CHECK_THAT(found.trend->interval.high, WithinRel(11 + noise.half_interval() * error, 1e-9));
  CHECK_THAT(found.trend->p_value, WithinRel(noise.p_value(11 / error), 1e-9));
  CHECK(find_changes(values, errors, found.trend->p_value).trend);
  CHECK_FALSE(find_changes(values, errors, 0.999 * found.trend->p_value).trend);
}

TEST_CASE("a step or a trend is said by what fits better, with a penalty for each level") {
  // From a step to a line of the same height; Schwarz's criterion changes sides at 57 %.
  const auto mixed = [](double line) {
    std::vector<double> values;
    for (int i = 0; i < 24; ++i)
      values.push_back(10 * line * i / 23 + (i < 12 ? 0 : 10 * (1 - line)) + (i % 2 == 0 ? -0.3 : 0.3));
    return changes_of(values);
  };
  CHECK(places_of(mixed(0.56)) == Places{12});
  CHECK_FALSE(mixed(0.56).trend);
  CHECK(mixed(0.58).steps.empty());
  CHECK(mixed(0.58).trend);
  // Steps that are not certain fit better than the line: it is no trend.
  std::vector<double> unclear(12, 0.0);
  unclear.insert(unclear.end(), {10, 10, 1, 10, 10, 10, 1, 10, 10});
  for (std::size_t i = 0; i < unclear.size(); ++i) unclear[i] += 0.4 * static_cast<double>(i);
  const LevelChanges neither = find_changes(unclear, std::vector<double>(21, 0.5), 0.05);
  CHECK(neither.steps.empty());
  CHECK_FALSE(neither.trend);
}

TEST_CASE("a value is disturbed beyond the noise and its own error") {
  std::vector<double> values(20, 0.0);
  std::vector<double> errors(20, 1.0);
  values[7] = 6;
  // The level is 0.1: 6 counts as two standard deviations.
  std::vector<double> residuals(20, -0.1);
  residuals[7] = 6 - 0.1;
  const double p = 20 * level_noise(residuals, 1, errors).p_value(residuals[7]);
  CHECK(find_changes(values, errors, p).disturbed == Places{7});
  CHECK(find_changes(values, errors, 0.999 * p).disturbed.empty());
  values[7] = 12;
  errors[7] = 6;
  CHECK(find_changes(values, errors, 0.05).disturbed.empty());
}

TEST_CASE("values that agree better than they are known make no step") {
  const std::vector<double> values{1, 1, 1, 1, 1.001, 1.001, 1.001, 1.001};
  CHECK(places_of(changes_of(values)) == Places{4});
  CHECK(changes_of(values).steps[0].p_value == 0);
  const LevelChanges known = find_changes(values, std::vector<double>(8, 0.01), 0.05);
  CHECK(known.steps.empty());
  CHECK_FALSE(known.trend);
  const LevelChanges equal = changes_of(std::vector<double>(8, 1.0));
  CHECK(equal.steps.empty());
  CHECK_FALSE(equal.trend);
  CHECK(equal.disturbed.empty());
}

TEST_CASE("short series have no changes") {
  for (const std::size_t n : {0U, 1U, 2U, 5U}) {
    std::vector<double> values(n, 1.0);
    if (n > 2) raise(values, n - 2, n, 9);
    CHECK(changes_of(values).steps.empty());
    CHECK(changes_of(values).disturbed.empty());
  }
  CHECK(places_of(changes_of({1, 1.01, 1, 9, 9.01, 9})) == Places{3});
}

TEST_CASE("changes refuse what is no series") {
  const std::vector<double> two{1, 2};
  const std::vector<double> none(2, 0.0);
  CHECK_THROWS_AS(find_changes(two, std::vector<double>{0}, 0.05), std::invalid_argument);
  CHECK_THROWS_AS(find_changes(two, none, 0), std::invalid_argument);
  CHECK_THROWS_AS(find_changes(two, none, 1), std::invalid_argument);
  CHECK_THROWS_AS(find_changes(two, std::vector<double>{0, -1}, 0.05), std::invalid_argument);
  CHECK_THROWS_AS(
      find_changes(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}, none, 0.05),
      std::invalid_argument);
}
