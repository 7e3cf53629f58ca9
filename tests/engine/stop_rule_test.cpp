// When a stop rule has enough. Their coverage is tested in coverage_test.cpp.
#include "engine/sampling.hpp"
#include "stats/summary.hpp"
#include "support/series.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

using namespace benchctl;

namespace {

const std::vector<double> level(1000, 5.0);

std::vector<double> first(const std::vector<double>& values, std::size_t n) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)};
}

std::vector<double> normal(std::size_t n, double spread) {
  return test::draw_series(test::series_kinds().front(), n, spread, 5);
}

}  // namespace

TEST_CASE("by target, two looks in succession must agree, the second at the minimum or later") {
  MeasureSettings settings;
  settings.min_samples = 30;
  const auto rule = make_stop_rule(settings);
  CHECK(rule->reason() == StopReason::target);
  CHECK(rule->goal() == settings.max_samples);
  CHECK_FALSE(rule->enough(first(level, 19)));
  CHECK(rule->confidence() == 0.95);  // nothing was looked at
  CHECK_FALSE(rule->enough(first(level, 20)));
  CHECK(rule->confidence() == 0.96);
  CHECK_FALSE(rule->enough(first(level, 29)));
  CHECK(rule->enough(first(level, 30)));
}

TEST_CASE("looks lie a quarter apart, from the minimum on") {
  const auto at_minimum = make_stop_rule(MeasureSettings{});
  CHECK_FALSE(at_minimum->enough(first(normal(30, 1), 30)));
  CHECK_FALSE(at_minimum->enough(first(level, 31)));  // no look
  CHECK_FALSE(at_minimum->enough(first(level, 38)));
  CHECK_FALSE(at_minimum->enough(first(level, 39)));  // no look
  CHECK(at_minimum->enough(first(level, 48)));
  CHECK(at_minimum->enough(first(level, 49)));  // no look: what the latest said
  const auto rule = make_stop_rule(MeasureSettings{});
  CHECK_FALSE(rule->enough(first(level, 100)));
  CHECK_FALSE(rule->enough(first(level, 124)));
  CHECK(rule->enough(first(level, 125)));
}

TEST_CASE("a wide interval in between starts the count anew") {
  MeasureSettings settings;
  settings.target = 0.01;
  const auto rule = make_stop_rule(settings);
  const std::vector<double> wide = normal(1000, 1);
  CHECK_FALSE(rule->enough(first(level, 40)));
  CHECK_FALSE(rule->enough(first(wide, 50)));
  CHECK_FALSE(rule->enough(first(level, 63)));
  CHECK(rule->enough(first(level, 79)));
}

TEST_CASE("the target is compared with the half-width at the rule's confidence") {
  const std::vector<double> values = normal(100, 0.05);
  const stats::Interval interval = stats::block_interval(values, 0.96);
  const double width = (interval.high - interval.low) / 2 / stats::median(values);
  for (const bool met : {true, false}) {
    MeasureSettings settings;
    settings.target = width * (met ? 1 + 1e-9 : 1 - 1e-9);
    const auto rule = make_stop_rule(settings);
    CHECK_FALSE(rule->enough(values));
    // Each value two times in turn: the blocks have the same medians.
    std::vector<double> more;
    for (const double value : values) more.insert(more.end(), 2, value);
    CHECK(rule->enough(more) == met);
  }
}
