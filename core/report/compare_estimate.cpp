// The intervals that a comparison stands on.
#include "report/compare_side.hpp"
#include "report/format.hpp"

#include "stats/geometric.hpp"
#include "stats/multiplicity.hpp"
#include "stats/order.hpp"
#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <limits>

namespace benchctl {

namespace {

constexpr double confidence = 0.95;
/// Where a rule has looked at the samples to decide when to stop, intervals at this level hold in 95 of 100
/// cases (docs/statistics.md, "When sampling stops").
constexpr double confidence_after_looks = 0.96;

bool usable(const std::vector<std::vector<double>>& samples) {
  return !samples.empty() && std::ranges::all_of(samples, stats::have_ratios);
}

stats::MedianEstimate from_samples(const std::vector<std::vector<double>>& samples, bool looked,
                                   std::size_t comparisons) {
  const double level = stats::bonferroni_confidence(
      looked && samples.size() == 1 ? confidence_after_looks : confidence, comparisons);
  if (samples.size() == 1) {
    const std::vector<double>& series = samples.front();
    return {stats::median(series), stats::block_interval(series, level)};
  }
  std::vector<double> pooled;
  std::vector<double> medians;
  for (const std::vector<double>& series : samples) {
    pooled.insert(pooled.end(), series.begin(), series.end());
    medians.push_back(stats::median(series));
  }
  stats::MedianEstimate result{stats::median(pooled), stats::median_interval(pooled, level)};
  // An interval of one process does not contain differences between processes.
  const stats::RatioEstimate scatter = stats::mean_ratio(medians, level);
  result.interval.low =
      std::fmin(result.interval.low, result.median * scatter.interval.low / scatter.ratio);
  result.interval.high =
      std::fmax(result.interval.high, result.median * scatter.interval.high / scatter.ratio);
  return result;
}

/// How much wider an interval is at the joint level: Student's over processes, or over the blocks of one.
double widening(double values, std::size_t comparisons) {
  const double one = (1 + confidence) / 2;
  const double all = (1 + stats::bonferroni_confidence(confidence, comparisons)) / 2;
  const boost::math::students_t distribution(values - 1);
  return boost::math::quantile(distribution, all) / boost::math::quantile(distribution, one);
}

stats::MedianEstimate from_interval(const ComparedPoint& point, std::size_t comparisons) {
  const Measurement& m = *point.measurement;
  stats::MedianEstimate result{m.median_ns, {m.ci_low_ns, m.ci_high_ns}};
  if (comparisons <= 1 || !result.interval.known()) return result;
  if (!(m.ci_low_ns > 0)) return {m.median_ns, {no_number, no_number}};
  const double values =
      point.metrics.has("replicates")
          ? point.metrics.get("replicates")
          : static_cast<double>(std::clamp<std::uint64_t>(m.n_samples, 2, stats::blocks_of_series));
  const double factor = widening(values, comparisons);
  result.interval.low = m.median_ns * std::pow(m.ci_low_ns / m.median_ns, factor);
  result.interval.high = m.median_ns * std::pow(m.ci_high_ns / m.median_ns, factor);
  return result;
}

}  // namespace

SideEstimates::SideEstimates(const CompareSide& side) {
  if (side.store != nullptr) stored_.emplace(*side.store);
}

stats::MedianEstimate SideEstimates::of(const ComparedPoint& point, std::size_t comparisons) {
  // One alone: the interval that tables show.
  if (comparisons <= 1) return from_interval(point, 1);
  const auto estimate = [&](const std::vector<std::vector<double>>& samples) {
    if (!usable(samples)) return from_interval(point, comparisons);
    return from_samples(samples, point.measurement->stop != StopReason::fixed, comparisons);
  };
  return stored_ ? estimate(stored_->of(point.stored)) : estimate(point.samples);
}

std::vector<MedianRatio> median_ratios(const CompareSide& base, const CompareSide& fresh,
                                       std::span<const std::pair<std::size_t, std::size_t>> pairs,
                                       std::size_t comparisons) {
  using Places = std::pair<std::size_t, std::size_t>;
  const auto medians = [&](const CompareSide& side, std::size_t Places::*place) {
    SideEstimates estimates(side);
    std::vector<std::array<stats::MedianEstimate, 2>> found;
    found.reserve(pairs.size());
    for (const auto& pair : pairs) {
      const ComparedPoint& point = side.points[pair.*place];
      found.push_back({estimates.of(point, 1), estimates.of(point, comparisons)});
    }
    return found;
  };
  // Where no thread is to be had, or both are in one store: one after the other.
  const auto policy =
      base.store != fresh.store ? std::launch::async | std::launch::deferred : std::launch::deferred;
  auto later = std::async(policy, [&] { return medians(fresh, &Places::second); });
  const auto before = medians(base, &Places::first);
  const auto now = later.get();
  std::vector<MedianRatio> ratios;
  ratios.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ratios.push_back({stats::ratio_of_medians(now[i][0], before[i][0]),
                      stats::ratio_of_medians(now[i][1], before[i][1])});
  }
  return ratios;
}

}  // namespace benchctl
