#include "report/history.hpp"

#include "model/glob.hpp"
#include "model/key_text.hpp"
#include "report/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return glob_match(pattern, text);
         });
}

bool belongs(const StoredPoint& stored, const HistoryOptions& options) {
  const Point& point = stored.row.point;
  const StatusClass status_class = info(point.status).status_class;
  return stored.measurement && stored.measurement->median_ns > 0 &&
         std::isfinite(stored.measurement->median_ns) && !stored.row.reused_from &&
         (status_class == StatusClass::good || status_class == StatusClass::warning) &&
         any_matches(options.workloads, point.workload) && any_matches(options.labels, point.label());
}

const Lane* lane_in(const HistoryRun& run, const std::string& name) {
  const auto found = std::ranges::find(run.circumstances.lanes, name, &Lane::name);
  return found == run.circumstances.lanes.end() ? nullptr : &*found;
}

HistoryRun read_run(const Store& store, RunRow row) {
  HistoryRun run;
  run.circumstances = {recorded_environment(store, row), store.lanes(row.id)};
  run.row = std::move(row);
  return run;
}

/// Collects series in the order of their first appearance, the newest run first.
class Collector {
 public:
  Collector(History& history, const HistoryOptions& options) : history_(history), options_(options) {}

  /// Call for the newest run first.
  void add(const Store& store, RunRow row) {
    HistoryRun run = read_run(store, std::move(row));
    bool any = false;
    std::set<std::size_t> seen;
    store.each_result(run.row.id, [&](const StoredPoint& stored) {
      if (!belongs(stored, options_)) return;
      const Lane* lane = lane_in(run, stored.row.point.device);
      const std::string device = lane != nullptr ? lane->device.name : "";
      std::string key =
          KeyText().add(point_identity(stored.row.point)).add(stored.row.point.device).add(device).take();
      const auto [place, fresh] = places_.try_emplace(std::move(key), history_.series.size());
      if (fresh) {
        HistorySeries& series = history_.series.emplace_back();
        series.point = stored.row.point;
        series.device = device;
      }
      // A config may name a point twice.
      if (!seen.insert(place->second).second) return;
      const Measurement& m = *stored.measurement;
      history_.series[place->second].points.push_back({history_.runs.size(),
                                                       stored.row.ordinal,
                                                       m.median_ns,
                                                       {m.ci_low_ns, m.ci_high_ns},
                                                       m.n_samples});
      any = true;
    });
    if (any) history_.runs.push_back(std::move(run));
  }

  /// Turns everything round: the oldest first.
  void finish() {
    std::ranges::reverse(history_.runs);
    for (HistorySeries& series : history_.series) {
      std::ranges::reverse(series.points);
      for (HistoryPoint& point : series.points) point.run = history_.runs.size() - 1 - point.run;
    }
  }

 private:
  History& history_;
  const HistoryOptions& options_;
  std::map<std::string, std::size_t> places_;
};

/// Differences between runs by pair of runs: the same for all series of a lane.
class Changes {
 public:
  explicit Changes(const History& history) : history_(history) {}

  void mark(HistorySeries& series) {
    for (std::size_t i = 1; i < series.points.size(); ++i) {
      HistoryPoint& point = series.points[i];
      const Found& found = between(series.points[i - 1].run, point.run, series.point.device);
      point.changes = found.changes;
      point.cut = found.verdict == Comparability::not_comparable ||
                  (found.host_differs && series.point.measure.basis != Basis::device);
    }
  }

 private:
  struct Found {
    Comparability verdict{};
    bool host_differs = false;
    std::vector<std::string> changes;
  };

  const Found& between(std::size_t before, std::size_t after, const std::string& lane) {
    const auto [place, fresh] = found_.try_emplace({before, after, lane});
    if (!fresh) return place->second;
    Found& found = place->second;
    const auto of_lane = [&](std::size_t run) {
      Circumstances one{history_.runs[run].circumstances.environment, {}};
      if (const Lane* own = lane_in(history_.runs[run], lane)) one.lanes.push_back(*own);
      return one;
    };
    const ComparabilityVerdict verdict = compare_circumstances(of_lane(before), of_lane(after));
    found.verdict = verdict.verdict;
    for (const Difference& difference : verdict.differences) {
      const bool rebuilt = difference.key.starts_with("plugin.");
      if (difference.weight == EnvironmentClass::information && !rebuilt) continue;
      found.changes.push_back(difference.reason);
      found.host_differs = found.host_differs ||
                           (difference.lane.empty() && difference.weight == EnvironmentClass::must_match);
    }
    return found;
  }

  const History& history_;
  std::map<std::tuple<std::size_t, std::size_t, std::string>, Found> found_;
};

}  // namespace

History make_history(const Store& store, const HistoryOptions& options) {
  History history;
  Collector collector(history, options);
  for (RunRow& run : store.runs()) {
    if (options.last > 0 && history.runs.size() == options.last) break;
    if (!is_replay(run)) collector.add(store, std::move(run));
  }
  collector.finish();
  Changes changes(history);
  for (HistorySeries& series : history.series) changes.mark(series);
  return history;
}

std::vector<RunId> runs_of(const History& history) {
  std::vector<RunId> runs;
  for (const HistoryRun& run : history.runs) runs.push_back(run.row.id);
  return runs;
}

}  // namespace benchctl
