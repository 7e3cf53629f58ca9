// Steps, trends and disturbed values: found where they are, whatever else the series does.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "stats/steps.hpp"
#include "support/series.hpp"

#include <limits>

using namespace benchctl::stats;
using namespace benchctl::test;
using Catch::Matchers::WithinAbs;

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
