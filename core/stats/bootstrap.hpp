// Bootstrap: what an estimate would vary by if the samples were drawn anew, found by drawing from them.
#pragma once

#include "stats/summary.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace benchctl::stats {

struct BootstrapOptions {
  double confidence = 0.95;      ///< in [0.5, 1)
  std::size_t resamples = 2000;  ///< at least 100: std::invalid_argument below
  std::uint64_t seed = 1;        ///< the same seed gives the same interval on every platform
};

/// Percentile interval of any statistic (Efron & Tibshirani, "An Introduction to the Bootstrap", 1993,
/// chapter 13): its quantiles over resamples with replacement, each as long as `samples`. The
/// bias-corrected accelerated interval is not offered, since it needs the jackknife's acceleration, which
/// is inconsistent for a median (ibid., section 11.6). Unknown for a single sample; under some 20 samples
/// it covers less than it states. Samples must not depend on each other.
[[nodiscard]] Interval bootstrap_interval(std::span<const double> samples,
                                          const std::function<double(std::span<const double>)>& statistic,
                                          const BootstrapOptions& options = {});

/// The same of the median.
[[nodiscard]] Interval bootstrap_median_interval(std::span<const double> samples,
                                                 const BootstrapOptions& options = {});

}  // namespace benchctl::stats
