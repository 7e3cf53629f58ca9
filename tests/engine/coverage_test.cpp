// The whole procedure, warm-up and stop rule included: does the interval that a point reports cover the
// true median as often as it says? Spreads are chosen so that sampling stops at 30 to some 400 samples.
#include <catch2/catch_test_macros.hpp>

#include "engine/sampling.hpp"
#include "support/series.hpp"

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct Outcome {
  int covered = 0;
  double samples = 0;
};

/// Measures a point whose samples are of this kind.
void measure(const SeriesKind& kind, double spread, std::uint64_t seed, Outcome& outcome) {
  MeasureSettings settings;
  settings.max_seconds = 1e6;
  DeviceInfo device;
  device.timer_step_ns = 1;
  device.max_batch = 1;
  PointSampler sampler(settings, device, false);
  sampler.executed_once(1e6);
  Random random(seed);
  double state = 0;
  while (!sampler.done()) {
    const SampleRequest request = sampler.next();
    SampleBlock block;
    block.batch = request.batch;
    for (std::uint32_t i = 0; i < request.count; ++i) {
      block.ns.push_back(1e6 * kind.draw(random, spread, 0, state));
    }
    sampler.accept(block, 0.001);
  }
  const Measurement measurement = sampler.measurement();
  const double truth = 1e6 * kind.true_median(spread);
  outcome.covered += measurement.ci_low_ns <= truth && truth <= measurement.ci_high_ns ? 1 : 0;
  outcome.samples += static_cast<double>(measurement.n_samples);
}

void check_kinds(int series, const std::vector<double>& spreads, bool print) {
  for (const SeriesKind& kind : series_kinds()) {
    if (kind.name == "drifting") continue;  // what it drifts to depends on when the rule stops
    if (print) std::printf("%-14s", kind.name.c_str());
    for (const double spread : spreads) {
      Outcome outcome;
      for (int i = 0; i < series; ++i) {
        measure(kind, spread, static_cast<std::uint64_t>(i) * 7919 + 1, outcome);
      }
      const double covered = static_cast<double>(outcome.covered) / series;
      if (print) std::printf("  %.3f (%.0f)", covered, outcome.samples / series);
      CAPTURE(kind.name, spread, covered);
      CHECK(covered >= 0.93);
      if (kind.continuous) CHECK(covered <= 0.97);
    }
    if (print) std::printf("\n");
  }
}

}  // namespace

TEST_CASE("the interval of a point covers the median, stop rule included") {
  check_kinds(2000, {0.015, 0.03, 0.045}, false);
}

TEST_CASE("coverage of the whole procedure, with many series", "[full]") {
  check_kinds(10'000, {0.01, 0.015, 0.02, 0.03, 0.045, 0.06}, true);
}
