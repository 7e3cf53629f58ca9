#include "stats/level_noise.hpp"

#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace benchctl::stats {

namespace {

constexpr double clip = 2.5;
/// Mean square of a standard normal variable clipped at 2.5.
constexpr double clipped_square = 0.9776;
/// The scatter comes from dependent values, after the cuts were chosen, so it tells less than their number.
/// Chosen by simulation: test_stats "[full]" prints what the p-values then hold.
constexpr double degrees_share = 0.8;
constexpr double most_lag1 = 0.95;

/// From the distances beyond the `fitted` smallest, which the fit made small.
double first_scatter(std::span<const double> residuals, std::size_t fitted) {
  std::vector<double> distances;
  double mean = 0;
  for (const double residual : residuals) {
    distances.push_back(std::abs(residual));
    mean += std::abs(residual) / static_cast<double>(residuals.size());
  }
  std::ranges::sort(distances);
  distances.erase(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(fitted));
  const double scatter = normal_deviation(median(distances));
  return scatter > 0 ? scatter : mean;
}

}  // namespace

double normal_deviation(double median_distance) { return median_distance / 0.6744897501960817; }

double known_scatter(std::span<const double> errors) {
  double sum = 0;
  for (const double error : errors) sum += error * error;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

double LevelNoise::mean_variance(std::size_t count) const {
  const auto k = static_cast<double>(count);
  double sum = 1;
  double correlation = 1;
  for (std::size_t lag = 1; lag < count; ++lag) {
    correlation *= lag1;
    sum += 2 * correlation * (1 - static_cast<double>(lag) / k);
  }
  return sum / k;
}

double LevelNoise::p_value(double standard_errors) const {
  if (std::isinf(standard_errors)) return 0;
  return 2 * boost::math::cdf(boost::math::students_t(degrees), -std::abs(standard_errors));
}

double LevelNoise::half_interval() const {
  return boost::math::quantile(boost::math::students_t(degrees), 0.99);
}

LevelNoise level_noise(std::span<const double> residuals, std::size_t fitted,
                       std::span<const double> errors) {
  const auto n = static_cast<double>(residuals.size());
  const double free = n - static_cast<double>(fitted);
  const double limit = clip * first_scatter(residuals, fitted);
  double squares = 0;
  double products = 0;
  double before = 0;
  for (const double residual : residuals) {
    const double now = std::clamp(residual, -limit, limit);
    squares += now * now;
    products += before * now;
    before = now;
  }
  LevelNoise noise;
  noise.degrees = std::max(1.0, degrees_share * free);
  noise.scatter = std::max(std::sqrt(squares / clipped_square / free), known_scatter(errors));
  const double found = squares > 0 ? products / squares : 0;
  const double bias = (1 + 4 * found) / n * static_cast<double>(fitted);
  const double error = std::sqrt((1 - found * found) / n);
  noise.lag1 = std::clamp(found + bias + error / 2, LevelNoise::least_lag1, most_lag1);
  return noise;
}

}  // namespace benchctl::stats
