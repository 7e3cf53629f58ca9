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
constexpr double least = 0.93;
constexpr double most = 0.97;
constexpr std::size_t longest = 3000;

struct Coverage {
  std::size_t series = 0;
  std::size_t claimed = 0;  ///< with an interval
  std::size_t covered = 0;
  double samples = 0;  ///< in all series together

  void add(const stats::Interval& interval, double truth, std::size_t length) {
    ++series;
    claimed += interval.known() ? 1 : 0;
    covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    samples += static_cast<double>(length);
  }
  [[nodiscard]] double share() const {
    return claimed == 0 ? 1 : static_cast<double>(covered) / static_cast<double>(claimed);
  }
};

Coverage at_fixed_length(const SeriesKind& kind, std::size_t length, std::size_t count) {
  RandomNumbers random(length * 7919);
  std::vector<double> series(length);
  Coverage coverage;
  for (std::size_t i = 0; i < count; ++i) {
    kind.draw(random, series);
    coverage.add(stats::block_interval(series), kind.median,
                 length);
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
  settings.max_samples = kind.claim == Claim::by_rule ? longest : lengths.back();
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

Finding judge(const SeriesKind& kind, const std::string& procedure, const Coverage& coverage,
              bool by_rule) {
  Finding finding;
  finding.what = fmt::format("{}, {}", kind.name, procedure);
  const double share = coverage.share();
  switch (kind.claim) {
    case Claim::exact:
      finding.expected = fmt::format("{:g} to {:g} %", 100 * least, 100 * most);
      finding.outcome = share >= least && share <= most ? Outcome::pass : Outcome::fail;
      break;
    case Claim::at_least:
      finding.expected = fmt::format("{:g} % or more", 100 * least);
      finding.outcome = share >= least ? Outcome::pass : Outcome::fail;
      break;
    case Claim::by_rule:
      if (by_rule) {
        finding.expected = fmt::format("{:g} % or more of those claimed", 100 * least);
        finding.outcome = share >= least ? Outcome::pass : Outcome::fail;
      } else {
        finding.outcome = Outcome::shown;
        finding.note = "so many samples can hide their dependence";
      }
      break;
    case Claim::none:
      finding.outcome = Outcome::shown;
      finding.note = "nothing is claimed: an interval takes samples to be independent and alike";
      break;
  }
  finding.found = fmt::format("{:.1f} % of {}", 100 * share, coverage.claimed);
  if (coverage.claimed < coverage.series) {
    finding.note += fmt::format("{}{} of {} claim no interval", finding.note.empty() ? "" : "; ",
                                coverage.series - coverage.claimed, coverage.series);
  }
  finding.figures = {{"covered", share},
                     {"claimed", static_cast<double>(coverage.claimed)},
                     {"series", static_cast<double>(coverage.series)},
                     {"mean_samples", coverage.samples / static_cast<double>(coverage.series)}};
  return finding;
}

}  // namespace

std::vector<Finding> check_coverage(bool full) {
  std::vector<Finding> findings;
  for (const SeriesKind& kind : series_kinds()) {
    // Dependent series take ten times as many samples.
    const std::size_t count = (full ? 20'000 : 2'000) / (kind.claim == Claim::by_rule ? 2 : 1);
    for (const std::size_t length : lengths) {
      findings.push_back(
          judge(kind, fmt::format("{} samples", length), at_fixed_length(kind, length, count), false));
    }
    findings.push_back(judge(kind, "stop rule", under_the_stop_rule(kind, count), true));
  }
  return findings;
}

}  // namespace benchctl::selftest
