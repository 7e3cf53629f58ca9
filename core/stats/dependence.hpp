// Do samples depend on those before them? Intervals count samples as if each told something new; where a
// clock wanders or a neighbour comes and goes, a hundred samples tell less than a hundred.
//
// The order of the samples matters here: it must be the one in which they were taken.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// Integrated autocorrelation time τ: the variance of a mean is τ times that of as many independent
/// samples.
struct CorrelationTime {
  double time = 1;         ///< at least 1: samples that swing against each other are not counted as more
  std::size_t window = 1;  ///< lags whose correlations are in it
};

/// Sums of neighbouring autocorrelations are added for as long as they are positive, each at most the one
/// before (the initial monotone sequence of Geyer, "Practical Markov chain Monte Carlo", Statistical
/// Science 7, 1992), over at most a fifth of the samples. Correlations have the divisor n (Box, Jenkins &
/// Reinsel, "Time Series Analysis", 1994, section 2.1.5).
[[nodiscard]] CorrelationTime correlation_time(std::span<const double> samples);

struct Dependence {
  double lag1 = 0;             ///< autocorrelation of neighbours, of their ranks
  double time = 1;             ///< τ of the signs below; 1 where nothing hints at dependence
  double freedom = 0;          ///< degrees of freedom that τ is known with; 0: it plays no part
  std::size_t effective = 0;   ///< independent samples that these are worth for the median
  double p_value = 1;          ///< how probable such ranks are without dependence
  bool shown = false;          ///< p_value is under 1 %
  bool interval_holds = true;  ///< false: dependence is too strong for so few samples, claim no interval
  bool long_enough = true;     ///< τ is known so well that a rule may stop sampling

  /// Of n samples that do not depend on each other.
  [[nodiscard]] static Dependence none(std::size_t n) {
    Dependence result;
    result.effective = n;
    return result;
  }
};

/// How far the samples' median suffers from dependence.
///
/// Looked for in the ranks of neighbours, and of samples up to four apart, from six samples on: a sum of
/// autocorrelations far above 0. Ranks see more than signs, and outliers cannot hide it. Where p is under
/// 20 %, samples are counted as n / τ, with τ of the signs of (sample − median): the variance of a median
/// depends on their correlation (Bahadur, "A note on quantiles in large samples", Annals of Mathematical
/// Statistics 37, 1966).
///
/// With two modes the mode takes the place of the sign, where its τ is longer.
///
/// A mere hint takes away no interval: as long as dependence is not shown, six samples are worth six.
///
/// τ itself is an estimate, from n / window pieces of the series. A rule may stop at 50 of them; where
/// dependence is shown, an interval holds from 15 on. A series with two modes (modes.hpp) must have changed
/// between them 40 and 20 times; for an interval only if it changes less than half as often as by chance.
/// Where the slowest or the quickest tenth of the samples comes in clusters, a rule may stop at 25 windows
/// of these: it may be the first visit of a second state. docs/statistics.md has the coverage.
[[nodiscard]] Dependence median_dependence(std::span<const double> samples);
/// The same for whoever knows their median.
[[nodiscard]] Dependence median_dependence(std::span<const double> samples, double center);

/// median_interval with the rank that fits the effective number of samples, at the same share of all n
/// samples, widened by Student's quantile over the normal one for the freedom of τ. Without dependence it
/// is median_interval. Unknown when no interval holds, or when the number is too small for the confidence.
[[nodiscard]] Interval dependent_median_interval(std::span<const double> samples,
                                                 const Dependence& dependence, double confidence = 0.95);

}  // namespace benchctl::stats
