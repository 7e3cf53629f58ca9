// The ratio of two medians that were not measured in turn: another run, another day, another device.
#pragma once

#include "stats/paired.hpp"
#include "stats/summary.hpp"

#include <span>

namespace benchctl::stats {

struct MedianEstimate {
  double median = 0;
  Interval interval;
};

/// numerator.median / denominator.median with the interval that follows from theirs: on the logarithmic
/// scale the distances to their near and far ends are added as independent errors are, which is the
/// method of variance estimates recovery (Donner & Zou, "Closed-form confidence intervals for functions
/// of the normal mean and standard deviation", Statistical Methods in Medical Research 21, 2012; for
/// medians Price & Bonett, "Distribution-free confidence intervals for difference and ratio of medians",
/// Journal of Statistical Computation and Simulation 72, 2002). Both intervals must have the same
/// confidence, which is that of the result; as they stand in a store, widened ones among them, they will
/// do. Unknown interval when one is unknown or reaches down to 0. What differs between runs as a whole
/// (clock, temperature, placement in memory) is in neither interval and not in this one.
/// std::invalid_argument when a median is not above 0 and finite.
[[nodiscard]] RatioEstimate ratio_of_medians(const MedianEstimate& numerator,
                                             const MedianEstimate& denominator);

}  // namespace benchctl::stats
