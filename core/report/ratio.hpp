// The ratio of two medians with an interval.
#pragma once

#include "stats/summary.hpp"

namespace benchctl {

/// A statistic with its interval, which may be unknown.
struct Estimate {
  double value = 0;
  stats::Interval interval;
};

/// `numerator` over `denominator`, both positive. The interval joins those of the two, taken as
/// independent, on a scale of logarithms: with u and l the distances from each value to the ends of its own
/// interval, log ratio - sqrt(l_n² + u_d²) to log ratio + sqrt(u_n² + l_d²) (Zou and Donner, Statistics in
/// Medicine 27, 2008: the method of variance estimates recovery). It has the confidence of the two. NaN
/// where a value is not positive; the interval is unknown where one of the two is.
[[nodiscard]] Estimate ratio_of(const Estimate& numerator, const Estimate& denominator);

}  // namespace benchctl
