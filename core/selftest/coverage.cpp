// Do the intervals cover the true median as often as they say? Synthetic series of known median go through
// what samples of a device go through: at fixed lengths, and under the stop rule, which looks at the
// interval again and again and so favours the moments in which it happens to be narrow.
#include "selftest/checks.hpp"

#include "engine/sampling.hpp"
#include "selftest/coverage.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace benchctl::selftest {

namespace {

constexpr double centre = 1000;

template <class Draw>
void independent(std::span<double> out, Draw draw) {
  for (double& sample : out) sample = draw();
}

void normal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre * (1 + 0.03 * random.normal()); });
}

void log_normal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre * std::exp(0.05 * random.normal()); });
}

/// Two normal humps of equal weight, their centres so far apart that next to nothing lies between them: the
/// median is any number in the gap, and its middle by symmetry.
void bimodal(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] {
    const double side = random.uniform() < 0.5 ? -0.02 : 0.02;
    return centre * (1 + side + 0.01 * random.normal());
  });
}

/// A body of 2 % with one sample in ten delayed, by times without a mean: 5 % · (1/u − 1).
void heavy_tailed(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] {
    const double body = centre * (1 + 0.02 * random.normal());
    // Half of the delays fall on either half of the body, so that these do not move the median.
    const bool outlier = random.uniform() < 0.1;
    const double sign = body < centre ? -0.01 : 0.05;
    return outlier ? body * (1 + sign * std::min(1 / random.uniform() - 1, sign < 0 ? 50.0 : 1e6)) : body;
  });
}

/// The steps of a coarse timer: ten of them in the spread of the samples.
void quantised(RandomNumbers& random, std::span<double> out) {
  independent(out, [&] { return centre + 10 * std::round(3 * random.normal()); });
}

/// A clock that slows down by 2 % over the series, around the centre.
void drifting(RandomNumbers& random, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(out.size()) - 0.5;
    out[i] = centre * (1 + 0.02 * place + 0.02 * random.normal());
  }
}

/// A first-order autoregression around the centre.
template <int percent>
void autoregression(RandomNumbers& random, std::span<double> out) {
  constexpr double memory = percent / 100.0;
  double state = random.normal();
  for (double& sample : out) {
    state = memory * state + std::sqrt(1 - memory * memory) * random.normal();
    sample = centre * (1 + 0.03 * state);
  }
}

/// Two states a tenth apart, each kept for five samples in the mean: the median is anything between.
void clusters(RandomNumbers& random, std::span<double> out) {
  double side = random.uniform() < 0.5 ? -0.05 : 0.05;
  for (double& sample : out) {
    if (random.uniform() < 0.2) side = -side;
    sample = centre * (1 + side + 0.005 * random.normal());
  }
}

constexpr std::array<SeriesKind, 10> kinds{{{"normal", centre, true, &normal},
                                            {"log-normal", centre, true, &log_normal},
                                            {"heavy-tailed", centre, true, &heavy_tailed},
                                            {"bimodal", centre, false, &bimodal},
                                            {"quantised", centre, false, &quantised},
                                            {"drifting", centre, false, &drifting},
                                            {"autoregression 0.3", centre, false, &autoregression<30>},
                                            {"autoregression 0.7", centre, false, &autoregression<70>},
                                            {"autoregression 0.95", centre, false, &autoregression<95>},
                                            {"clusters", centre, false, &clusters}}};

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

Finding covered_as_promised(const SeriesKind& kind, const std::string& procedure,
                            const Coverage& coverage) {
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

double RandomNumbers::uniform() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }

double RandomNumbers::normal() {
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::span<const SeriesKind> series_kinds() { return kinds; }

std::vector<Finding> check_coverage(bool full) {
  std::vector<Finding> findings;
  const std::size_t count = full ? 20'000 : 2'000;
  for (const SeriesKind& kind : series_kinds()) {
    for (const std::size_t length : lengths) {
      findings.push_back(covered_as_promised(kind, fmt::format("{} samples", length),
                                             at_fixed_length(kind, length, count)));
    }
    findings.push_back(covered_as_promised(kind, "stop rule", under_the_stop_rule(kind, count)));
  }
  return findings;
}

}  // namespace benchctl::selftest
