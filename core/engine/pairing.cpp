#include "engine/pairing.hpp"

#include "engine/sampling.hpp"
#include "model/point.hpp"
#include "stats/ratio.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace benchctl {

namespace {

/// For intervals of which 95 in 100 hold. Rounds end when an interval is narrow, so that those which happen
/// to be too narrow are chosen: at the 95 % level, 7 in 100 ratios of identical variants were called
/// different with independent noise and 8 with neighbours that correlate by 0.3; at this level 3.4 and 4.5
/// (the scripted backend's noise, counted before intervals widened where rounds resemble their neighbours).
/// tests/selftest/twins_test.cpp holds it below 5.
constexpr double confidence = 0.975;
/// How many processes there are does not depend on what they show: nothing to make up for.
constexpr double confidence_of_processes = 0.95;
/// Half an interval that is a third of the threshold lies within it, if the two are equal, in all but a few
/// cases: at the threshold itself, in 28 to 46 of 100.
constexpr double share_of_threshold = 3;

/// How many tunables two points have in common with the same value.
std::size_t agreement(const Point& a, const Point& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a.tunables, [&](const auto& entry) {
    const auto other = b.tunables.find(entry.first);
    return other != b.tunables.end() && other->second == entry.second;
  }));
}

std::vector<bool> candidates(std::span<const PairCandidate> points, const CompareSettings& settings) {
  std::vector<bool> chosen(points.size(), false);
  for (std::size_t i = 0; i < points.size(); ++i) {
    chosen[i] = settings.baseline.empty()
                    ? points[i].vendor
                    : matches(*points[i].point, settings.baseline, points[i].device_type);
  }
  if (!settings.baseline.empty()) return chosen;
  std::set<std::string_view> served;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (chosen[i]) served.insert(points[i].point->device);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {  // the first of its device
    if (served.insert(points[i].point->device).second) chosen[i] = true;
  }
  return chosen;
}

bool are_several_processes(const Pair& pair) {
  return pair.point->begin()->first >> 32 != pair.point->rbegin()->first >> 32;
}

stats::RatioEstimate ratio_of(const Pair& pair, std::size_t comparisons) {
  const std::array<const RoundValues*, 2> both{pair.point, pair.baseline};
  const double level = are_several_processes(pair) ? confidence_of_processes : confidence;
  return stats::ratio_by_rounds(*pair.point, *pair.baseline, stats::pooled_scatter(both),
                                stats::bonferroni_confidence(level, comparisons));
}

/// In the latest process. Nothing if one of the two has no value there.
std::optional<stats::RatioEstimate> latest_ratio(const Pair& pair, std::size_t comparisons) {
  if (pair.point->empty() || pair.baseline->empty()) return std::nullopt;
  const std::uint64_t first = pair.point->rbegin()->first >> 32 << 32;
  const RoundValues point(pair.point->lower_bound(first), pair.point->end());
  const RoundValues baseline(pair.baseline->lower_bound(first), pair.baseline->end());
  if (baseline.empty()) return std::nullopt;
  return ratio_of({&point, &baseline, pair.ordinal, pair.label}, comparisons);
}

double half_width(const stats::RatioEstimate& ratio) {
  return stats::relative_half_width(ratio.interval, ratio.ratio);
}

}  // namespace

std::vector<std::optional<std::size_t>> choose_baselines(std::span<const PairCandidate> points,
                                                         const CompareSettings& settings) {
  const std::vector<bool> chosen = candidates(points, settings);
  std::vector<std::optional<std::size_t>> baselines(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (chosen[i]) continue;
    const auto rank = [&](std::size_t j) {
      const bool same_lane = points[j].point->device == points[i].point->device;
      const MeasureSettings& own = points[i].point->measure;
      const MeasureSettings& other = points[j].point->measure;
      const int same_measure = (own.cache == other.cache ? 1 : 0) + (own.launch == other.launch ? 1 : 0);
      const bool same_variant = points[j].point->variant == points[i].point->variant;
      return std::tuple(same_lane, same_measure, same_variant,
                        agreement(*points[i].point, *points[j].point));
    };
    for (std::size_t j = 0; j < points.size(); ++j) {
      // Times of two bases are of different things.
      const bool comparable = points[j].point->measure.basis == points[i].point->measure.basis;
      if (!chosen[j] || !comparable) continue;
      if (!baselines[i] || rank(j) > rank(*baselines[i])) baselines[i] = j;
    }
  }
  return baselines;
}

std::vector<Comparison> compare_pairs(std::span<const Pair> pairs, double threshold) {
  std::vector<Comparison> comparisons;
  for (const Pair& pair : pairs) {
    const stats::RatioEstimate ratio = ratio_of(pair, pairs.size());
    comparisons.push_back({.against = Against::baseline,
                           .other = pair.ordinal,
                           .label = pair.label,
                           .rounds = ratio.n,
                           .time_ratio = ratio.ratio,
                           .ci_low = ratio.interval.low,
                           .ci_high = ratio.interval.high,
                           .comparisons = pairs.size(),
                           .threshold = threshold,
                           .verdict = stats::verdict_of(ratio, threshold)});
  }
  return comparisons;
}

double ratio_half_width(const Pair& pair) {
  const auto ratio = latest_ratio(pair, 1);
  return ratio ? half_width(*ratio) : std::numeric_limits<double>::quiet_NaN();
}

bool ratio_is_known(const Pair& pair, double target, double threshold, std::size_t comparisons) {
  const auto ratio = latest_ratio(pair, comparisons);
  if (!ratio) return false;
  const bool clear = stats::strict_verdict_of(*ratio, threshold) != stats::Verdict::not_resolved;
  if (!clear && threshold > 0) target = std::min(target, threshold / share_of_threshold);
  return half_width(*ratio) <= target;
}

std::vector<std::uint32_t> equal_batches(std::span<const Batch> batches) {
  std::uint64_t longest = 1;
  for (const Batch& batch : batches) longest = std::max<std::uint64_t>(longest, batch.wanted);
  const auto alike = [&](const Batch& batch) {
    return std::uint64_t{4} * std::min(batch.wanted, batch.most) >= longest;
  };
  std::uint64_t common = longest;
  for (const Batch& batch : batches) {
    if (alike(batch)) common = std::min<std::uint64_t>(common, batch.most);
  }
  std::vector<std::uint32_t> equal;
  for (const Batch& batch : batches) {
    equal.push_back(alike(batch) ? static_cast<std::uint32_t>(common) : std::min(batch.wanted, batch.most));
  }
  return equal;
}

}  // namespace benchctl
