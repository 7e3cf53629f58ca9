#include "stats/dependence.hpp"

#include "stats/median_bounds.hpp"
#include "stats/order.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

/// Samples without their mean, and the sum of their squares.
struct Centered {
  std::vector<double> values;
  double squares = 0;

  explicit Centered(std::span<const double> samples) : values(checked_copy(samples)) {
    const auto [least, most] = std::ranges::minmax(values);
    const double center = least == most ? least : mean(values);  // equal samples have no spread at all
    for (double& x : values) {
      x -= center;
      squares += x * x;
    }
  }

  [[nodiscard]] double correlation(std::size_t lag) const {
    if (squares == 0) return 0;
    double products = 0;
    for (std::size_t i = lag; i < values.size(); ++i) products += values[i - lag] * values[i];
    return products / squares;
  }
};

/// Of Ljung and Box, for at least one lag and more samples than lags.
double ljung_box_of(const Centered& centered, std::size_t lags) {
  if (centered.squares == 0) return 1;
  const auto n = static_cast<double>(centered.values.size());
  double sum = 0;
  for (std::size_t lag = 1; lag <= lags; ++lag) {
    const double r = centered.correlation(lag);
    sum += r * r / (n - static_cast<double>(lag));
  }
  const boost::math::chi_squared distribution(static_cast<double>(lags));
  return boost::math::cdf(boost::math::complement(distribution, n * (n + 2) * sum));
}

constexpr double level = 0.01;
constexpr std::size_t fewest = 20;

}  // namespace

double autocorrelation(std::span<const double> samples, std::size_t lag) {
  const Centered centered(samples);
  if (lag >= samples.size()) throw std::invalid_argument("a lag must be shorter than the series");
  return centered.correlation(lag);
}

double autocorrelation_time(std::span<const double> samples) {
  const Centered centered(samples);
  if (centered.squares == 0) return 1;
  double time = -1;
  for (std::size_t lag = 0; lag + 1 < samples.size(); lag += 2) {
    const double pair = centered.correlation(lag) + centered.correlation(lag + 1);
    if (pair <= 0) break;
    time += 2 * pair;
  }
  return std::max(1.0, time);
}

double ljung_box(std::span<const double> samples, std::size_t lags) {
  const Centered centered(samples);
  if (lags == 0 || lags >= samples.size()) {
    throw std::invalid_argument("the lags must be at least 1 and fewer than the samples");
  }
  return ljung_box_of(centered, lags);
}

Dependence median_dependence(std::span<const double> samples) {
  return median_dependence(samples, median(samples));
}

Dependence median_dependence(std::span<const double> samples, double center) {
  const std::size_t n = samples.size();
  Dependence result = Dependence::none(n);
  if (n < fewest) return result;
  std::vector<double> signs;
  signs.reserve(n);
  for (const double x : samples) signs.push_back(x > center ? 1 : x < center ? -1 : 0);
  const Centered centered(signs);
  result.lag1 = centered.correlation(1);
  result.p_value = ljung_box_of(centered, std::min<std::size_t>(10, n / 5));
  result.shown = result.p_value < level;
  if (!result.shown) return result;
  result.time = autocorrelation_time(signs);
  const auto worth = static_cast<std::size_t>(static_cast<double>(n) / result.time);
  result.effective = std::max<std::size_t>(6, worth);
  return result;
}

Interval widened_median_interval(std::span<const double> samples, std::size_t effective,
                                 double confidence) {
  check_confidence(confidence);
  const std::vector<double> sorted = sorted_copy(samples);
  if (effective >= sorted.size()) return sorted_median_interval(sorted, confidence);
  const MedianBounds bounds = median_bounds(effective, confidence);
  if (bounds.rank == 0) {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  // The r-th of m order statistics has the expected share r / (m + 1); that of n samples has rank
  // r·(n + 1) / (m + 1), counted from 1.
  const double share =
      (static_cast<double>(bounds.rank) + bounds.weight) / static_cast<double>(effective + 1);
  const std::size_t last = sorted.size() - 1;
  const double q = (share * static_cast<double>(sorted.size() + 1) - 1) / static_cast<double>(last);
  return {sorted_quantile(sorted, q), sorted_quantile(sorted, 1 - q)};
}

}  // namespace benchctl::stats
