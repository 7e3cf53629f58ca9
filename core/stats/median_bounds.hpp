// Where the ends of a median's confidence interval lie among the samples in ascending order.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// Which order statistics bound the interval: between the `rank`-th and the one after it, counted from
/// either end, `weight` of the way inwards. Rank 0: there is no such interval.
struct MedianBounds {
  std::size_t rank = 0;
  double weight = 0;
};

/// For n samples that do not depend on each other; formula and sources at `median_interval`.
[[nodiscard]] MedianBounds median_bounds(std::size_t n, double confidence);

/// The interval of samples in ascending order.
[[nodiscard]] Interval sorted_median_interval(std::span<const double> sorted, double confidence);

}  // namespace benchctl::stats
