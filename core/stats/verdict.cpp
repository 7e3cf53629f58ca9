#include "stats/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace benchctl::stats {

const VerdictInfo& info(Verdict verdict) {
  const auto* const found = std::ranges::find(verdict_table, verdict, &VerdictInfo::verdict);
  if (found == verdict_table.end()) throw std::invalid_argument("not a verdict");
  return *found;
}

Verdict judge(const RatioEstimate& times, double threshold) {
  if (!(threshold >= 0) || std::isinf(threshold)) {
    throw std::invalid_argument("a practical threshold is a number that is not negative");
  }
  if (!times.interval.known()) return Verdict::not_resolved;
  const double most = 1 + threshold;
  const double least = 1 / most;
  if (times.interval.low >= least && times.interval.high <= most) return Verdict::same;
  if (times.interval.high < 1 && times.ratio < least) return Verdict::faster;
  if (times.interval.low > 1 && times.ratio > most) return Verdict::slower;
  return Verdict::not_resolved;
}

Verdict judge_strictly(const RatioEstimate& times, double threshold) {
  const Verdict verdict = judge(times, threshold);
  const bool beyond = times.interval.high < 1 / (1 + threshold) || times.interval.low > 1 + threshold;
  const bool differs = verdict == Verdict::faster || verdict == Verdict::slower;
  return differs && !beyond ? Verdict::not_resolved : verdict;
}

}  // namespace benchctl::stats
