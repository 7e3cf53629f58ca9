#include "report/history.hpp"

#include "model/json.hpp"
#include "model/keys.hpp"
#include "model/words.hpp"
#include "report/compare_side.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return glob_match(pattern, text);
         });
}

bool belongs(const Result& stored, const HistoryOptions& options) {
  const Point& point = stored.row.point;
  return stored.timed() && !stored.row.reused_from && any_matches(options.workloads, point.workload) &&
         any_matches(options.labels, point.label());
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
    store.each_result(run.row.id, [&](const Result& stored) {
      if (!belongs(stored, options_)) return;
      const Lane* lane = lane_in(run, stored.row.point.device);
      const std::string device = lane != nullptr ? lane->device.name : "";
      const auto [place, fresh] =
          places_.try_emplace({PointKey(stored.row.point), device}, history_.series.size());
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
                                                       m.n_samples,
                                                       stored.row.content_key});
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
  std::map<std::pair<PointKey, std::string>, std::size_t> places_;  ///< by point and device
};

/// Differences between runs by pair of runs: the same for all series of a lane, but for the files of
/// kernels.
class Changes {
 public:
  Changes(const Store& store, const History& history) : store_(store), history_(history) {}

  void mark(HistorySeries& series) {
    for (std::size_t i = 1; i < series.points.size(); ++i) {
      const HistoryPoint& before = series.points[i - 1];
      HistoryPoint& point = series.points[i];
      const Found& found = between(before.run, point.run, series.point.device);
      point.changes = found.changes;
      // The key covers all that a kernel is made from: where it stays, so did the kernel's files.
      if (point.content_key != before.content_key) {
        const std::vector<std::string>& files = files_between(before.run, point.run);
        point.changes.insert(point.changes.end(), files.begin(), files.end());
      }
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

  const std::vector<std::string>& files_between(std::size_t before, std::size_t after) {
    const auto [place, fresh] = files_.try_emplace({before, after});
    if (fresh) {
      const auto of = [&](std::size_t run) { return store_.files(history_.runs[run].row.id); };
      place->second = changed_files(of(before), of(after));
    }
    return place->second;
  }

  const Store& store_;
  const History& history_;
  std::map<std::tuple<std::size_t, std::size_t, std::string>, Found> found_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> files_;
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
  Changes changes(store, history);
  for (HistorySeries& series : history.series) changes.mark(series);
  return history;
}

std::vector<RunId> runs_of(const History& history) {
  std::vector<RunId> runs;
  for (const HistoryRun& run : history.runs) runs.push_back(run.row.id);
  return runs;
}

// For other programs, and for the page.

namespace {

using Json = nlohmann::ordered_json;

Json series_json(const HistorySeries& series) {
  Json json = identity_json(series.point);
  json["device_name"] = series.device;
  json["points"] = list_of(series.points, [](const HistoryPoint& point) {
    return Json{{"run", point.run},
                {"point", point.ordinal},
                {"median_ns", point.median_ns},
                {"ci_low_ns", point.interval.low},
                {"ci_high_ns", point.interval.high},
                {"n_samples", point.n_samples},
                {"cut", point.cut},
                {"changes", point.changes}};
  });
  return json;
}

std::string with_series(const Json& members, const History& history) {
  return json_with_list(members, "series", history.series.size(),
                        [&](std::size_t i) { return series_json(history.series[i]); });
}

}  // namespace

std::string history_json(const History& history) {
  const auto run_of = [](const HistoryRun& run) {
    return Json{{"id", to_number(run.row.id)},
                {"name", run.row.name},
                {"title", run.row.title},
                {"created_at", run.row.created_at},
                {"benchctl", run.row.version}};
  };
  return with_series({{"schema", "benchctl.history"},
                      {"schema_version", document_version},
                      {"benchctl", BENCHCTL_VERSION},
                      {"generated", utc_now()},
                      {"runs", list_of(history.runs, run_of)}},
                     history);
}

std::string history_page_data(const History& history) { return with_series(Json::object(), history); }

std::string history_csv(const History& history) {
  std::string text =
      "run,created_at,workload,variant,backend,device,problem,layout,tunables,cache,launch,basis,median_ns,"
      "ci_low_ns,ci_high_ns,n_samples,changes\r\n";
  for (const HistorySeries& series : history.series) {
    const Point& p = series.point;
    for (const HistoryPoint& point : series.points) {
      const RunRow& run = history.runs[point.run].row;
      std::string changes;
      for (const std::string& change : point.changes) changes += (changes.empty() ? "" : "; ") + change;
      text +=
          csv_line({Json(to_number(run.id)), run.created_at, p.workload, p.variant, p.backend, p.device,
                    to_text(p.problem), p.layout, to_text(p.tunables), to_string(p.measure.cache),
                    to_string(p.measure.launch), to_string(p.measure.basis), Json(point.median_ns),
                    Json(point.interval.low), Json(point.interval.high), Json(point.n_samples), changes});
    }
  }
  return text;
}

std::vector<const HistorySeries*> whole_series(const History& history) {
  std::vector<const HistorySeries*> whole;
  for (const HistorySeries& series : history.series) {
    bool in_all = series.points.size() == history.runs.size();
    for (std::size_t i = 0; in_all && i < series.points.size(); ++i) in_all = series.points[i].run == i;
    if (in_all) whole.push_back(&series);
  }
  return whole;
}

std::string history_otava(const History& history) {
  const std::vector<const HistorySeries*> whole = whole_series(history);
  // Texts are attributes.
  std::vector<Json> cells{"time", "run", "benchctl"};
  for (const HistorySeries* series : whole)
    cells.emplace_back(fmt::format("{} on {}", full_label(series->point), series->device));
  std::string text = csv_line(cells);
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const RunRow& run = history.runs[i].row;
    cells = {run.created_at, fmt::format("run {}", to_number(run.id)), "version " + run.version};
    for (const HistorySeries* series : whole) cells.push_back(Json(series->points[i].median_ns));
    text += csv_line(cells);
  }
  return text;
}

// For people.

namespace {

/// Heights by the logarithm of the medians, the lowest and the highest at the ends.
std::string bars(const HistorySeries& series) {
  static constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t widest = 40;
  const std::size_t from = series.points.size() > widest ? series.points.size() - widest : 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = from; i < series.points.size(); ++i) {
    low = std::min(low, std::log(series.points[i].median_ns));
    high = std::max(high, std::log(series.points[i].median_ns));
  }
  std::string text;
  for (std::size_t i = from; i < series.points.size(); ++i) {
    const double share = high > low ? (std::log(series.points[i].median_ns) - low) / (high - low) : 0.5;
    text += blocks[static_cast<std::size_t>(std::lround(share * 7))];
  }
  return text;
}

std::string newest_over_first(const HistorySeries& series) {
  if (series.points.size() < 2) return {};
  return format_significant(series.points.back().median_ns / series.points.front().median_ns, 4);
}

std::string changes_text(const History& history, const HistoryTextOptions& options) {
  // Most series of a lane say the same.
  std::map<std::pair<std::size_t, std::string>, bool> seen;
  for (const HistorySeries& series : history.series) {
    for (const HistoryPoint& point : series.points) {
      for (const std::string& change : point.changes) {
        bool& cut = seen[{point.run, change}];
        cut = cut || point.cut;
      }
    }
  }
  std::string text;
  for (const auto& [key, cut] : seen) {
    text += fmt::format(
        "{}run {}: {}{}\n", options.markdown ? "- " : "  ", to_number(history.runs[key.first].row.id),
        first_line_in(key.second, options.markdown), cut ? " (not comparable with the runs before)" : "");
  }
  return text.empty() ? ""
                      : (options.markdown ? "### Conditions\n\n" : "changed conditions\n") + text + '\n';
}

}  // namespace

std::string history_text(const History& history, const HistoryTextOptions& options) {
  if (history.series.empty()) return "no run has a time of such a point\n";
  TextTable table({{"workload"},
                   {"problem"},
                   {"variant"},
                   {"device"},
                   {"measured as"},
                   {"runs", true},
                   {"first", true},
                   {"newest", true},
                   {"newest / first", true},
                   {"trend"}});
  PointWords words;
  for (const HistorySeries& series : history.series) words.add(series.point);
  for (const HistorySeries& series : history.series) {
    const Point& point = series.point;
    table.add({first_line(point.workload), words.problem(point), words.variant(point),
               first_line(point.device), PointWords::measured_as(point), format_count(series.points.size()),
               format_duration(series.points.front().median_ns),
               format_duration(series.points.back().median_ns), newest_over_first(series),
               options.bars ? bars(series) : ""});
  }
  std::string text = options.markdown ? "## History\n\n" : "";
  text += fmt::format("{} runs, from {} to {}\n\n", format_count(history.runs.size()),
                      first_line_in(history.runs.front().row.created_at, options.markdown),
                      first_line_in(history.runs.back().row.created_at, options.markdown));
  text += (options.markdown ? table.markdown() : table.text(options.colours, options.width)) + '\n';
  text += changes_text(history, options);
  return fit_lines(text, options.width);
}

}  // namespace benchctl
