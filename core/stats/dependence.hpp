// Do samples depend on those before them? Intervals count samples as if each told something new; where a
// clock wanders or a neighbour comes and goes, a hundred samples tell less than a hundred.
//
// The order of the samples matters here: it must be the one in which they were taken.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// Correlation of samples that are `lag` apart: the usual estimate with the divisor n (Box, Jenkins &
/// Reinsel, "Time Series Analysis", 1994, section 2.1.5). 0 when all samples are equal.
/// std::invalid_argument unless lag < n.
[[nodiscard]] double autocorrelation(std::span<const double> samples, std::size_t lag);

/// Integrated autocorrelation time τ: the variance of a mean is τ times that of as many independent
/// samples. Sums of neighbouring autocorrelations are added for as long as they are positive (the initial
/// positive sequence of Geyer, "Practical Markov chain Monte Carlo", Statistical Science 7, 1992). At
/// least 1: samples that swing against each other are not counted as more than they are.
[[nodiscard]] double autocorrelation_time(std::span<const double> samples);

/// p-value of the hypothesis that no sample depends on the `lags` before it (Ljung & Box, "On a measure
/// of lack of fit in time series models", Biometrika 65, 1978), by the χ² distribution. 1 when all
/// samples are equal. std::invalid_argument unless 0 < lags < n.
[[nodiscard]] double ljung_box(std::span<const double> samples, std::size_t lags);

struct Dependence {
  double lag1 = 0;            ///< autocorrelation of neighbours, of the signs below
  double time = 1;            ///< τ; 1 where no dependence is shown
  std::size_t effective = 0;  ///< how many independent samples these are worth for the median
  double p_value = 1;         ///< of ljung_box: how probable signs like these are without dependence
  bool shown = false;         ///< p_value is under 1 %

  /// Of n samples that do not depend on each other.
  [[nodiscard]] static Dependence none(std::size_t n) { return {0, 1, n, 1, false}; }
};

/// How far the samples' median suffers from dependence. What its variance depends on is the correlation
/// of the signs of (sample − median), not of the samples (Bahadur, "A note on quantiles in large samples",
/// Annals of Mathematical Statistics 37, 1966), so outliers do not hide it. Looked for over
/// min(10, n/5) lags; under 20 samples there is nothing to find. An effective number is n / τ, rounded
/// down, and at least 6, so that an interval exists; where a series drifts as a whole no number is right.
[[nodiscard]] Dependence median_dependence(std::span<const double> samples);
/// The same for whoever knows their median.
[[nodiscard]] Dependence median_dependence(std::span<const double> samples, double center);

/// median_interval with the rank that fits `effective` samples, at the same share of all n samples.
/// For effective ≥ n it is median_interval. Unknown when `effective` is too small for the confidence.
[[nodiscard]] Interval widened_median_interval(std::span<const double> samples, std::size_t effective,
                                               double confidence = 0.95);

}  // namespace benchctl::stats
