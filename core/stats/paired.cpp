#include "stats/paired.hpp"

#include "stats/dependence.hpp"
#include "stats/order.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

std::vector<double> log_ratios(std::span<const double> numerator, std::span<const double> denominator) {
  if (numerator.size() != denominator.size()) {
    throw std::invalid_argument("paired series must have the same number of rounds");
  }
  std::vector<double> logs = logarithms(numerator);
  const std::vector<double> below = logarithms(denominator);
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] -= below[i];
  return logs;
}

}  // namespace

RatioEstimate RatioEstimate::inverse() const noexcept {
  return {n, 1 / ratio, {1 / interval.high, 1 / interval.low}, p_value, effective, long_enough};
}

RatioEstimate paired_ratio(std::span<const double> numerator, std::span<const double> denominator,
                           double confidence) {
  const std::vector<double> logs = log_ratios(numerator, denominator);
  const Dependence dependence = median_dependence(logs);
  const Interval interval = dependent_median_interval(logs, dependence, confidence);
  return {logs.size(),
          std::exp(median(logs)),
          {std::exp(interval.low), std::exp(interval.high)},
          sign_test(logs, dependence.effective),
          dependence.effective,
          dependence.long_enough};
}

double sign_test(std::span<const double> differences) { return sign_test(differences, differences.size()); }

double sign_test(std::span<const double> differences, std::size_t effective) {
  const std::vector<double> values = checked_copy(differences);
  const auto above = std::ranges::count_if(values, [](double x) { return x > 0; });
  const auto below = std::ranges::count_if(values, [](double x) { return x < 0; });
  if (above + below == 0) return 1;
  // P(B ≥ most) with B binomial (above + below, ½), through the incomplete beta function, which takes the
  // counts of fewer independent signs, too.
  const double worth =
      static_cast<double>(std::min(effective, values.size())) / static_cast<double>(values.size());
  const auto most = worth * static_cast<double>(std::max(above, below));
  const auto rest = worth * static_cast<double>(std::min(above, below));
  return std::min(1.0, 2 * boost::math::ibeta(most, rest + 1, 0.5));
}

}  // namespace benchctl::stats
