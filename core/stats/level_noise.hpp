// How values scatter about levels that were fitted to them, and what neighbours have in common.
#pragma once

#include <cstddef>
#include <span>

namespace benchctl::stats {

/// Noise of a first-order autoregression. Single values hardly move it: they are clipped at 2.5 standard
/// deviations (Huber, "Robust estimation of a location parameter", Annals of Mathematical Statistics 35,
/// 1964).
struct LevelNoise {
  double scatter = 0;  ///< standard deviation of a value
  /// Correlation of neighbours: half a standard error above the estimate, which is corrected for the levels
  /// that were fitted (Marriott & Pope, "Bias in the estimation of autocorrelations", Biometrika 41, 1954);
  /// at least `least_lag1`, since a short series can hide as much.
  double lag1 = 0;
  double degrees = 1;  ///< for Student's t

  static constexpr double least_lag1 = 0.5;

  /// Variance of the mean of `count` neighbours, in units of scatter².
  [[nodiscard]] double mean_variance(std::size_t count) const;
  /// Two-sided p-value of a value that is this many standard errors from 0.
  [[nodiscard]] double p_value(double standard_errors) const;
  /// Half a 95 % interval of what was chosen because it stands out, in standard errors: Student's at 98 %.
  [[nodiscard]] double half_interval() const;
};

/// From at least one residual in the order of the values, after `fitted` parameters, fewer than residuals.
/// `errors` are the standard errors of the values: what scatters less than that is not taken to scatter
/// less.
[[nodiscard]] LevelNoise level_noise(std::span<const double> residuals, std::size_t fitted,
                                     std::span<const double> errors);

/// Root of the mean square.
[[nodiscard]] double known_scatter(std::span<const double> errors);

/// Standard deviation of normal values whose median distance to their centre this is.
[[nodiscard]] double normal_deviation(double median_distance);

}  // namespace benchctl::stats
