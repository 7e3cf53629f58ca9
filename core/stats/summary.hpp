// Estimators on plain numbers, and what the other files of this room build theirs from. Pure functions:
// nothing here knows what is measured or in which unit.
//
// Every function copies what it must sort and leaves its input alone. Unless it says otherwise it throws
// std::invalid_argument when there is no sample or when one is infinite or not a number.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace benchctl::stats {

/// A closed interval; both ends are NaN if no interval is known.
struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool known() const noexcept;
  /// Do two known intervals share a point? False when either is unknown.
  [[nodiscard]] bool overlaps(const Interval& other) const noexcept;
};

inline constexpr Interval unknown_interval{std::numeric_limits<double>::quiet_NaN(),
                                           std::numeric_limits<double>::quiet_NaN()};

/// Arithmetic mean, summed with Neumaier's compensation (ZAMM 54, 1974).
[[nodiscard]] double mean(std::span<const double> samples);

/// Quantile of type 7 in Hyndman & Fan, "Sample quantiles in statistical packages" (The American
/// Statistician 50, 1996): linear between the order statistics around (n − 1)·q. `q` in [0, 1].
[[nodiscard]] double quantile(std::span<const double> samples, double q);

/// quantile(samples, 0.5): the middle value, or the mean of the two in the middle.
[[nodiscard]] double median(std::span<const double> samples);

/// Confidence interval of the median that assumes no distribution: the order statistics whose binomial
/// coverages bracket `confidence`, interpolated as in Hettmansperger & Sheather, "Confidence intervals
/// based on interpolated order statistics" (Statistics & Probability Letters 4, 1986); Nyblom, "Note on
/// interpolated order statistics" (ibid. 14, 1992) shows that it is accurate well beyond the symmetric
/// case. Unknown when even the extremes of the samples do not reach `confidence`: under 6 samples for
/// 0.95. `confidence` in [0.5, 1); std::invalid_argument otherwise.
[[nodiscard]] Interval median_interval(std::span<const double> samples, double confidence = 0.95);

/// How many blocks of samples tell how well a median is known.
inline constexpr std::size_t blocks_of_series = 10;

/// Interval of the median of samples that may depend on their neighbours, in the order in which they were
/// taken: Student's, around the median, from the medians of ten equally long blocks of them (of two samples
/// or more as many blocks as there are samples, if these are fewer). Blocks that are longer than the
/// machine takes to forget are about independent (Law & Carson, "A sequential procedure for determining the
/// length of a steady-state simulation", Operations Research 27, 1979). It shrinks as samples come. It
/// knows nothing of what another process would measure. Unknown for one sample.
[[nodiscard]] Interval block_interval(std::span<const double> samples, double confidence = 0.95);

/// Half the width of an interval over the estimate in it: what a stop rule looks at. NaN for an unknown
/// interval; 0 when it has no width; infinite when it has and `center` is 0.
[[nodiscard]] double relative_half_width(const Interval& interval, double center) noexcept;

struct Summary {
  std::size_t n = 0;
  double median = 0;
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
  /// Median absolute deviation from the median, not scaled to the normal distribution (Hampel, JASA 69,
  /// 1974).
  double mad = 0;
  double p5 = 0;
  double p25 = 0;
  double p75 = 0;
  double p95 = 0;
};

/// All of the above at once, with one sort.
[[nodiscard]] Summary summarize(std::span<const double> samples);

/// Are there samples, all of them finite and above 0? Only these have a ratio.
[[nodiscard]] bool have_ratios(std::span<const double> samples);

/// The samples in ascending order.
[[nodiscard]] std::vector<double> sorted_copy(std::span<const double> samples);

/// The logarithms of samples that are all above 0; std::invalid_argument otherwise.
[[nodiscard]] std::vector<double> logarithms(std::span<const double> samples);

/// Σ (x − center)² over the samples, of which there may be none.
[[nodiscard]] double squares_around(std::span<const double> samples, double center);

/// By how many standard errors Student's two-sided interval reaches to either side.
[[nodiscard]] double student_quantile(double freedom, double confidence);

/// std::invalid_argument unless `confidence` lies in [0.5, 1).
void check_confidence(double confidence);

}  // namespace benchctl::stats
