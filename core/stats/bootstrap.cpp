#include "stats/bootstrap.hpp"

#include "stats/order.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace benchctl::stats {

namespace {

/// A place below `n` < 2^32, by the upper half of a product: no division, and the same numbers on every
/// platform, which the standard library's distributions do not promise. The bias is n / 2^32.
std::size_t place_below(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(((random() >> 32) * n) >> 32);
}

}  // namespace

Interval bootstrap_interval(std::span<const double> samples,
                            const std::function<double(std::span<const double>)>& statistic,
                            const BootstrapOptions& options) {
  check_confidence(options.confidence);
  if (options.resamples < 100) throw std::invalid_argument("a bootstrap needs at least 100 resamples");
  // In ascending order: the interval does not depend on the order in which the samples came.
  const std::vector<double> values = sorted_copy(samples);
  if (values.size() < 2) {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  std::mt19937_64 random(options.seed);
  std::vector<double> resample(values.size());
  std::vector<double> estimates(options.resamples);
  for (double& estimate : estimates) {
    for (double& x : resample) x = values[place_below(random, values.size())];
    estimate = statistic(resample);
  }
  estimates = sorted_copy(estimates);
  const double tail = (1 - options.confidence) / 2;
  return {sorted_quantile(estimates, tail), sorted_quantile(estimates, 1 - tail)};
}

Interval bootstrap_median_interval(std::span<const double> samples, const BootstrapOptions& options) {
  return bootstrap_interval(samples, median, options);
}

}  // namespace benchctl::stats
