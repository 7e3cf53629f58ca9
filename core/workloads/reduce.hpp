// What a reduction's inputs amount to, in float64.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace benchctl {

/// Sums of n numbers t_i. They hold the finite ones alone; the others are counted, since one of them
/// decides the result whatever the rest is.
struct ReductionSums {
  double sum = 0;       ///< Σ t
  double squares = 0;   ///< Σ t²
  double smallest = 0;  ///< +inf when no number is finite
  double largest = 0;   ///< -inf likewise
  std::uint64_t not_a_number = 0;
  std::uint64_t plus_infinity = 0;
  std::uint64_t minus_infinity = 0;
};

/// Writes t_first, t_first+1, … into `out`. Called from several threads at once.
using ReductionTerms = std::function<void(std::uint64_t first, std::span<double> out)>;

/// Streams over n ≥ 1 terms with up to `threads` threads (0: all that this process may use), keeping a few
/// thousand of them at a time. The result does not depend on the number of threads: pieces of a fixed
/// length are added up with compensation (Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen", 1974), their sums likewise in order, so that Σ t is off by little more than one
/// rounding of the result plus n · 2^-106 · Σ|t|; Σ t² likewise, plus a rounding of each square.
[[nodiscard]] ReductionSums reduce_terms(std::uint64_t n, const ReductionTerms& terms,
                                         unsigned threads = 0);

}  // namespace benchctl
