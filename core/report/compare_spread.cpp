#include "report/compare.hpp"

#include "model/keys.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace benchctl {

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
    const Lane* own = lane_named(fresh.circumstances.lanes, lane.name());
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
      const bool judged = fresh.store == store && run.id == fresh.run.id;
      if (judged || run.name != fresh.run.name || run.state != RunState::complete) continue;
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

std::vector<stats::RunSpread> find_spreads(CompareResult& result, std::span<ComparedPair* const> judged) {
  const CompareSide& base = *result.base;
  const CompareSide& fresh = *result.fresh;
  SpreadSource& source = result.spread;
  std::vector<stats::RunSpread> spreads(judged.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Result& before = base.points[*judged[i]->base];
    const Result& now = fresh.points[*judged[i]->fresh];
    if (processes_of(before) > 1) {
      spreads[i] = of_replicates(base, before);
    } else if (processes_of(now) > 1) {
      spreads[i] = of_replicates(fresh, now);
    }
    if (spreads[i].freedom > 0) {
      ++source.replicated;
    } else {
      open.push_back(i);
    }
  }
  if (open.empty()) return spreads;
  const auto key_of = [&](const ComparedPair& pair) {
    return PointKey(fresh.points[*pair.fresh].point(), result.lanes[*pair.lane].fresh);
  };
  // Too few runs tell nothing, and are not read.
  Series series;
  if (const std::vector<OtherRun> others = other_runs(base, fresh); others.size() >= stats::fewest_runs) {
    for (const ComparedPair* pair : judged) series.try_emplace(key_of(*pair));
    read_medians(others, series, source);
  }
  std::vector<stats::RunSpread> of_runs;
  for (const std::size_t i : open) {
    const auto found = series.find(key_of(*judged[i]));
    of_runs.push_back(found == series.end() ? stats::RunSpread{} : stats::successive_spread(found->second));
  }
  of_runs = stats::moderated(of_runs);
  for (std::size_t i = 0; i < open.size(); ++i) {
    spreads[open[i]] = of_runs[i];
    ++(of_runs[i].freedom > 0 ? source.from_runs : source.unknown);
  }
  return spreads;
}

}  // namespace benchctl
