// A history for other programs, and for the page.
#include "model/json.hpp"
#include "report/export.hpp"
#include "report/history.hpp"
#include "report/point_names.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

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

}  // namespace benchctl
