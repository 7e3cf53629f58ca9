// The whole procedure, warm-up and stop rule included: does the interval that a point reports cover the
// true median as often as it says? Spreads are chosen so that sampling stops at 30 to some 400 samples.
#include "engine/sampling.hpp"
#include "support/catch.hpp"
#include "support/series.hpp"

#include <cstdint>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Share of points, whose samples of 1 ms are of this kind, that cover the median.
double share_covered(const SeriesKind& kind, double spread, int series) {
  int covered = 0;
  for (int i = 0; i < series; ++i) {
    MeasureSettings settings;
    settings.max_seconds = 1e6;
    settings.span_seconds = 0;
    DeviceInfo device;
    device.timer_step_ns = 1;
    device.max_batch = 1;
    PointSampler sampler(settings, device, false);
    sampler.executed_once(1e6);
    Random random(static_cast<std::uint64_t>(i) * 7919 + 1);
    double state = 0;
    while (!sampler.done()) {
      const SampleRequest request = sampler.next();
      SampleBlock block;
      block.batch = request.batch;
      for (std::uint32_t k = 0; k < request.count; ++k) {
        block.ns.push_back(1e6 * kind.draw(random, spread, 0, state));
      }
      sampler.accept(block, 0.001 * request.count);
    }
    const Measurement measurement = sampler.measurement();
    const double truth = 1e6 * kind.true_median(spread);
    covered += measurement.ci_low_ns <= truth && truth <= measurement.ci_high_ns ? 1 : 0;
  }
  return static_cast<double>(covered) / series;
}

}  // namespace

TEST_CASE("the interval of a point covers the median, stop rule included") {
  constexpr int series = 2000;
  for (const SeriesKind& kind : series_kinds()) {
    if (kind.name == "drifting") continue;  // what it drifts to depends on when the rule stops
    for (const double spread : {0.015, 0.03, 0.045}) {
      const double covered = share_covered(kind, spread, series);
      CAPTURE(kind.name, spread, covered);
      CHECK(covered >= 0.93);
      if (kind.continuous) CHECK(covered <= 0.97);
    }
  }
}
