// Do the intervals cover the true median as often as they say? Synthetic series of known median go through
// what samples of a device go through: at fixed lengths, and under the stop rule, which looks at the
// interval again and again and so favours the moments in which it happens to be narrow.
#include "selftest/checks.hpp"

#include "engine/sampling.hpp"
#include "selftest/series.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace benchctl::selftest {

namespace {

constexpr std::array<std::size_t, 3> lengths{30, 100, 300};
constexpr double least = 0.92;
constexpr double most = 0.98;

struct Coverage {
  std::size_t series = 0;
  std::size_t covered = 0;
  double samples = 0;  ///< in all series together

  void add(const stats::Interval& interval, double truth, std::size_t length) {
    ++series;
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    samples += static_cast<double>(length);
  }
  [[nodiscard]] double share() const { return static_cast<double>(covered) / static_cast<double>(series); }
};

Coverage at_fixed_length(const SeriesKind& kind, std::size_t length, std::size_t count) {
  RandomNumbers random(length * 7919);
  std::vector<double> series(length);
  Coverage coverage;
  for (std::size_t i = 0; i < count; ++i) {
    kind.draw(random, series);
    coverage.add(stats::block_interval(series), kind.median, length);
  }
  return coverage;
}

/// The engine's own sampler with its default settings, but for the longest series: it is fed one that is
/// drawn beforehand.
Coverage under_the_stop_rule(const SeriesKind& kind, std::size_t count) {
  MeasureSettings settings;
  settings.warmup_seconds = 0;
  settings.span_seconds = 0;
  settings.min_sample_ns = 0;
  settings.min_timer_steps = 0;
  settings.max_samples = lengths.back();
  DeviceInfo device;
  device.timer_step_ns = 1;
  RandomNumbers random(104729);
  std::vector<double> series(settings.max_samples);
  Coverage coverage;
  for (std::size_t i = 0; i < count; ++i) {
    kind.draw(random, series);
    PointSampler sampler(settings, device, false);
    sampler.executed_once(series.front());
    for (std::size_t taken = 0; !sampler.done();) {
      const std::size_t wanted = std::min<std::size_t>(sampler.next().count, series.size() - taken);
      SampleBlock block;
      const auto first = series.begin() + static_cast<std::ptrdiff_t>(taken);
      block.ns.assign(first, first + static_cast<std::ptrdiff_t>(wanted));
      sampler.accept(block, 0);
      taken += wanted;
    }
    const Measurement measurement = sampler.measurement();
    coverage.add({measurement.ci_low_ns, measurement.ci_high_ns}, kind.median, measurement.n_samples);
  }
  return coverage;
}

Finding judge(const SeriesKind& kind, const std::string& procedure, const Coverage& coverage) {
  Finding finding;
  finding.what = fmt::format("{}, {}", kind.name, procedure);
  const double share = coverage.share();
  if (kind.claimed) {
    finding.expected = fmt::format("{:g} to {:g} %", 100 * least, 100 * most);
    finding.outcome = share >= least && share <= most ? Outcome::pass : Outcome::fail;
  } else {
    finding.outcome = Outcome::shown;
    finding.note = "no coverage is promised for samples that are coarse, bimodal or autocorrelated";
  }
  finding.found = fmt::format("{:.1f} % of {}", 100 * share, coverage.series);
  finding.figures = {{"covered", share},
                     {"series", static_cast<double>(coverage.series)},
                     {"mean_samples", coverage.samples / static_cast<double>(coverage.series)}};
  return finding;
}

}  // namespace

std::vector<Finding> check_coverage(bool full) {
  std::vector<Finding> findings;
  const std::size_t count = full ? 20'000 : 2'000;
  for (const SeriesKind& kind : series_kinds()) {
    for (const std::size_t length : lengths) {
      findings.push_back(
          judge(kind, fmt::format("{} samples", length), at_fixed_length(kind, length, count)));
    }
    findings.push_back(judge(kind, "stop rule", under_the_stop_rule(kind, count)));
  }
  return findings;
}

}  // namespace benchctl::selftest
