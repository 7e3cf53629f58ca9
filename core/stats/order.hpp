// Sorted copies and the order statistics in them: what the estimators of this room are built from.
#pragma once

#include <span>
#include <vector>

namespace benchctl::stats {

/// Are there samples, all of them finite and above 0? Only these have a ratio.
[[nodiscard]] bool have_ratios(std::span<const double> samples);

/// The samples, all of them finite. std::invalid_argument when there is none, or one is infinite or not
/// a number.
[[nodiscard]] std::vector<double> checked_copy(std::span<const double> samples);

/// The same, in ascending order.
[[nodiscard]] std::vector<double> sorted_copy(std::span<const double> samples);

/// The logarithms of samples that are all above 0; std::invalid_argument otherwise.
[[nodiscard]] std::vector<double> logarithms(std::span<const double> samples);

/// Σ (x − center)² over the samples.
[[nodiscard]] double squares_around(std::span<const double> samples, double center);

/// (1 − weight)·a + weight·b; exact for equal ends, so that equal samples have an interval without width.
[[nodiscard]] double interpolate(double a, double b, double weight);

/// Quantile of type 7 (see `quantile`) of at least one sample, in ascending order.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double q);

/// The smallest difference between two of them, in ascending order, that are not equal: the step of a
/// timer, where one counts. Infinite when all are equal.
[[nodiscard]] double lattice_step(std::span<const double> sorted);

/// std::invalid_argument unless `confidence` lies in [0.5, 1).
void check_confidence(double confidence);

}  // namespace benchctl::stats
