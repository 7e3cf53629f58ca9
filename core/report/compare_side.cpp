#include "report/compare_side.hpp"

#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/rows.hpp"
#include "stats/geometric.hpp"
#include "stats/multiplicity.hpp"
#include "stats/order.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <limits>
#include <optional>
#include <unordered_map>

namespace benchctl {

namespace {

std::optional<std::uint16_t> place_of(std::string_view metric) {
  static const auto places = [] {
    std::unordered_map<std::string_view, std::uint16_t> all;
    for (const MetricInfo& info : metric_table)
      all.emplace(info.id, static_cast<std::uint16_t>(all.size()));
    return all;
  }();
  const auto found = places.find(metric);
  return found != places.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace

Figures::Figures(std::initializer_list<std::pair<std::string_view, double>> figures) {
  for (const auto& [metric, value] : figures) set(metric, value);
}

void Figures::set(std::string_view metric, double value) {
  const auto place = place_of(metric);
  if (!place || !std::isfinite(value)) return;
  if (const auto found = std::ranges::find(entries_, *place, &Entry::metric); found != entries_.end()) {
    found->value = value;
  } else {
    if (entries_.empty()) entries_.reserve(16);  // most points have about as many
    entries_.push_back({*place, value});
  }
}

double Figures::get(std::string_view metric) const {
  const auto place = place_of(metric);
  const auto found = place ? std::ranges::find(entries_, *place, &Entry::metric) : entries_.end();
  return found != entries_.end() ? found->value : std::numeric_limits<double>::quiet_NaN();
}

bool Figures::has(std::string_view metric) const { return !std::isnan(get(metric)); }

namespace {

ComparedPoint compared(StoredPoint stored) {
  ResultRow row = make_row(std::move(stored));
  ComparedPoint point;
  for (const auto& [metric, value] : row.stored.resources) point.metrics.set(metric, value);
  if (const auto& m = row.stored.measurement) {
    point.metrics.set("min_ns", m->min_ns);
    point.metrics.set("max_ns", m->max_ns);
    point.metrics.set("mean_ns", m->mean_ns);
    point.metrics.set("mad_ns", m->mad_ns);
    point.metrics.set("p5_ns", m->p5_ns);
    point.metrics.set("p25_ns", m->p25_ns);
    point.metrics.set("p75_ns", m->p75_ns);
    point.metrics.set("p95_ns", m->p95_ns);
  }
  point.metrics.set("gflops", row.gflops);
  point.metrics.set("gbytes_per_s", row.gbytes_per_s);
  point.metrics.set("ns_per_access", row.ns_per_access);
  point.metrics.set("requested_gbytes_per_s", row.requested_gbytes_per_s);
  point.metrics.set("error_norm", row.error_norm);
  if (const auto picked = row.stored.notes.find("configuration"); picked != row.stored.notes.end())
    point.picked = picked->second;
  point.ordinal = row.stored.row.ordinal;
  point.stored = row.stored.row.id;
  point.measurement = std::move(row.stored.measurement);
  point.content_key = std::move(row.stored.row.content_key);
  point.point = std::move(row.stored.row.point);
  return point;
}

}  // namespace

bool ComparedPoint::timed() const {
  const StatusClass status_class = info(point.status).status_class;
  return measurement && measurement->median_ns > 0 && std::isfinite(measurement->median_ns) &&
         (status_class == StatusClass::good || status_class == StatusClass::warning);
}

Environment recorded_environment(const Store& store, const RunRow& run) {
  try {
    return environment_from_json_text(run.environment);
  } catch (const std::invalid_argument& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}",
                                 store.path().string(), to_number(run.id), error.what()));
  }
}

CompareSide side_of(const Store& store, RunId run) {
  std::optional<RunRow> row = store.run(run);
  if (!row) {
    throw StoreError(fmt::format("the store '{}' has no run {}", store.path().string(), to_number(run)));
  }
  CompareSide side;
  side.label = fmt::format("run {} of {}", to_number(run), store.path().filename().string());
  side.run = std::move(*row);
  side.store = &store;
  side.circumstances = {recorded_environment(store, side.run), store.lanes(run)};
  side.points.reserve(store.point_count(run));
  store.each_result(run, [&](StoredPoint&& stored) { side.points.push_back(compared(std::move(stored))); });
  return side;
}

void read_rounds(CompareSide& side) {
  for (ComparedPoint& point : side.points) {
    if (!point.timed()) continue;
    for (const SampleRow& row : side.store->samples(point.stored)) {
      if (row.used && stats::have_ratios(row.block.ns))
        point.rounds[{row.replicate, row.round}] = stats::median(row.block.ns);
    }
  }
}

// The intervals that a comparison stands on.

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
