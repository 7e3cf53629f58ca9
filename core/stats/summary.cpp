#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace benchctl::stats {

namespace {

/// The samples, all of them finite.
std::vector<double> checked_copy(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples: an estimate needs at least one");
  if (!std::ranges::all_of(samples, [](double x) { return std::isfinite(x); })) {
    throw std::invalid_argument("a sample is infinite or not a number");
  }
  return {samples.begin(), samples.end()};
}

/// (1 − weight)·a + weight·b; exact for equal ends, so that equal samples have an interval without width.
double interpolate(double a, double b, double weight) { return a == b ? a : (1 - weight) * a + weight * b; }

/// `quantile` of samples in ascending order.
double sorted_quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const double whole = std::floor(position);
  const auto below = static_cast<std::size_t>(whole);
  if (position == whole) return sorted[below];
  return interpolate(sorted[below], sorted[below + 1], position - whole);
}

double mad_around(std::span<const double> samples, double center) {
  std::vector<double> deviations;
  deviations.reserve(samples.size());
  for (const double x : samples) deviations.push_back(std::abs(x - center));
  std::ranges::sort(deviations);
  return sorted_quantile(deviations, 0.5);
}

double compensated_mean(std::span<const double> samples) {
  double sum = 0;
  double lost = 0;
  for (const double x : samples) {
    const double next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return (sum + lost) / static_cast<double>(samples.size());
}

/// Which order statistics bound the interval of a median: between the `rank`-th and the one after it,
/// counted from either end, `weight` of the way inwards. Rank 0: there is no such interval.
struct MedianBounds {
  std::size_t rank = 0;
  double weight = 0;
};

/// Probability that the k-th smallest and k-th largest of n samples enclose the median:
/// 1 − 2·P(B ≤ k − 1) with B binomial (n, ½), through the incomplete beta function.
double coverage(std::size_t n, std::size_t k) {
  const auto successes = static_cast<double>(k);
  return 1 - 2 * boost::math::ibeta(static_cast<double>(n) - successes + 1, successes, 0.5);
}

MedianBounds find_bounds(std::size_t n, double confidence) {
  if (coverage(n, 1) < confidence) return {};
  std::size_t rank = 1;
  std::size_t too_far = n;  // coverage < 0 there
  while (too_far - rank > 1) {
    const std::size_t middle = rank + (too_far - rank) / 2;
    (coverage(n, middle) >= confidence ? rank : too_far) = middle;
  }
  const double outer = coverage(n, rank);
  const double inner = coverage(n, rank + 1);
  const double excess = (outer - confidence) / (outer - inner);
  const auto size = static_cast<double>(n);
  const auto k = static_cast<double>(rank);
  return {rank, (size - k) * excess / (k + (size - 2 * k) * excess)};
}

/// Bounds for numbers of samples that were asked for before are kept: finding them takes longer than
/// sorting the samples.
MedianBounds median_bounds(std::size_t n, double confidence) {
  struct Known {
    std::size_t n{};
    double confidence{};
    MedianBounds bounds;
  };
  thread_local std::array<Known, 64> all;
  Known& known = all[n % all.size()];
  if (known.n != n || known.confidence != confidence) known = {n, confidence, find_bounds(n, confidence)};
  return known.bounds;
}

}  // namespace

bool Interval::known() const noexcept { return !std::isnan(low) && !std::isnan(high); }

bool Interval::overlaps(const Interval& other) const noexcept {
  return low <= other.high && other.low <= high;
}

double mean(std::span<const double> samples) { return compensated_mean(checked_copy(samples)); }

double quantile(std::span<const double> samples, double q) {
  if (!(q >= 0 && q <= 1)) throw std::invalid_argument("a quantile lies between 0 and 1");
  return sorted_quantile(sorted_copy(samples), q);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

Interval median_interval(std::span<const double> samples, double confidence) {
  check_confidence(confidence);
  const std::vector<double> sorted = sorted_copy(samples);
  const std::size_t n = sorted.size();
  const auto [k, weight] = median_bounds(n, confidence);
  if (k == 0) return unknown_interval;
  return {interpolate(sorted[k - 1], sorted[k], weight),
          interpolate(sorted[n - k], sorted[n - k - 1], weight)};
}

Interval block_interval(std::span<const double> samples, double confidence) {
  check_confidence(confidence);
  const double center = median(samples);
  const std::size_t count = std::min(blocks_of_series, samples.size());
  if (count < 2) return unknown_interval;
  std::vector<double> medians;
  for (std::size_t block = 0; block < count; ++block) {
    const std::size_t first = block * samples.size() / count;
    const std::size_t last = (block + 1) * samples.size() / count;
    medians.push_back(median(samples.subspan(first, last - first)));
  }
  const auto blocks = static_cast<double>(count);
  const double half = student_quantile(blocks - 1, confidence) *
                      std::sqrt(squares_around(medians, mean(medians)) / (blocks - 1) / blocks);
  return {center - half, center + half};
}

double relative_half_width(const Interval& interval, double center) noexcept {
  if (!interval.known()) return std::numeric_limits<double>::quiet_NaN();
  const double half_width = (interval.high - interval.low) / 2;
  return half_width == 0 ? 0 : half_width / std::abs(center);
}

Summary summarize(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_copy(samples);
  Summary summary;
  summary.n = sorted.size();
  summary.median = sorted_quantile(sorted, 0.5);
  summary.minimum = sorted.front();
  summary.maximum = sorted.back();
  summary.mean = compensated_mean(sorted);
  summary.mad = mad_around(sorted, summary.median);
  summary.p5 = sorted_quantile(sorted, 0.05);
  summary.p25 = sorted_quantile(sorted, 0.25);
  summary.p75 = sorted_quantile(sorted, 0.75);
  summary.p95 = sorted_quantile(sorted, 0.95);
  return summary;
}

bool have_ratios(std::span<const double> samples) {
  return !samples.empty() &&
         std::ranges::all_of(samples, [](double x) { return x > 0 && std::isfinite(x); });
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> values = checked_copy(samples);
  std::ranges::sort(values);
  return values;
}

std::vector<double> logarithms(std::span<const double> samples) {
  std::vector<double> values = checked_copy(samples);
  for (double& x : values) {
    if (!(x > 0)) throw std::invalid_argument("a ratio needs samples above 0");
    x = std::log(x);
  }
  return values;
}

double squares_around(std::span<const double> samples, double center) {
  double sum = 0;
  for (const double x : samples) {
    const double distance = x - center;
    sum += distance * distance;
  }
  return sum;
}

double student_quantile(double freedom, double confidence) {
  return boost::math::quantile(boost::math::students_t(freedom), (1 + confidence) / 2);
}

void check_confidence(double confidence) {
  if (!(confidence >= 0.5 && confidence < 1)) {
    throw std::invalid_argument("a confidence lies between 0.5 and 1");
  }
}

}  // namespace benchctl::stats
