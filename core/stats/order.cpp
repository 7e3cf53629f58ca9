#include "stats/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace benchctl::stats {

bool have_ratios(std::span<const double> samples) {
  return !samples.empty() &&
         std::ranges::all_of(samples, [](double x) { return x > 0 && std::isfinite(x); });
}

std::vector<double> checked_copy(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples: an estimate needs at least one");
  if (!std::ranges::all_of(samples, [](double x) { return std::isfinite(x); })) {
    throw std::invalid_argument("a sample is infinite or not a number");
  }
  return {samples.begin(), samples.end()};
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> values = checked_copy(samples);
  std::ranges::sort(values);
  return values;
}

std::vector<double> logarithms(std::span<const double> samples) {
  std::vector<double> values = checked_copy(samples);
  for (double& x : values) {
    if (!(x > 0)) throw std::invalid_argument("a ratio needs samples above 0");
    x = std::log(x);
  }
  return values;
}

double squares_around(std::span<const double> samples, double center) {
  double sum = 0;
  for (const double x : samples) {
    const double distance = x - center;
    sum += distance * distance;
  }
  return sum;
}

double interpolate(double a, double b, double weight) { return a == b ? a : (1 - weight) * a + weight * b; }

double sorted_quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const double whole = std::floor(position);
  const auto below = static_cast<std::size_t>(whole);
  if (position == whole) return sorted[below];
  return interpolate(sorted[below], sorted[below + 1], position - whole);
}

void check_confidence(double confidence) {
  if (!(confidence >= 0.5 && confidence < 1)) {
    throw std::invalid_argument("a confidence lies between 0.5 and 1");
  }
}

double lattice_step(std::span<const double> sorted) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] > sorted[i - 1]) least = std::min(least, sorted[i] - sorted[i - 1]);
  }
  return least;
}

}  // namespace benchctl::stats
