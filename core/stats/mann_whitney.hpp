// Two independent series: does one tend to larger values?
#pragma once

#include <cstddef>
#include <span>

namespace benchctl::stats {

struct MannWhitney {
  double u = 0;            ///< pairs in which the first series' sample is the larger; ties count ½
  double superiority = 0;  ///< u over the number of pairs: 0.5 when neither tends to be larger
  double p_value = 1;      ///< two-sided
  bool exact = false;      ///< by counting, not by the normal approximation
};

/// The test of Mann & Whitney ("On a test of whether one of two random variables is stochastically larger
/// than the other", Annals of Mathematical Statistics 18, 1947). Exact, by their recursion, when no two
/// samples are equal and there are at most 400 pairs; else the normal approximation with a continuity
/// correction and the variance corrected for ties (Conover, 1999, section 5.1). A difference of shape alone
/// can reject too: this is not a test of medians. std::invalid_argument when a series is empty or not
/// finite.
[[nodiscard]] MannWhitney mann_whitney(std::span<const double> first, std::span<const double> second);

}  // namespace benchctl::stats
