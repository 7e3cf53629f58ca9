// How far a median scatters from one process, or run, to the next: what no interval from within one holds.
// And two sides compared in pairs of processes, which ends as soon as it is decided.
#pragma once

#include "stats/ratio.hpp"

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

/// After how many pairs the ratios are looked at: 4, 6, 9, 14, … (half as many again each time), and after
/// the very next pair when a slowdown was seen.
class Looks {
 public:
  [[nodiscard]] bool due(std::size_t pairs) const { return pairs >= next_; }
  /// Now, after so many pairs, which are more than at the look before.
  void look(std::size_t pairs);
  /// A slowdown was seen that the next pair may confirm.
  void confirm() { next_ = taken_.back() + 1; }
  /// The number of pairs at each look so far.
  [[nodiscard]] const std::vector<std::size_t>& taken() const { return taken_; }

 private:
  std::vector<std::size_t> taken_;
  std::size_t next_ = 4;
};

struct SequentialRatio {
  RatioEstimate ratio;  ///< geometric mean over the pairs; the interval holds at all looks together
  Verdict verdict = Verdict::not_resolved;
  /// Slower, but not confirmed: `verdict` is not_resolved then.
  bool unconfirmed = false;
};

/// Decides on the ratios of pairs, numerator over denominator, all above 0, at the last of the looks, of
/// which there is at least one and none beyond the ratios.
///
/// The interval is Student's for the mean log ratio (as `mean_ratio`). At look j it has the confidence
/// 1 − 0.05 / (comparisons · j · (j + 1)). These error rates sum to 0.05 however many looks follow, so that
/// at most one in twenty comparisons has an interval at any look that misses its true ratio: repeated
/// confidence intervals (Jennison & Turnbull, "Interim analyses: the repeated confidence interval
/// approach", JRSS B 51, 1989) with the error spent look by look (Lan & DeMets, "Discrete sequential
/// boundaries for clinical trials", Biometrika 70, 1983), and Bonferroni's bound in place of the joint
/// distribution of the looks, which holds for any number of looks at any time.
///
/// `slower` needs confirmation: the look before was one pair ago and said the same, and the ratio of the
/// new pair alone is beyond the threshold, too.
[[nodiscard]] SequentialRatio sequential_verdict_of(std::span<const double> ratios,
                                                    std::span<const std::size_t> looks, double threshold,
                                                    std::size_t comparisons);

}  // namespace benchctl::stats
