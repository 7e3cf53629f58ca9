#include <benchctl/digest.hpp>

#include "report/compare.hpp"

#include "model/keys.hpp"
#include "model/words.hpp"
#include "report/report.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace benchctl {

FileDigests file_digests(const Store& store, RunId run) {
  FileDigests digests;
  for (const RunFile& file : store.files(run)) digests[file.name] = digest_text(file.contents);
  return digests;
}

std::vector<std::string> changed_files(const FileDigests& before, const FileDigests& after) {
  std::map<std::string, std::pair<std::string, std::string>> files;  // an empty digest: no such file
  for (const auto& [name, digest] : before) files[name].first = digest;
  for (const auto& [name, digest] : after) files[name].second = digest;
  std::vector<std::string> words;
  for (const auto& [name, digests] : files) {
    const auto& [old, now] = digests;
    if (old != now)
      words.push_back(visible(name) + (old.empty() ? " is new" : now.empty() ? " is gone" : " changed"));
  }
  return words;
}

CompareSide side_of(const Store& store, RunId run) {
  CompareSide side;
  side.label = fmt::format("run {} of {}", to_number(run), store.path().filename());
  side.run = existing_run(store, run);
  side.store = &store;
  side.files = file_digests(store, run);
  side.circumstances = {recorded_environment(store, side.run), store.lanes(run)};
  side.points = store.results(run);
  side.samples = [&store](PointId point) { return store.samples(point); };
  return side;
}

void name_apart(CompareSide& base, CompareSide& fresh) {
  const auto& one = base.store->path();
  const auto& other = fresh.store->path();
  if (one == other || one.filename() != other.filename()) return;
  for (CompareSide* side : {&base, &fresh})
    side->label = fmt::format("run {} of {}", to_number(side->run.id), side->store->path());
}

Rounds rounds_of(const CompareSide& side, const Result& point) {
  Rounds rounds;
  for (const SampleRow& row : side.samples(point.row.id)) {
    if (row.used && stats::have_ratios(row.block.ns))
      rounds[{row.replicate, row.round}] = stats::median(row.block.ns);
  }
  return rounds;
}

// The intervals that a comparison stands on.

namespace {

constexpr double confidence = 0.95;
/// Where a rule has looked at the samples to decide when to stop, intervals at this level hold in 95 of 100
/// cases (docs/statistics.md, "When sampling stops").
constexpr double confidence_after_looks = 0.96;

/// Times of a point's samples in use, by replicate.
std::vector<std::vector<double>> times_of(const CompareSide& side, const Result& point) {
  std::map<std::uint32_t, std::vector<SampleRow>> rows;
  for (SampleRow& row : side.samples(point.row.id)) rows[row.replicate].push_back(std::move(row));
  std::vector<std::vector<double>> times;
  for (const auto& [replicate, own] : rows) times.push_back(used_ns(own));
  std::erase_if(times, [](const std::vector<double>& series) { return series.empty(); });
  return times;
}

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

stats::MedianEstimate from_interval(const Result& point, std::size_t comparisons) {
  const Measurement& m = *point.measurement;
  stats::MedianEstimate result{m.median_ns, {m.ci_low_ns, m.ci_high_ns}};
  if (comparisons <= 1 || !result.interval.known()) return result;
  if (!(m.ci_low_ns > 0)) return {m.median_ns, {no_number, no_number}};
  const double processes = processes_of(point);
  const auto blocks =
      static_cast<double>(std::clamp<std::uint64_t>(m.n_samples, 2, stats::blocks_of_series));
  // Student's over processes, or over the blocks of one.
  const double freedom = (processes > 1 ? processes : blocks) - 1;
  const double factor =
      stats::student_quantile(freedom, stats::bonferroni_confidence(confidence, comparisons)) /
      stats::student_quantile(freedom, confidence);
  result.interval.low = m.median_ns * std::pow(m.ci_low_ns / m.median_ns, factor);
  result.interval.high = m.median_ns * std::pow(m.ci_high_ns / m.median_ns, factor);
  return result;
}

}  // namespace

stats::MedianEstimate median_estimate(const CompareSide& side, const Result& point,
                                      std::size_t comparisons) {
  // One alone: the interval that tables show.
  if (comparisons <= 1) return from_interval(point, 1);
  const std::vector<std::vector<double>> samples = times_of(side, point);
  if (!usable(samples)) return from_interval(point, comparisons);
  return from_samples(samples, point.measurement->stop != StopReason::fixed, comparisons);
}

std::vector<double> process_medians(const CompareSide& side, const Result& point) {
  std::vector<double> medians;
  for (const std::vector<double>& series : times_of(side, point)) {
    if (stats::have_ratios(series)) medians.push_back(stats::median(series));
  }
  return medians;
}

double processes_of(const Result& point) {
  // A store may hold any number.
  const double processes = point.metric("replicates");
  return processes >= 1 ? std::min(processes, 1e6) : 1;
}

// How far medians scatter from process to process.

namespace {

constexpr std::size_t most_runs = 20;
constexpr std::uint64_t most_points = 100'000;

/// Medians of points over runs, by point and lane.
using Series = std::unordered_map<PointKey, std::vector<stats::RunMedian>, KeyHash>;

/// A run that may tell of the spread.
struct OtherRun {
  const Store* store = nullptr;
  RunRow run;
  std::set<std::string> lanes;  ///< names of those with the device and driver that new had there
};

/// Names of the run's lanes with the device and driver that new had there.
std::set<std::string> same_lanes(const CompareSide& fresh, const Store& store, const RunRow& run) {
  std::set<std::string> same;
  for (const Lane& lane : store.lanes(run.id)) {
    const Lane* own = find_lane(fresh.circumstances.lanes, lane.name());
    if (own != nullptr && DeviceKey(lane.device) == DeviceKey(own->device)) same.insert(lane.name());
  }
  return same;
}

/// The newest first, until there are enough.
std::vector<OtherRun> other_runs(const CompareSide& base, const CompareSide& fresh) {
  std::vector<const Store*> stores{fresh.store};
  if (base.store->path() != fresh.store->path()) stores.push_back(base.store);
  std::vector<OtherRun> chosen;
  std::uint64_t points = 0;
  for (const Store* store : stores) {
    for (RunRow& run : store->runs()) {
      const bool compared = fresh.store == store && run.id == fresh.run.id;
      if (compared || run.name != fresh.run.name || run.state != RunState::complete) continue;
      std::set<std::string> lanes = same_lanes(fresh, *store, run);
      if (lanes.empty()) continue;
      points += store->point_count(run.id);
      if (chosen.size() == most_runs || points > most_points) break;
      chosen.push_back({store, std::move(run), std::move(lanes)});
    }
  }
  return chosen;
}

/// Adds the medians of the runs to the series that there are.
void read_medians(const std::vector<OtherRun>& others, Series& series, SpreadSource& source) {
  std::set<std::string> builds;
  for (const OtherRun& other : others) {
    bool any = false;
    other.store->each_result(other.run.id, [&](Result&& stored) {
      const Point& point = stored.row.point;
      if (!stored.timed() || stored.row.reused_from || !other.lanes.contains(point.device)) return;
      const auto found = series.find(PointKey(point));
      if (found == series.end()) return;
      found->second.push_back({std::log(stored.measurement->median_ns), processes_of(stored)});
      any = true;
    });
    if (!any) continue;
    ++source.runs;
    builds.insert(other.run.version);
  }
  source.builds = builds.size();
}

stats::RunSpread of_replicates(const CompareSide& side, const Result& point) {
  std::vector<double> logs;
  for (const double median : process_medians(side, point)) {
    if (!(median > 0)) return {};
    logs.push_back(std::log(median));
  }
  return stats::pooled_spread({&logs, 1});
}

}  // namespace

void find_spreads(CompareResult& result, std::span<ComparedPair* const> compared) {
  const CompareSide& base = *result.base;
  const CompareSide& fresh = *result.fresh;
  SpreadSource& source = result.spread;
  std::vector<ComparedPair*> open;
  for (ComparedPair* pair : compared) {
    if (processes_of(*pair->base_point) > 1) {
      pair->spread = of_replicates(base, *pair->base_point);
    } else if (processes_of(*pair->fresh_point) > 1) {
      pair->spread = of_replicates(fresh, *pair->fresh_point);
    }
    if (pair->spread.freedom > 0) {
      ++source.replicated;
    } else {
      open.push_back(pair);
    }
  }
  if (open.empty()) return;
  const auto key_of = [&](const ComparedPair& pair) {
    return PointKey(pair.fresh_point->point(), result.lanes[*pair.lane].fresh);
  };
  // Too few runs tell nothing, and are not read.
  Series series;
  if (const std::vector<OtherRun> others = other_runs(base, fresh); others.size() >= stats::fewest_runs) {
    for (const ComparedPair* pair : compared) series.try_emplace(key_of(*pair));
    read_medians(others, series, source);
  }
  std::vector<stats::RunSpread> of_runs;
  for (const ComparedPair* pair : open) of_runs.push_back(stats::successive_spread(series[key_of(*pair)]));
  of_runs = stats::moderated(of_runs);
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i]->spread = of_runs[i];
    ++(of_runs[i].freedom > 0 ? source.from_runs : source.unknown);
  }
}

}  // namespace benchctl
