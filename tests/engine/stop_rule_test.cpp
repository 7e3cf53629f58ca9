// When a stop rule has enough. Their coverage is tested in coverage_test.cpp.
#include "engine/stop_rule.hpp"
#include "engine/sampling.hpp"
#include "stats/summary.hpp"
#include "support/series.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

namespace {

const std::vector<double> level(1000, 5.0);

std::vector<double> first(const std::vector<double>& values, std::size_t n) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)};
}

std::vector<double> normal(std::size_t n, double spread) {
  return test::draw_series(test::series_kinds().front(), n, spread, 5);
}

}  // namespace

TEST_CASE("a fixed number is enough when it is there") {
  MeasureSettings settings;
  settings.fixed_samples = 12;
  const auto rule = make_stop_rule(settings);
  CHECK_FALSE(rule->enough(first(level, 11)));
  CHECK(rule->enough(first(level, 12)));
  CHECK(rule->goal() == 12);
  CHECK(rule->reason() == StopReason::fixed);
  CHECK(rule->confidence() == 0.95);
  settings.fixed_samples = 1;
  CHECK(make_stop_rule(settings)->reason() == StopReason::fixed);
}

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
  const stats::Interval interval = stats::median_interval(values, 0.96);
  const double width = (interval.high - interval.low) / 2 / stats::median(values);
  for (const bool met : {true, false}) {
    MeasureSettings settings;
    settings.target = width * (met ? 1 + 1e-9 : 1 - 1e-9);
    const auto rule = make_stop_rule(settings);
    CHECK_FALSE(rule->enough(values));
    std::vector<double> more = values;
    // Symmetrically around the median: the interval of 126 is narrower than that of 100, not wider.
    more.insert(more.end(), 26, stats::median(values));
    CHECK(rule->enough(more) == met);
  }
}

TEST_CASE("an interval that lies in one of two humps of samples is not narrow enough") {
  // 55 of 100 at 5, the others at 6: half an interval at the rule's confidence takes fewer than 5 of 100
  // samples from 450 on, one at 99.9 % from 1100 on.
  const auto two_humps = [](std::size_t n) {
    std::vector<double> values(n, 5.0);
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(n * 55 / 100), values.end(), 6.0);
    std::mt19937_64 random(5);
    for (std::size_t i = n; i > 1; --i) std::swap(values[i - 1], values[random() % i]);
    return values;
  };
  CHECK(PointInterval(two_humps(900), 0.96).relative_half_width == 0);
  CHECK(PointInterval(two_humps(900), 0.999).relative_half_width > 0.05);
  const auto rule = make_stop_rule(MeasureSettings{});
  CHECK_FALSE(rule->enough(two_humps(700)));
  CHECK_FALSE(rule->enough(two_humps(900)));
  CHECK_FALSE(rule->enough(two_humps(2000)));  // the first look at which it is narrow
  CHECK(rule->enough(two_humps(2500)));
}

TEST_CASE("the interval of a point is widened where samples depend on each other") {
  const std::vector<double> independent = normal(200, 0.05);
  const PointInterval plain(independent, 0.95);
  CHECK_FALSE(plain.dependence.shown);
  CHECK(plain.interval.low == stats::median_interval(independent).low);
  CHECK_THAT(plain.relative_half_width,
             WithinRel((plain.interval.high - plain.interval.low) / 2 / stats::median(independent), 1e-12));
  const std::vector<double> leaning = test::draw_series(test::dependent_kind(0.6), 400, 0.05, 5);
  const PointInterval widened(leaning, 0.95);
  CHECK(widened.dependence.shown);
  const stats::Interval unaware = stats::median_interval(leaning);
  CHECK(widened.interval.high - widened.interval.low > 1.3 * (unaware.high - unaware.low));
  CHECK(std::isnan(PointInterval(first(level, 5), 0.95).relative_half_width));
  CHECK(PointInterval(first(level, 6), 0.96).relative_half_width == 0);
}

TEST_CASE("a measurement says that its samples depend on each other") {
  MeasureSettings settings;
  settings.fixed_samples = 200;
  settings.max_seconds = 1e6;
  DeviceInfo device;
  for (const double rho : {0.0, 0.3, 0.95}) {
    PointSampler sampler(settings, device, true);
    sampler.executed_once(1e6);
    sampler.resume(test::draw_series(test::dependent_kind(rho), 199, 0.05, 5));
    while (!sampler.done()) {
      SampleBlock block;
      block.ns = {1.0};
      block.note = "a note of the plugin's";
      sampler.accept(block, 1);
    }
    const Measurement measurement = sampler.measurement();
    CHECK_THAT(measurement.note, ContainsSubstring("a note of the plugin's"));
    const PointInterval interval(sampler.samples(), 0.95);
    CAPTURE(rho);
    CHECK(interval.dependence.shown == (rho > 0));
    CHECK(interval.dependence.interval_holds == (rho < 0.9));
    if (rho > 0.9) {
      CHECK(std::isnan(measurement.ci_low_ns));
      CHECK(std::isnan(measurement.ci_high_ns));
      CHECK_THAT(measurement.note, ContainsSubstring("; dependent: no interval claimed"));
      continue;
    }
    CHECK(measurement.ci_low_ns == interval.interval.low);
    CHECK(measurement.ci_high_ns == interval.interval.high);
    if (rho > 0) {
      const std::string counts = "; samples depend on each other: the interval counts " +
                                 std::to_string(interval.dependence.effective);
      CHECK_THAT(measurement.note, ContainsSubstring(counts + " of 200"));
    } else {
      CHECK(measurement.note == "a note of the plugin's");
    }
  }
}

TEST_CASE("an interval is no narrower than the steps in which samples come") {
  MeasureSettings settings;
  settings.fixed_samples = 20;
  DeviceInfo device;
  device.timer_step_ns = 500;
  PointSampler sampler(settings, device, true);
  sampler.executed_once(1e6);
  while (!sampler.done()) {
    SampleBlock block;
    block.ns = std::vector<double>(sampler.next().count, 1e6);
    sampler.accept(block, 0.001);
  }
  CHECK(sampler.measurement().ci_low_ns == 1e6 - 250);
  CHECK(sampler.measurement().ci_high_ns == 1e6 + 250);
}

TEST_CASE("a target that was missed by little is told in digits that differ") {
  CHECK_THAT(missed_target("the median", 0.2, 0.01, "64 samples"),
             ContainsSubstring("the median is known to ±20 % after 64 samples, the target is ±1 %;"));
  CHECK_THAT(missed_target("the ratio", 0.0100004, 0.01),
             ContainsSubstring("the ratio is known to ±1.00004 %, the target is ±1 %;"));
  CHECK_THAT(missed_target("the median", 0.01004, 0.01),
             ContainsSubstring("±1.004 %") && ContainsSubstring("±1 %"));
}
