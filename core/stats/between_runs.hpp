// How far a median scatters from one process, or run, to the next: what no interval from within one holds.
#pragma once

#include "stats/paired.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::stats {

/// A median of one run.
struct RunMedian {
  double log_median = 0;
  double processes = 1;  ///< number of processes; the variance is one over it
};

/// Standard deviation of the log median of one process.
struct RunSpread {
  double deviation = 0;
  double freedom = 0;  ///< degrees of freedom of its square; 0: nothing is known
};

/// Fewer tell no spread.
inline constexpr std::size_t fewest_runs = 3;

/// From runs in the order of time: mean square of successive differences, so that a slow drift counts for
/// little (von Neumann, Kent, Bellinson & Hart, "The mean square successive difference", Annals of
/// Mathematical Statistics 12, 1941). From three differences on the largest is left out, which may be a
/// step, and the mean corrected for that. Unknown from fewer than fewest_runs, which are equal by chance
/// where a timer has long steps.
[[nodiscard]] RunSpread successive_spread(std::span<const RunMedian> runs);

/// From the processes of one run or of several: pooled deviation of each series of log medians from its own
/// mean. Series of one say nothing.
[[nodiscard]] RunSpread pooled_spread(std::span<const std::vector<double>> log_medians);

/// Each spread drawn towards what is common to all, as much as they are alike: with few degrees of freedom
/// each, alone they would be too wide by far or, by chance, too narrow (Smyth, "Linear models and empirical
/// Bayes methods", Statistical Applications in Genetics and Molecular Biology 3, 2004, sections 6.1–6.2).
/// Unknown ones become what is common. None is taken for better known than all together are. Fewer than
/// three above 0 that come from six runs: as they were. Freedoms must be finite.
[[nodiscard]] std::vector<RunSpread> moderated(std::span<const RunSpread> spreads);

/// The interval of a ratio of medians of `numerator` and `denominator` processes, by Student's t, united
/// with the interval that it has from within them. Unknown where either is.
[[nodiscard]] Interval with_spread(const RatioEstimate& within, const RunSpread& spread, double numerator,
                                   double denominator, double confidence);

}  // namespace benchctl::stats
