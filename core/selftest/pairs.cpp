#include "selftest/pairs.hpp"

#include "stats/verdict.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace benchctl::selftest {

PairCounts count_pairs(const std::vector<StoredPoint>& points) {
  PairCounts counts;
  counts.least_ratio = std::numeric_limits<double>::infinity();
  const auto says = [](const Comparison& comparison, stats::Verdict verdict) {
    return comparison.verdict == stats::info(verdict).id;
  };
  for (const StoredPoint& point : points) {
    const Comparison* baseline = point.compared(Against::baseline);
    if (baseline == nullptr || std::isnan(baseline->ci_low)) continue;
    const Comparison& comparison = *baseline;
    ++counts.all;
    counts.different += comparison.ci_low > 1 || comparison.ci_high < 1 ? 1 : 0;
    counts.slower += says(comparison, stats::Verdict::slower) ? 1 : 0;
    counts.judged +=
        says(comparison, stats::Verdict::slower) || says(comparison, stats::Verdict::faster) ? 1 : 0;
    counts.least_ratio = std::min(counts.least_ratio, comparison.time_ratio);
    counts.largest_ratio = std::max(counts.largest_ratio, comparison.time_ratio);
  }
  return counts;
}

double at_least_so_many(std::size_t hits, std::size_t trials, double probability) {
  if (hits == 0) return 1;
  const boost::math::binomial_distribution<double> chance(static_cast<double>(trials), probability);
  return boost::math::cdf(boost::math::complement(chance, static_cast<double>(hits) - 1));
}

std::string share_text(std::size_t hits, std::size_t trials) {
  return fmt::format("{} of {} ({:.1f} %)", hits, trials,
                     100 * static_cast<double>(hits) / static_cast<double>(trials));
}

std::map<std::string, double, std::less<>> figures_of(const PairCounts& counts) {
  return {{"comparisons", static_cast<double>(counts.all)},
          {"different", static_cast<double>(counts.different)},
          {"judged_different", static_cast<double>(counts.judged)},
          {"judged_slower", static_cast<double>(counts.slower)},
          {"least_ratio", counts.least_ratio},
          {"largest_ratio", counts.largest_ratio}};
}

}  // namespace benchctl::selftest
