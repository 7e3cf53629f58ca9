#include "stats/independent.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

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

}  // namespace benchctl::stats
