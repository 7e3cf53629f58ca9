#include "stats/sequential.hpp"

#include "stats/geometric.hpp"
#include "stats/multiplicity.hpp"

#include <stdexcept>

namespace benchctl::stats {

namespace {

constexpr double confidence_of_all_looks = 0.95;

RatioEstimate ratio_at(std::span<const double> ratios, std::size_t look, std::size_t comparisons) {
  return mean_ratio(ratios,
                    bonferroni_confidence(confidence_of_all_looks, comparisons * look * (look + 1)));
}

}  // namespace

void Looks::look(std::size_t pairs) {
  if (!taken_.empty() && pairs <= taken_.back()) throw std::invalid_argument("a look without a new pair");
  taken_.push_back(pairs);
  next_ = pairs + (pairs + 1) / 2;
}

SequentialRatio judge_pairs(std::span<const double> ratios, std::span<const std::size_t> looks,
                            double threshold, std::size_t comparisons) {
  if (looks.empty() || looks.back() > ratios.size()) {
    throw std::invalid_argument("a comparison in pairs needs a look, and all the pairs that it saw");
  }
  const std::size_t pairs = looks.back();
  const std::size_t look = looks.size();
  SequentialRatio result;
  result.ratio = ratio_at(ratios.first(pairs), look, comparisons);
  result.verdict = judge(result.ratio, threshold);
  if (result.verdict != Verdict::slower) return result;
  const bool claimed =
      look > 1 && looks[look - 2] + 1 == pairs &&
      judge(ratio_at(ratios.first(pairs - 1), look - 1, comparisons), threshold) == Verdict::slower;
  if (claimed && ratios[pairs - 1] > 1 + threshold) return result;
  result.verdict = Verdict::not_resolved;
  result.unconfirmed = true;
  return result;
}

}  // namespace benchctl::stats
