#include "stats/summary.hpp"

#include "stats/order.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double mad_around(std::span<const double> samples, double center) {
  std::vector<double> deviations;
  deviations.reserve(samples.size());
  for (const double x : samples) deviations.push_back(std::abs(x - center));
  std::ranges::sort(deviations);
  return sorted_quantile(deviations, 0.5);
}

/// Probability that the k-th smallest and k-th largest of n samples enclose the median:
/// 1 − 2·P(B ≤ k − 1) with B binomial (n, ½), through the incomplete beta function.
double coverage(std::size_t n, std::size_t k) {
  const auto successes = static_cast<double>(k);
  return 1 - 2 * boost::math::ibeta(static_cast<double>(n) - successes + 1, successes, 0.5);
}

/// Which order statistics bound the interval: between the `rank`-th and the one after it, counted from
/// either end, `weight` of the way inwards. Rank 0: there is no such interval.
struct Bounds {
  std::size_t rank = 0;
  double weight = 0;
};

Bounds median_bounds(std::size_t n, double confidence) {
  if (coverage(n, 1) < confidence) return {};
  std::size_t rank = 1;
  std::size_t too_far = n / 2 + 1;  // coverage ≤ 0 there
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

template <class OrderStatistic>
Interval interval_from(std::size_t n, double confidence, const OrderStatistic& at) {
  const Bounds bounds = median_bounds(n, confidence);
  if (bounds.rank == 0) return {unknown, unknown};
  const std::size_t k = bounds.rank;
  return {interpolate(at(k - 1), at(k), bounds.weight),
          interpolate(at(n - k), at(n - k - 1), bounds.weight)};
}

Interval sorted_interval(std::span<const double> sorted, double confidence) {
  return interval_from(sorted.size(), confidence, [&](std::size_t i) { return sorted[i]; });
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

double mad(std::span<const double> samples) { return mad_around(samples, median(samples)); }

Interval median_interval(std::span<const double> samples, double confidence) {
  check_confidence(confidence);
  return sorted_interval(sorted_copy(samples), confidence);
}

double relative_half_width(std::span<const double> samples) {
  std::vector<double> values = checked_copy(samples);
  const auto order_statistic = [&](std::size_t i) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(i);
    std::ranges::nth_element(values, place);
    return *place;
  };
  const Interval interval = interval_from(values.size(), 0.95, order_statistic);
  if (!interval.known()) return unknown;
  const double half_width = (interval.high - interval.low) / 2;
  if (half_width == 0) return 0;
  const std::size_t n = values.size();
  const double center = interpolate(order_statistic((n - 1) / 2), order_statistic(n / 2), 0.5);
  return half_width / std::abs(center);
}

Summary summarize(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_copy(samples);
  Summary summary;
  summary.n = sorted.size();
  summary.median = sorted_quantile(sorted, 0.5);
  summary.median_interval = sorted_interval(sorted, 0.95);
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

}  // namespace benchctl::stats
