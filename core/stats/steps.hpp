// Where the level of a series changes: a kernel that is 5 % slower since Tuesday.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::stats {

struct Step {
  std::size_t at = 0;  ///< the first value of the new level
  double shift = 0;    ///< new level minus old, both means of the values between steps
  Interval interval;   ///< 95 %, Student's; unknown where the two levels have one value each
  double p_value = 1;  ///< of a difference that large at the worst place, without a step
};

/// Steps in a series of at least three values, by place. The series is cut where Student's t for the
/// difference between both sides is largest (Hawkins, "Testing a sequence of observations for a shift in
/// location", JASA 72, 1977), if its p-value, times the number of places (Worsley, "On the likelihood ratio
/// test for a shift in location of normal populations", JASA 74, 1979), is at most `level`; then each side
/// in the same way (binary segmentation: Scott & Knott, "A cluster analysis method for grouping means in
/// the analysis of variance", Biometrics 30, 1974). `errors` are the standard errors of the values: what
/// scatters less than that is not taken to scatter less, so that few values that are equal by chance make
/// no step. Without a step one is reported in at most `level` of all series if values are normal and do not
/// depend on each other. std::invalid_argument for series of different lengths, values that are not finite,
/// errors that are not finite or below 0, or a level outside (0, 1).
[[nodiscard]] std::vector<Step> find_steps(std::span<const double> values, std::span<const double> errors,
                                           double level);

}  // namespace benchctl::stats
