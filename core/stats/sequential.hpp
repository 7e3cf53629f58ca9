// A comparison of two sides in pairs that is looked at again and again, and ends as soon as it is decided.
#pragma once

#include "stats/verdict.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::stats {

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

/// Judges the ratios of pairs, numerator over denominator, all above 0, at the last of the looks, of which
/// there is at least one and none beyond the ratios.
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
[[nodiscard]] SequentialRatio judge_pairs(std::span<const double> ratios,
                                          std::span<const std::size_t> looks, double threshold,
                                          std::size_t comparisons);

}  // namespace benchctl::stats
