#include "stats/drift.hpp"

#include <benchctl/rounding.hpp>

#include "stats/order.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

constexpr std::size_t longest = 1000;

double pairs(double n) { return n * (n - 1) / 2; }

/// Variance of (rising − falling pairs) without a trend, corrected for ties.
double score_variance(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_copy(samples);
  const auto term = [](double count) { return count * (count - 1) * (2 * count + 5); };
  double sum = term(static_cast<double>(sorted.size()));
  for (auto from = sorted.begin(); from != sorted.end();) {
    const auto to = std::upper_bound(from, sorted.end(), *from);
    sum -= term(static_cast<double>(to - from));
    from = to;
  }
  return sum / 18;
}

std::vector<double> block_medians(std::span<const double> samples, std::size_t length) {
  std::vector<double> medians;
  for (std::size_t from = 0; from + length <= samples.size(); from += length) {
    medians.push_back(median(samples.subspan(from, length)));
  }
  return medians;
}

}  // namespace

TrendTest mann_kendall(std::span<const double> samples) {
  const std::vector<double> values = checked_copy(samples);
  const std::size_t n = values.size();
  double score = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      score += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
    }
  }
  TrendTest result;
  const double variance = score_variance(values);
  if (variance <= 0) return result;
  result.tau = score / pairs(static_cast<double>(n));
  // One step towards 0: the score takes whole numbers, the normal distribution all.
  const double corrected = score > 0 ? score - 1 : score < 0 ? score + 1 : 0;
  result.z = corrected / std::sqrt(variance);
  const boost::math::normal normal;
  result.p_value = 2 * boost::math::cdf(normal, -std::abs(result.z));
  return result;
}

Slope theil_sen(std::span<const double> samples, double confidence) {
  check_confidence(confidence);
  const std::vector<double> values = checked_copy(samples);
  const std::size_t n = values.size();
  if (n < 2) throw std::invalid_argument("a slope needs at least two samples");
  std::vector<double> slopes;
  slopes.reserve(n * (n - 1) / 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
    }
  }
  std::ranges::sort(slopes);
  Slope result{sorted_quantile(slopes, 0.5),
               {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()}};
  const boost::math::normal normal;
  const double half =
      boost::math::quantile(normal, (1 + confidence) / 2) * std::sqrt(score_variance(values));
  const auto count = static_cast<double>(slopes.size());
  // Sen's ranks (N − C)/2 and (N + C)/2 + 1, interpolated and counted from 0.
  const double low = (count - half) / 2 - 1;
  const double high = (count + half) / 2;
  if (low < 0) return result;
  result.interval = {sorted_quantile(slopes, low / (count - 1)),
                     sorted_quantile(slopes, high / (count - 1))};
  return result;
}

Drift drift(std::span<const double> samples) {
  const std::size_t length = ceil_div(samples.size(), longest);
  const std::vector<double> blocks = length > 1 ? block_medians(samples, length) : checked_copy(samples);
  const Slope slope = theil_sen(blocks);
  // From the middle of the first block to that of the last, and on to the first and last sample.
  const double steps = static_cast<double>(samples.size() - 1) / static_cast<double>(length);
  const double scale = steps / std::abs(median(samples));
  return {mann_kendall(blocks),
          slope.per_step * scale,
          {slope.interval.low * scale, slope.interval.high * scale}};
}

}  // namespace benchctl::stats
