#include "stats/summary.hpp"

#include "stats/median_bounds.hpp"
#include "stats/order.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

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
  return sorted_median_interval(sorted_copy(samples), confidence);
}

Interval block_interval(std::span<const double> samples, double confidence) {
  check_confidence(confidence);
  const double center = median(samples);
  const std::size_t count = std::min(blocks_of_series, samples.size());
  if (count < 2) return {std::nan(""), std::nan("")};
  std::vector<double> medians;
  for (std::size_t block = 0; block < count; ++block) {
    const std::size_t first = block * samples.size() / count;
    const std::size_t last = (block + 1) * samples.size() / count;
    medians.push_back(median(samples.subspan(first, last - first)));
  }
  const auto blocks = static_cast<double>(count);
  const boost::math::students_t distribution(blocks - 1);
  const double half = boost::math::quantile(distribution, (1 + confidence) / 2) *
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

}  // namespace benchctl::stats
