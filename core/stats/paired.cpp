#include "stats/paired.hpp"

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
  return {n, 1 / ratio, {1 / interval.high, 1 / interval.low}, p_value};
}

RatioEstimate paired_ratio(std::span<const double> numerator, std::span<const double> denominator,
                           double confidence) {
  const std::vector<double> logs = log_ratios(numerator, denominator);
  const Interval interval = median_interval(logs, confidence);
  return {logs.size(),
          std::exp(median(logs)),
          {std::exp(interval.low), std::exp(interval.high)},
          sign_test(logs)};
}

double sign_test(std::span<const double> differences) {
  const std::vector<double> values = checked_copy(differences);
  const auto above = static_cast<double>(std::ranges::count_if(values, [](double x) { return x > 0; }));
  const auto below = static_cast<double>(std::ranges::count_if(values, [](double x) { return x < 0; }));
  if (above + below == 0) return 1;
  // P(B ≥ most) with B binomial (above + below, ½), through the incomplete beta function.
  return std::min(1.0, 2 * boost::math::ibeta(std::max(above, below), std::min(above, below) + 1, 0.5));
}

}  // namespace benchctl::stats
