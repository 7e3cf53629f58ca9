#include "report/history.hpp"

#include "model/json.hpp"
#include "model/keys.hpp"
#include "model/words.hpp"
#include "report/compare.hpp"
#include "report/export.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace benchctl {

namespace {

bool belongs(const Result& stored, const HistoryOptions& options) {
  const Point& point = stored.row.point;
  return stored.timed() && !stored.row.reused_from &&
         (options.workloads.empty() || any_matches(options.workloads, point.workload)) &&
         (options.labels.empty() || any_matches(options.labels, point.label()));
}

/// Says what else changed between the runs of each series, and where its line is cut.
void mark_changes(const Store& store, History& history) {
  // By pair of runs.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> files;
  const auto files_of = [&](std::size_t run) { return file_digests(store, history.runs[run].row.id); };
  // By pair of runs and lane: the same for all series of a lane.
  std::map<std::tuple<std::size_t, std::size_t, std::string>, LaneVerdict> verdicts;
  const auto of_lane = [&](std::size_t run, const std::string& lane) {
    Circumstances one{history.runs[run].circumstances.environment, {}};
    if (const Lane* own = find_lane(history.runs[run].circumstances.lanes, lane)) one.lanes.push_back(*own);
    return one;
  };
  const auto counts = [](const Difference& difference) {
    return difference.weight != EnvironmentClass::information || difference.key.starts_with("plugin.");
  };
  for (HistorySeries& series : history.series) {
    const std::string& lane = series.point.device;
    for (std::size_t i = 1; i < series.points.size(); ++i) {
      const HistoryPoint& before = series.points[i - 1];
      HistoryPoint& point = series.points[i];
      const auto [place, fresh] = verdicts.try_emplace({before.run, point.run, lane});
      LaneVerdict& found = place->second;
      if (fresh) found = lane_verdict(of_lane(before.run, lane), of_lane(point.run, lane), counts);
      point.changes = found.reasons;
      // The key covers all that a kernel is made from: where it stays, so did the kernel's files.
      if (point.content_key != before.content_key) {
        const auto [changed, first] = files.try_emplace({before.run, point.run});
        if (first) changed->second = changed_files(files_of(before.run), files_of(point.run));
        std::ranges::copy(changed->second, std::back_inserter(point.changes));
      }
      point.cut = found.verdict == Comparability::not_comparable ||
                  (found.host_differs && series.point.measure.basis != Basis::device);
    }
  }
}

}  // namespace

History make_history(const Store& store, const HistoryOptions& options) {
  History history;
  std::map<std::tuple<PointKey, std::string, std::string>, std::size_t> places;  // by point and device
  // The newest run first: series are in the order of their first appearance.
  for (RunRow& row : store.runs()) {
    if (options.last > 0 && history.runs.size() == options.last) break;
    HistoryRun run{std::move(row), {}};
    run.circumstances = {recorded_environment(store, run.row), store.lanes(run.row.id)};
    std::set<std::size_t> seen;
    store.each_result(run.row.id, [&](const Result& stored) {
      if (!belongs(stored, options)) return;
      const Lane* lane = find_lane(run.circumstances.lanes, stored.row.point.device);
      const std::string device = lane != nullptr ? lane->device.name : "";
      const auto [place, fresh] = places.try_emplace(
          {PointKey(stored.row.point), stored.row.point.apart, device}, history.series.size());
      if (fresh) history.series.push_back({stored.row.point, device, {}});
      // A config may name a point twice.
      if (!seen.insert(place->second).second) return;
      const Measurement& m = *stored.measurement;
      history.series[place->second].points.push_back({history.runs.size(),
                                                      stored.row.ordinal,
                                                      m.median_ns,
                                                      {m.ci_low_ns, m.ci_high_ns},
                                                      m.n_samples,
                                                      stored.row.content_key});
    });
    if (!seen.empty()) history.runs.push_back(std::move(run));
  }
  // The oldest run first.
  std::ranges::reverse(history.runs);
  for (HistorySeries& series : history.series) {
    std::ranges::reverse(series.points);
    for (HistoryPoint& point : series.points) point.run = history.runs.size() - 1 - point.run;
  }
  mark_changes(store, history);
  return history;
}

// For other programs, and for the page.

namespace {

using Json = nlohmann::ordered_json;

Json series_json(const HistorySeries& series) {
  const Point& identity = series.point;
  const auto point_json = [](const HistoryPoint& point) {
    return Json{{"run", point.run},
                {"point", point.ordinal},
                {"median_ns", point.median_ns},
                {"ci_low_ns", point.interval.low},
                {"ci_high_ns", point.interval.high},
                {"n_samples", point.n_samples},
                {"cut", point.cut},
                {"changes", point.changes}};
  };
  return {{"label", identity.label()},
          {"workload", identity.workload},
          {"variant", identity.variant},
          {"backend", identity.backend},
          {"device", identity.device},
          {"layout", identity.layout},
          {"basis", to_string(identity.measure.basis)},
          {"cache", to_string(identity.measure.cache)},
          {"launch", to_string(identity.measure.launch)},
          {"problem", to_json(identity.problem)},
          {"tunables", to_json(identity.tunables)},
          {"device_name", series.device},
          {"points", list_of(series.points, point_json)}};
}

/// NaN of a series with one time.
double newest_over_first(const HistorySeries& series) {
  if (series.points.size() < 2) return no_number;
  return series.points.back().median_ns / series.points.front().median_ns;
}

std::vector<Column<HistorySeries>> figure_columns() {
  using Series = const HistorySeries&;
  return {{{"runs", true}, [](Series series) { return format_count(series.points.size()); }},
          {{"first", true}, [](Series series) { return format_duration(series.points.front().median_ns); }},
          {{"newest", true}, [](Series series) { return format_duration(series.points.back().median_ns); }},
          {{"newest / first", true},
           [](Series series) { return Cell(newest_over_first(series), Hint::rate); }}};
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
  return json_with_list({{"schema", "benchctl.history"},
                         {"schema_version", document_version},
                         {"benchctl", BENCHCTL_VERSION},
                         {"generated", utc_now()},
                         {"runs", list_of(history.runs, run_of)}},
                        "series", history.series.size(),
                        [&](std::size_t i) { return series_json(history.series[i]); });
}

std::string history_page_data(const History& history) {
  std::vector<const HistorySeries*> all;
  for (const HistorySeries& series : history.series) all.push_back(&series);
  std::ranges::stable_sort(all, std::greater(), [](const HistorySeries* series) {
    const double ratio = newest_over_first(*series);
    return std::isnan(ratio) ? 0 : std::abs(std::log(ratio));
  });
  const auto columns = figure_columns();
  const auto heads = list_of(heads_of(columns), [](const TextColumn& head) { return Json(head.title); });
  return json_with_list({{"heads", heads}}, "series", all.size(), [&](std::size_t i) {
    Json series = series_json(*all[i]);
    series["cells"] = list_of(cells_of(columns, *all[i]), [](const Cell& cell) { return Json(cell.text); });
    return series;
  });
}

// For people.

namespace {

std::string changes_text(const History& history, const TableOptions& options) {
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
  return below_heading("Conditions", "changed conditions", text.empty() ? text : text + '\n', options);
}

}  // namespace

std::string history_text(const History& history, const TableOptions& options) {
  if (history.series.empty()) return "no times\n";
  PointWords words;
  for (const HistorySeries& series : history.series) words.add(series.point);
  using Series = const HistorySeries&;
  std::vector<Column<HistorySeries>> columns{
      {{"workload"}, [](Series series) { return first_line(series.point.workload); }},
      {{"problem"}, [&](Series series) { return words.problem(series.point); }},
      {{"variant"}, [&](Series series) { return words.variant(series.point); }},
      {{"device"}, [](Series series) { return first_line(series.point.device); }},
      {{"measured as"}, [](Series series) { return PointWords::measured_as(series.point); }}};
  std::ranges::move(figure_columns(), std::back_inserter(columns));
  std::string text = options.markdown ? "## History\n\n" : "";
  text += fmt::format("{}, from {} to {}\n\n", counted(history.runs.size(), "run"),
                      first_line_in(history.runs.front().row.created_at, options.markdown),
                      first_line_in(history.runs.back().row.created_at, options.markdown));
  text += TextTable(columns, history.series).written(options) + changes_text(history, options);
  return fit_lines(text, options.width);
}

}  // namespace benchctl
