// A history for other programs, and for the page.
#include "model/json.hpp"
#include "report/export.hpp"
#include "report/history_documents.hpp"
#include "report/json_text.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

constexpr int history_schema_version = 3;

void write_identity(JsonText& json, const HistorySeries& series) {
  const Point& point = series.point;
  json.field("label", point.label())
      .field("workload", point.workload)
      .field("variant", point.variant)
      .field("backend", point.backend)
      .field("device", point.device)
      .field("device_name", series.device);
  json.key("problem").raw(one_line(to_json(point.problem)));
  json.field("layout", point.layout).key("tunables").raw(one_line(to_json(point.tunables)));
  json.field("cache", to_string(point.measure.cache))
      .field("launch", to_string(point.measure.launch))
      .field("basis", to_string(point.measure.basis));
}

void write_series(JsonText& json, const HistorySeries& series) {
  json.begin_object();
  write_identity(json, series);
  json.key("points").begin_array();
  for (const HistoryPoint& point : series.points) {
    json.begin_object()
        .field("run", point.run)
        .field("point", point.ordinal)
        .field("median_ns", point.median_ns)
        .field("ci_low_ns", point.interval.low)
        .field("ci_high_ns", point.interval.high)
        .field("n_samples", point.n_samples)
        .field("cut", point.cut)
        .key("changes")
        .begin_array();
    for (const std::string& change : point.changes) json.value(change);
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void write_all_series(JsonText& json, const History& history) {
  json.key("series").begin_array();
  for (const HistorySeries& series : history.series) write_series(json, series);
  json.end_array();
}

}  // namespace

std::string history_json(const History& history) {
  JsonText json;
  json.begin_object()
      .field("schema", "benchctl.history")
      .field("schema_version", history_schema_version)
      .field("benchctl", BENCHCTL_VERSION)
      .field("generated", utc_now())
      .key("runs")
      .begin_array();
  for (const HistoryRun& run : history.runs) {
    json.begin_object()
        .field("id", to_number(run.row.id))
        .field("name", run.row.name)
        .field("title", run.row.title)
        .field("created_at", run.row.created_at)
        .field("benchctl", run.row.version)
        .end_object();
  }
  json.end_array();
  write_all_series(json, history);
  return json.end_object().take() + '\n';
}

std::string history_page_data(const History& history) {
  JsonText json;
  json.begin_object();
  write_all_series(json, history);
  return json.end_object().take();
}

std::string history_csv(const History& history) {
  ExportTable table;
  table.columns = {"run",       "created_at", "workload",   "variant",   "backend", "device",
                   "problem",   "layout",     "tunables",   "cache",     "launch",  "basis",
                   "median_ns", "ci_low_ns",  "ci_high_ns", "n_samples", "changes"};
  for (const HistorySeries& series : history.series) {
    const Point& p = series.point;
    for (const HistoryPoint& point : series.points) {
      const RunRow& run = history.runs[point.run].row;
      std::string changes;
      for (const std::string& change : point.changes) changes += (changes.empty() ? "" : "; ") + change;
      table.rows.push_back(
          {Cell{to_number(run.id)}, run.created_at, p.workload, p.variant, p.backend, p.device,
           to_text(p.problem), p.layout, to_text(p.tunables), std::string(to_string(p.measure.cache)),
           std::string(to_string(p.measure.launch)), std::string(to_string(p.measure.basis)),
           cell_of(point.median_ns), cell_of(point.interval.low), cell_of(point.interval.high),
           Cell{point.n_samples}, changes});
    }
  }
  return to_csv(table);
}

}  // namespace benchctl
