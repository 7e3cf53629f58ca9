#include "stats/geometric.hpp"

#include "stats/order.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace benchctl::stats {

double geometric_mean(std::span<const double> ratios) { return std::exp(mean(logarithms(ratios))); }

RatioEstimate mean_ratio(std::span<const double> ratios, double confidence) {
  check_confidence(confidence);
  const std::vector<double> logs = logarithms(ratios);
  const double center = mean(logs);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  RatioEstimate result{logs.size(), std::exp(center), {unknown, unknown}, 1};
  if (logs.size() < 2) return result;
  const auto n = static_cast<double>(logs.size());
  const double error = std::sqrt(squares_around(logs, center) / (n - 1) / n);
  const boost::math::students_t distribution(n - 1);
  const double half = boost::math::quantile(distribution, (1 + confidence) / 2) * error;
  result.interval = {std::exp(center - half), std::exp(center + half)};
  if (error > 0) {
    result.p_value = 2 * boost::math::cdf(distribution, -std::abs(center) / error);
  } else {
    result.p_value = center == 0 ? 1 : 0;
  }
  return result;
}

}  // namespace benchctl::stats
