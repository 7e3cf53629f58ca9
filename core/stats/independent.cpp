#include "stats/independent.hpp"

#include "stats/mann_whitney.hpp"
#include "stats/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

/// Interval of a − b, each with its interval, all logarithms.
Interval difference(const MedianEstimate& a, const MedianEstimate& b) {
  const double center = a.median - b.median;
  return {center - std::hypot(a.median - a.interval.low, b.interval.high - b.median),
          center + std::hypot(a.interval.high - a.median, b.median - b.interval.low)};
}

MedianEstimate logarithm(const MedianEstimate& estimate) {
  if (!(estimate.median > 0) || std::isinf(estimate.median)) {
    throw std::invalid_argument("a ratio needs medians above 0");
  }
  return {std::log(estimate.median), {std::log(estimate.interval.low), std::log(estimate.interval.high)}};
}

RatioEstimate ratio_of_logarithms(const MedianEstimate& a, const MedianEstimate& b) {
  RatioEstimate result;
  result.ratio = std::exp(a.median - b.median);
  const Interval logs = difference(a, b);
  // From an end at or below 0 comes an infinity or no number at all.
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const bool usable = std::isfinite(logs.low) && std::isfinite(logs.high);
  result.interval = usable ? Interval{std::exp(logs.low), std::exp(logs.high)} : Interval{unknown, unknown};
  return result;
}

}  // namespace

RatioEstimate ratio_of_medians(const MedianEstimate& numerator, const MedianEstimate& denominator) {
  RatioEstimate result = ratio_of_logarithms(logarithm(numerator), logarithm(denominator));
  result.p_value = std::numeric_limits<double>::quiet_NaN();
  return result;
}

RatioEstimate ratio_of_medians(std::span<const double> numerator, std::span<const double> denominator,
                               double confidence) {
  const std::vector<double> above = logarithms(numerator);
  const std::vector<double> below = logarithms(denominator);
  RatioEstimate result = ratio_of_logarithms({median(above), median_interval(above, confidence)},
                                             {median(below), median_interval(below, confidence)});
  result.n = std::min(above.size(), below.size());
  result.p_value = mann_whitney(above, below).p_value;
  return result;
}

}  // namespace benchctl::stats
