#include "stats/outliers.hpp"

#include "stats/order.hpp"

#include <vector>

namespace benchctl::stats {

Outliers count_outliers(std::span<const double> samples) {
  constexpr double inner = 1.5;
  constexpr double outer = 3;
  const std::vector<double> sorted = sorted_copy(samples);
  const double lower = sorted_quantile(sorted, 0.25);
  const double upper = sorted_quantile(sorted, 0.75);
  const double range = upper - lower;
  Outliers counts;
  for (const double x : sorted) {
    if (x < lower - outer * range) {
      ++counts.low_severe;
    } else if (x < lower - inner * range) {
      ++counts.low_mild;
    } else if (x > upper + outer * range) {
      ++counts.high_severe;
    } else if (x > upper + inner * range) {
      ++counts.high_mild;
    }
  }
  return counts;
}

}  // namespace benchctl::stats
