// Ratios of two times with their intervals, of many ratios together, and what may be said of them.
#pragma once

#include "stats/summary.hpp"

#include <cstdint>

namespace benchctl::stats {

/// A ratio of two quantities, with the interval in which the true one lies with the confidence asked for.
struct RatioEstimate {
  std::size_t n = 0;  ///< rounds, or samples of the shorter series; 0: not known
  double ratio = 0;
  Interval interval;  ///< both ends NaN under six rounds (at 95 %): no interval exists

  /// The same with numerator and denominator exchanged.
  [[nodiscard]] RatioEstimate inverse() const noexcept;
};

struct MedianEstimate {
  double median = 0;
  Interval interval;
};

/// The ratio of two medians that were not measured in turn: another run, another day, another device.
/// numerator.median / denominator.median with the interval that follows from theirs: on the logarithmic
/// scale the distances to their near and far ends are added as independent errors are, which is the
/// method of variance estimates recovery (Donner & Zou, "Closed-form confidence intervals for functions
/// of the normal mean and standard deviation", Statistical Methods in Medical Research 21, 2012; for
/// medians Price & Bonett, "Distribution-free confidence intervals for difference and ratio of medians",
/// Journal of Statistical Computation and Simulation 72, 2002). Both intervals must have the same
/// confidence, which is that of the result; as they stand in a store, widened ones among them, they will
/// do. Unknown interval when one is unknown or reaches down to 0. What differs between runs as a whole
/// (clock, temperature, placement in memory) is in neither interval and not in this one.
/// std::invalid_argument when a median is not above 0 and finite.
[[nodiscard]] RatioEstimate ratio_of_medians(const MedianEstimate& numerator,
                                             const MedianEstimate& denominator);

/// One figure for many ratios: exp(mean of the logarithms), the only mean for which it does not matter what
/// was the numerator. std::invalid_argument for no value, or one that is not above 0 and finite.
[[nodiscard]] double geometric_mean(std::span<const double> ratios);

/// The same with the interval of Student's t distribution for the mean of the log ratios: how far the mean
/// over *other problems of the same kind* may lie, if these are a fair choice of them and their log ratios
/// about normal (Fleming & Wallace, "How not to lie with statistics", CACM 29, 1986, on why a geometric
/// mean). It says nothing about how well each ratio is known. Unknown interval for one ratio.
[[nodiscard]] RatioEstimate mean_ratio(std::span<const double> ratios, double confidence = 0.95);

/// Confidence of each of `comparisons` intervals for which all of them together hold with `confidence`,
/// whether they are independent or not: 1 − (1 − confidence) / comparisons (Dunn, "Multiple comparisons
/// among means", JASA 56, 1961). std::invalid_argument for 0 comparisons, or a confidence outside [0.5, 1).
[[nodiscard]] double bonferroni_confidence(double confidence, std::size_t comparisons);

enum class Verdict : std::uint8_t { faster, slower, same, not_resolved };

/// The verdict on the numerator of a ratio of *times* (numerator's over denominator's), by the practical
/// `threshold` t ≥ 0 (0.01: differences of up to 1 % do not matter):
///   same          the interval lies within [1/(1 + t), 1 + t];
///   faster        the interval lies below 1, and the ratio below 1/(1 + t);
///   slower        the interval lies above 1, and the ratio above 1 + t;
///   not_resolved  all else, an unknown interval among it.
/// At most one of the first three holds, since a ratio lies in its interval. Exchanging the two exchanges
/// `faster` and `slower` and leaves the rest. If the two are truly the same, faster or slower is said at
/// most as often as the interval misses. std::invalid_argument when `threshold` is negative, infinite or
/// not a number.
[[nodiscard]] Verdict verdict_of(const RatioEstimate& times, double threshold);

/// The same, but `faster` and `slower` need the whole interval beyond the threshold: if the two truly
/// differ by the threshold or less, they are said at most as often as the interval misses.
[[nodiscard]] Verdict strict_verdict_of(const RatioEstimate& times, double threshold);

}  // namespace benchctl::stats
