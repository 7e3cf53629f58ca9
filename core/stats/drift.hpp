// Does a series rise or fall as a whole? A clock that throttles, a cache that fills, a neighbour that left.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// Test for a monotone trend of Mann ("Nonparametric tests against trend", Econometrica 13, 1945) and
/// Kendall, with the variance corrected for ties and a continuity correction: a normal approximation, good
/// from 10 samples on.
struct TrendTest {
  double tau = 0;      ///< Kendall's τ-a: (rising − falling pairs) / all pairs, in [−1, 1]
  double z = 0;        ///< standardised; positive for a rising series
  double p_value = 1;  ///< two-sided; 1 for one sample, or when all are equal
};

[[nodiscard]] TrendTest mann_kendall(std::span<const double> samples);

/// Slope of Theil and Sen (Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63,
/// 1968): the median of the slopes of all pairs, in units of a sample per step. Its interval is by ranks
/// of those slopes, with the variance of mann_kendall. A third of the samples may be outliers.
struct Slope {
  double per_step = 0;
  Interval interval;
};

/// Takes memory and time for n²/2 slopes: for long series use `drift`. `confidence` in [0.5, 1). Unknown
/// interval under 3 samples. std::invalid_argument under 2 samples.
[[nodiscard]] Slope theil_sen(std::span<const double> samples, double confidence = 0.95);

struct Drift {
  TrendTest test;
  /// How much the series changes from its first to its last sample by the slope, relative to its median.
  double change = 0;
  Interval change_interval;  ///< 95 %
};

/// Both for a series of any length; above 1000 samples by the medians of 500 to 1000 blocks of neighbours,
/// equally long (the remainder at the end is left out). Both take samples to be independent but for the
/// trend: where neighbours depend on each other, a trend is seen too often (docs/statistics.md has
/// figures). std::invalid_argument under 2 samples. `change` is infinite or not a number where the median
/// is 0.
[[nodiscard]] Drift drift(std::span<const double> samples);

}  // namespace benchctl::stats
