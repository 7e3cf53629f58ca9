// Many comparisons at once: of twenty at the 95 % level one goes wrong on average. Two ways to hold the
// probability that *any* goes wrong, without assuming that the comparisons are independent.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace benchctl::stats {

/// Confidence of each of `comparisons` intervals for which all of them together hold with `confidence`:
/// 1 − (1 − confidence) / comparisons (Dunn, "Multiple comparisons among means", JASA 56, 1961). For
/// verdicts, whose intervals must be wider. std::invalid_argument for 0 comparisons, or a confidence
/// outside [0.5, 1).
[[nodiscard]] double bonferroni_confidence(double confidence, std::size_t comparisons);

/// p-values adjusted for their number (Holm, "A simple sequentially rejective multiple test procedure",
/// Scandinavian Journal of Statistics 6, 1979), in the order given: rejecting those that are at most α
/// rejects a true hypothesis with a probability of at most α. Never below the p-value itself; never weaker
/// than Bonferroni's. std::invalid_argument for a value outside [0, 1].
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace benchctl::stats
