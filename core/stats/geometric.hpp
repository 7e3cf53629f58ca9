// One figure for many ratios: the geometric mean, the only mean for which it does not matter what was the
// numerator.
#pragma once

#include "stats/paired.hpp"

#include <span>

namespace benchctl::stats {

/// exp(mean of the logarithms). std::invalid_argument for no value, or one that is not above 0 and finite.
[[nodiscard]] double geometric_mean(std::span<const double> ratios);

/// The same with the interval of Student's t distribution for the mean of the log ratios: how far the mean
/// over *other problems of the same kind* may lie, if these are a fair choice of them and their log ratios
/// about normal (Fleming & Wallace, "How not to lie with statistics", CACM 29, 1986, on why a geometric
/// mean). It says nothing about how well each ratio is known. Unknown interval and p-value 1 for one ratio.
[[nodiscard]] RatioEstimate mean_ratio(std::span<const double> ratios, double confidence = 0.95);

}  // namespace benchctl::stats
