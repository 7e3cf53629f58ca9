// What a point asks for, and when it has enough. The coverage of stop rules is tested in coverage_test.cpp.
#include "engine/sampler_steps.hpp"
#include "stats/summary.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <utility>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::vector<double> level(1000, 5.0);

std::vector<double> first(const std::vector<double>& values, std::size_t n) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)};
}

std::vector<double> normal(std::size_t n, double spread) {
  return draw_series(series_kinds().front(), n, spread, 5);
}

}  // namespace

TEST_CASE("a short execution is batched until a sample is long against the timer's step") {
  CHECK(warmed(4'000, {}, device(500)).next().batch == 25);  // 200 × 500 ns over 4 µs
  CHECK(warmed(3'000).next().batch == 7);  // 20 µs over 3 µs: the shortest sample decides
  CHECK(warmed(150'000, {}, device(500)).next().batch == 1);
  CHECK(warmed(1'000, {}, device(500, 30)).next().batch == 30);  // no more than the device queues
  PointSampler in_place(MeasureSettings{}, device(500), true);   // executions change their input
  in_place.executed_once(1'000);
  warm_up(in_place, 1'000);
  CHECK(in_place.next().batch == 1);
}

TEST_CASE("a first round asks for 5 ms of samples, ten at most, and what time is left") {
  for (const auto& [ns, count] :
       std::vector<std::pair<double, std::uint32_t>>{{4.9e6, 1U}, {2e6, 2U}, {1e5, 10U}, {5e6, 1U}}) {
    MeasureSettings settings;
    settings.max_seconds = 100;
    PointSampler sampler = warmed(ns, settings);
    const SampleRequest request = sampler.next();
    CHECK(request.count == count);
    CHECK(sampler.expected_seconds() == Approx(ns * 1e-9 * request.batch * (count + 1)));
    CHECK(sampler.discard_first() == (ns < 5e6));
    sampler.accept(answer(request, ns), 0.001);
    CHECK(sampler.next().count == count);
  }
  MeasureSettings settings;
  settings.max_seconds = 1;
  PointSampler sampler = warmed(1e6, settings);
  sampler.accept(answer(sampler.next(), 1e6), 0.01);
  const double warmup = sampler.measurement().warmup_ns * 1e-9 - 0.001;  // but for the verifying one
  sampler.spend(1 - warmup - 0.01 - 0.0035);
  CHECK(sampler.next().count == 3);
}

TEST_CASE("the cap wins over the minimum of samples, but one sample is taken") {
  MeasureSettings settings;
  settings.max_seconds = 2;
  PointSampler sampler(settings, device(), false);
  sampler.executed_once(1.1e9);
  sampler.accept(answer(sampler.next(), 1.1e9), 1.1);
  CHECK(sampler.done());
  CHECK(sampler.stop_reason() == StopReason::max_seconds);
  CHECK(sampler.samples().size() == 1);
  CHECK(std::isnan(sampler.measurement().ci_low_ns));
}

TEST_CASE("rounds cover a span, in short turns once the samples are enough") {
  const auto seconds_of = [](const MeasureSettings& settings, SamplingTime time, double told) {
    PointSampler sampler(settings, device(), false, time);
    sampler.executed_once(2e4);
    warm_up(sampler, 2e4);
    double seconds = 0;
    std::uint32_t latest = 0;
    while (!sampler.done()) {
      latest = sampler.next().count;
      sampler.set_rounds_seconds(told);
      sampler.accept(answer(sampler.next(), 2e4), 0.001);
      seconds += 0.001;
    }
    CHECK(sampler.stop_reason() == StopReason::target);
    return std::pair(seconds, latest);
  };
  MeasureSettings settings;
  const auto [seconds, latest] = seconds_of(settings, {10}, 0);
  CHECK(seconds == Approx(0.3).margin(0.0011));
  CHECK(latest == 3);
  // Turns of other points count, and at most half of the point's own time is spent on it.
  CHECK(seconds_of(settings, {10}, 0.3).first == Approx(0.02));
  CHECK(seconds_of(settings, {0.2}, 0).first == Approx(0.1).margin(0.0011));
  CHECK(seconds_of(settings, {10, true}, 0).first < 0.02);
  settings.span_seconds = 0;
  const auto [shorter, whole] = seconds_of(settings, {10}, 0);
  CHECK(shorter == Approx(0.02));
  CHECK(whole == 10);
}

TEST_CASE("sampling stops at the target, and not before twenty rounds") {
  MeasureSettings settings;
  settings.span_seconds = 0;
  settings.min_samples = 30;
  PointSampler sampler = warmed(1e6, settings);
  int requests = 0;
  while (!sampler.done()) {
    const SampleRequest request = sampler.next();
    CHECK(request.count == 5);
    sampler.accept(answer(request, 1e6), device_seconds(request, 1e6));
    ++requests;
  }
  // Twenty rounds of five, and on to the next look: at a quarter more than the one before.
  CHECK(requests >= 20);
  CHECK(requests <= 25);
  CHECK(sampler.samples().size() >= 100);
  CHECK(sampler.samples().size() <= 125);
  CHECK(sampler.stop_reason() == StopReason::target);
  const Measurement measurement = sampler.measurement();
  CHECK(measurement.median_ns == 1e6);
  CHECK(measurement.n_samples == sampler.samples().size());
  CHECK(measurement.gated);
  CHECK(measurement.warmup_ns > 0);
}

TEST_CASE("rounds are short at first, and fewer where samples are long or a budget covers points") {
  const auto rounds_of = [](double ns, SamplingTime time) {
    MeasureSettings settings;
    settings.span_seconds = 0;
    PointSampler sampler(settings, device(), true, time);
    sampler.executed_once(ns);
    warm_up(sampler, ns);
    std::size_t requests = 0;
    for (; !sampler.done(); ++requests)
      sampler.accept(answer(sampler.next(), ns), device_seconds(sampler.next(), ns));
    return std::pair(requests, sampler.samples().size());
  };
  const auto few = rounds_of(2e4, {100});
  CHECK(few.first >= 20);
  CHECK(few.second >= 200);
  CHECK(few.second <= 250);
  CHECK(rounds_of(1e6, {100}).second <= 125);
  const auto [rounds, samples] = rounds_of(1e7, {100});
  CHECK(rounds == samples);
  CHECK(samples <= 40);
  CHECK(rounds_of(2e4, {100, true}).second <= 40);
}

TEST_CASE("a target out of reach ends at the cap") {
  MeasureSettings settings;
  settings.max_seconds = 0.5;
  settings.target = 0.0001;
  PointSampler sampler = warmed(1e6, settings);
  bool high = false;
  while (!sampler.done()) {
    const SampleRequest request = sampler.next();
    SampleBlock block = answer(request, 1e6);
    for (double& ns : block.ns) ns = (high = !high) ? 1.2e6 : 0.8e6;
    sampler.accept(block, device_seconds(request, 1e6));
  }
  CHECK(sampler.stop_reason() == StopReason::max_seconds);
  CHECK(sampler.excess() > 1);
}

TEST_CASE("while it is contested, a point goes on at its target; fixed samples do not") {
  for (const std::uint32_t fixed : {0U, 47U}) {
    MeasureSettings settings;
    settings.span_seconds = 0;
    settings.max_samples = 503;
    settings.max_seconds = 1000;
    settings.fixed_samples = fixed;
    PointSampler sampler = warmed(1e6, settings);
    sampler.contest(true);
    while (!sampler.done()) sampler.accept(answer(sampler.next(), 1e6), 0.001);
    CHECK(sampler.stop_reason() == (fixed > 0 ? StopReason::fixed : StopReason::max_samples));
    CHECK(sampler.samples().size() == (fixed > 0 ? fixed : 503));
  }
}

TEST_CASE("a point may leave with three samples, or with one that is longer than half a second") {
  const auto may_leave = [](double ns, std::size_t samples) {
    PointSampler sampler(MeasureSettings{}, device(), true, {100});
    sampler.executed_once(ns);
    warm_up(sampler, ns);
    for (std::size_t i = 0; i < samples; ++i) {
      SampleBlock block;
      block.ns = {ns};
      sampler.accept(block, 0.001);
    }
    return sampler.may_leave();
  };
  CHECK_FALSE(may_leave(1e6, 2));
  CHECK(may_leave(1e6, 3));
  CHECK_FALSE(may_leave(0.5e9, 1));
  CHECK(may_leave(0.51e9, 1));
}

TEST_CASE(
    "a processor is warm after an execution of 5 ms, and its batch is calibrated by the first samples") {
  DeviceInfo processor = device();
  processor.type = DeviceType::cpu;
  PointSampler quick(MeasureSettings{}, processor, false);
  quick.executed_once(4.9e6);
  CHECK(quick.warming_up());
  PointSampler slow(MeasureSettings{}, processor, false);
  slow.executed_once(5e6);
  CHECK_FALSE(slow.warming_up());
  CHECK(slow.accept(answer(slow.next(), 5e6), 0.005));
  CHECK(slow.samples().size() > 0);
  // The execution that verified compiled for 300 ms: the kernel takes 1 µs.
  PointSampler compiled(MeasureSettings{}, processor, false);
  compiled.executed_once(300e6);
  CHECK_FALSE(compiled.accept(answer(compiled.next(), 1e3), 0.001));
  CHECK(compiled.samples().empty());
  warm_up(compiled, 1e3);
  CHECK(compiled.batch() > 1);
}

TEST_CASE("samples of an interrupted session count") {
  MeasureSettings settings;
  settings.span_seconds = 0;
  PointSampler sampler(settings, device(), false);
  sampler.resume(std::vector<double>(25, 1e6));
  sampler.executed_once(1e6);
  warm_up(sampler, 1e6);
  CHECK(sampler.samples().size() == 25);
  while (!sampler.done()) sampler.accept(answer(sampler.next(), 1e6), 0.01);
  // Of a hundred that twenty rounds hold, 25 are there: 75 more, and on to the next look.
  CHECK(sampler.samples().size() >= 100);
  CHECK(sampler.samples().size() <= 125);
  CHECK(sampler.stop_reason() == StopReason::target);
}

TEST_CASE("gating holds only if every block was gated, and a note is kept") {
  MeasureSettings settings;
  PointSampler sampler = warmed(1e6, settings);
  SampleBlock block = answer(sampler.next(), 1e6, false);
  block.note = "not gated: a profiler is attached";
  sampler.accept(block, 0.01);
  while (!sampler.done()) sampler.accept(answer(sampler.next(), 1e6, true), 0.01);
  CHECK_FALSE(sampler.measurement().gated);
  CHECK(sampler.measurement().note == "not gated: a profiler is attached");
}

TEST_CASE("what is no time is refused") {
  PointSampler sampler(MeasureSettings{}, device(), false);
  sampler.executed_once(1e6);
  SampleBlock block;
  CHECK_THROWS_AS(sampler.accept(block, 0), std::invalid_argument);
  block.ns = {1, std::numeric_limits<double>::quiet_NaN()};
  CHECK_THROWS_AS(sampler.accept(block, 0), std::invalid_argument);
  block.ns = {-1};
  CHECK_THROWS_AS(sampler.accept(block, 0), std::invalid_argument);
}

TEST_CASE("by target, two looks in succession must agree, the second at the minimum or later") {
  MeasureSettings settings;
  settings.min_samples = 30;
  StopRule rule(settings);
  CHECK(rule.reason() == StopReason::target);
  CHECK(rule.goal() == settings.max_samples);
  CHECK_FALSE(rule.enough(first(level, 19)));
  CHECK(rule.confidence() == 0.95);  // nothing was looked at
  CHECK_FALSE(rule.enough(first(level, 20)));
  CHECK(rule.confidence() == 0.96);
  CHECK_FALSE(rule.enough(first(level, 29)));
  CHECK(rule.enough(first(level, 30)));
}

TEST_CASE("looks lie a quarter apart, from the minimum on") {
  StopRule at_minimum(MeasureSettings{});
  CHECK_FALSE(at_minimum.enough(first(normal(30, 1), 30)));
  CHECK_FALSE(at_minimum.enough(first(level, 31)));  // no look
  CHECK_FALSE(at_minimum.enough(first(level, 38)));
  CHECK_FALSE(at_minimum.enough(first(level, 39)));  // no look
  CHECK(at_minimum.enough(first(level, 48)));
  CHECK(at_minimum.enough(first(level, 49)));  // no look: what the latest said
  StopRule rule(MeasureSettings{});
  CHECK_FALSE(rule.enough(first(level, 100)));
  CHECK_FALSE(rule.enough(first(level, 124)));
  CHECK(rule.enough(first(level, 125)));
}

TEST_CASE("a wide interval in between starts the count anew") {
  MeasureSettings settings;
  settings.target = 0.01;
  StopRule rule(settings);
  const std::vector<double> wide = normal(1000, 1);
  CHECK_FALSE(rule.enough(first(level, 40)));
  CHECK_FALSE(rule.enough(first(wide, 50)));
  CHECK_FALSE(rule.enough(first(level, 63)));
  CHECK(rule.enough(first(level, 79)));
}

TEST_CASE("the target is compared with the half-width at the rule's confidence") {
  const std::vector<double> values = normal(100, 0.05);
  const stats::Interval interval = stats::block_interval(values, 0.96);
  const double width = (interval.high - interval.low) / 2 / stats::median(values);
  for (const bool met : {true, false}) {
    MeasureSettings settings;
    settings.target = width * (met ? 1 + 1e-9 : 1 - 1e-9);
    StopRule rule(settings);
    CHECK_FALSE(rule.enough(values));
    // Each value two times in turn: the blocks have the same medians.
    std::vector<double> more;
    for (const double value : values) more.insert(more.end(), 2, value);
    CHECK(rule.enough(more) == met);
  }
}
