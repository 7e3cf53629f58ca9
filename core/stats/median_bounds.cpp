#include "stats/median_bounds.hpp"

#include "stats/order.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <array>
#include <limits>

namespace benchctl::stats {

namespace {

/// Probability that the k-th smallest and k-th largest of n samples enclose the median:
/// 1 − 2·P(B ≤ k − 1) with B binomial (n, ½), through the incomplete beta function.
double coverage(std::size_t n, std::size_t k) {
  const auto successes = static_cast<double>(k);
  return 1 - 2 * boost::math::ibeta(static_cast<double>(n) - successes + 1, successes, 0.5);
}

MedianBounds find_bounds(std::size_t n, double confidence) {
  if (coverage(n, 1) < confidence) return {};
  std::size_t rank = 1;
  std::size_t too_far = n;  // coverage < 0 there
  while (too_far - rank > 1) {
    const std::size_t middle = rank + (too_far - rank) / 2;
    (coverage(n, middle) >= confidence ? rank : too_far) = middle;
  }
  const double outer = coverage(n, rank);
  const double inner = coverage(n, rank + 1);
  const double excess = (outer - confidence) / (outer - inner);
  const auto size = static_cast<double>(n);
  const auto k = static_cast<double>(rank);
  return {rank, (size - k) * excess / (k + (size - 2 * k) * excess)};
}

/// Bounds for numbers of samples that were asked for before. Whoever judges many series asks for few of
/// them, again and again; finding bounds takes longer than sorting the samples.
struct Known {
  std::size_t n{};
  double confidence{};
  MedianBounds bounds;
};

}  // namespace

MedianBounds median_bounds(std::size_t n, double confidence) {
  thread_local std::array<Known, 64> all;
  Known& known = all[n % all.size()];
  if (known.n != n || known.confidence != confidence) known = {n, confidence, find_bounds(n, confidence)};
  return known.bounds;
}

Interval sorted_median_interval(std::span<const double> sorted, double confidence) {
  const std::size_t n = sorted.size();
  const MedianBounds bounds = median_bounds(n, confidence);
  if (bounds.rank == 0) {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }
  const std::size_t k = bounds.rank;
  return {interpolate(sorted[k - 1], sorted[k], bounds.weight),
          interpolate(sorted[n - k], sorted[n - k - 1], bounds.weight)};
}

}  // namespace benchctl::stats
