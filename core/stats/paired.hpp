// Two things measured in turn, round by round: what one round had in common (clock, temperature, other
// load) cancels in the ratio of its two values.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// A ratio of two quantities, with the interval in which the true one lies with the confidence asked for.
struct RatioEstimate {
  std::size_t n = 0;  ///< rounds, or samples of the shorter series; 0: not known
  double ratio = 0;
  Interval interval;   ///< both ends NaN under six rounds (at 95 %): no interval exists
  double p_value = 1;  ///< two-sided, of the hypothesis that the true ratio is 1; NaN: not tested

  /// The same with numerator and denominator exchanged.
  [[nodiscard]] RatioEstimate inverse() const noexcept;
};

/// Median over the rounds of numerator[i] / denominator[i], through logarithms, so that exchanging the
/// two inverts the result exactly. The interval is `median_interval` of the log ratios: order statistics,
/// hence valid for any distribution of the ratios. The p-value is `sign_test`'s. `confidence` in [0.5, 1).
/// std::invalid_argument when the lengths differ, there is no round, or a value is not above 0 and finite.
[[nodiscard]] RatioEstimate paired_ratio(std::span<const double> numerator,
                                         std::span<const double> denominator, double confidence = 0.95);

/// Two-sided p-value of the sign test (Conover, "Practical Nonparametric Statistics", 1999, section 3.4):
/// how probable it is that at least as many of the differences have the commoner sign, if both are as
/// probable. Exact, by the binomial distribution; differences of 0 are left out; 1 when none is left.
[[nodiscard]] double sign_test(std::span<const double> differences);

}  // namespace benchctl::stats
