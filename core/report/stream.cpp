#include "report/stream.hpp"

#include "report/export.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string stream_point(const Store& store, PointId point) {
  const std::vector<ResultRow> rows{make_row(store.result(point))};
  return line_of({{"format", stream_format},
                  {"type", "point"},
                  {"row", export_rows(store, rows, {RowPlace{}}, {}).at(0)}});
}

std::string stream_ranked(const Store& store, RunId run, const std::set<PointId>& told) {
  const ReportSource source{&store, run};
  const Report report = make_report({&source, 1});
  std::string lines;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (told.contains(report.rows[i].stored.row.id) && !report.places[i].rank.competes) continue;
    lines += line_of({{"format", stream_format},
                      {"type", "point"},
                      {"row", export_rows(store, {report.rows[i]}, {report.places[i]}, {}).at(0)}});
  }
  return lines;
}

std::string stream_summary(const Store& store, const StreamSummary& summary) {
  Json points = Json::object();
  for (const auto& [status, count] : store.status_counts(summary.run)) {
    points[std::string(to_string(status))] = count;
  }
  return line_of({{"format", stream_format},
                  {"type", "summary"},
                  {"run", to_number(summary.run)},
                  {"store", store.path().string()},
                  {"points", std::move(points)},
                  {"interrupted", summary.interrupted},
                  {"out_of_budget", summary.out_of_budget},
                  {"searches", summary.searches},
                  {"exit_code", summary.exit_code},
                  {"meaning", std::string(summary.meaning)}});
}

}  // namespace benchctl
