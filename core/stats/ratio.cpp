#include "stats/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace benchctl::stats {

namespace {

MedianEstimate logarithm(const MedianEstimate& estimate) {
  if (!(estimate.median > 0) || std::isinf(estimate.median)) {
    throw std::invalid_argument("a ratio needs medians above 0");
  }
  return {std::log(estimate.median), {std::log(estimate.interval.low), std::log(estimate.interval.high)}};
}

}  // namespace

RatioEstimate RatioEstimate::inverse() const noexcept {
  return {n, 1 / ratio, {1 / interval.high, 1 / interval.low}};
}

RatioEstimate ratio_of_medians(const MedianEstimate& numerator, const MedianEstimate& denominator) {
  const MedianEstimate a = logarithm(numerator);
  const MedianEstimate b = logarithm(denominator);
  const double center = a.median - b.median;
  const double low = center - std::hypot(a.median - a.interval.low, b.interval.high - b.median);
  const double high = center + std::hypot(a.interval.high - a.median, b.median - b.interval.low);
  // From an end at or below 0 comes an infinity or no number at all.
  const bool usable = std::isfinite(low) && std::isfinite(high);
  return {0, std::exp(center), usable ? Interval{std::exp(low), std::exp(high)} : unknown_interval};
}

double geometric_mean(std::span<const double> ratios) { return std::exp(mean(logarithms(ratios))); }

RatioEstimate mean_ratio(std::span<const double> ratios, double confidence) {
  check_confidence(confidence);
  const std::vector<double> logs = logarithms(ratios);
  const double center = mean(logs);
  if (logs.size() < 2) return {logs.size(), std::exp(center), unknown_interval};
  const auto n = static_cast<double>(logs.size());
  const double half =
      student_quantile(n - 1, confidence) * std::sqrt(squares_around(logs, center) / (n - 1) / n);
  return {logs.size(), std::exp(center), {std::exp(center - half), std::exp(center + half)}};
}

double bonferroni_confidence(double confidence, std::size_t comparisons) {
  check_confidence(confidence);
  if (comparisons == 0) throw std::invalid_argument("no comparison to correct for");
  return 1 - (1 - confidence) / static_cast<double>(comparisons);
}

Verdict verdict_of(const RatioEstimate& times, double threshold) {
  if (!(threshold >= 0) || std::isinf(threshold)) {
    throw std::invalid_argument("a practical threshold is a number that is not negative");
  }
  if (!times.interval.known()) return Verdict::not_resolved;
  const double most = 1 + threshold;
  const double least = 1 / most;
  if (times.interval.low >= least && times.interval.high <= most) return Verdict::same;
  if (times.interval.high < 1 && times.ratio < least) return Verdict::faster;
  if (times.interval.low > 1 && times.ratio > most) return Verdict::slower;
  return Verdict::not_resolved;
}

Verdict strict_verdict_of(const RatioEstimate& times, double threshold) {
  const Verdict verdict = verdict_of(times, threshold);
  const bool beyond = times.interval.high < 1 / (1 + threshold) || times.interval.low > 1 + threshold;
  const bool differs = verdict == Verdict::faster || verdict == Verdict::slower;
  return differs && !beyond ? Verdict::not_resolved : verdict;
}

}  // namespace benchctl::stats
