#include "report/stream.hpp"

#include "model/json.hpp"
#include "report/export.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

std::string point_line(const ResultRow& row, const RowPlace& place) {
  return one_line(Json{{"format", document_version}, {"type", "point"}, {"row", row_json(row, place)}}) +
         '\n';
}

}  // namespace

std::string stream_point(const Store& store, PointId point) {
  return point_line(make_row(store.result(point)), {});
}

std::string stream_ranked(const Store& store, RunId run, const std::set<PointId>& told) {
  const Report report = make_report(store, run);
  std::string lines;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (told.contains(report.rows[i].stored.row.id) && !report.places[i].rank.competes) continue;
    lines += point_line(report.rows[i], report.places[i]);
  }
  return lines;
}

std::string stream_summary(const Store& store, const StreamSummary& summary) {
  Json points = Json::object();
  for (const auto& [status, count] : store.status_counts(summary.run)) {
    points[std::string(to_string(status))] = count;
  }
  return one_line(Json{{"format", document_version},
                       {"type", "summary"},
                       {"run", to_number(summary.run)},
                       {"store", store.path().string()},
                       {"points", std::move(points)},
                       {"interrupted", summary.interrupted},
                       {"out_of_budget", summary.out_of_budget},
                       {"searches", summary.searches},
                       {"exit_code", summary.exit_code},
                       {"meaning", summary.meaning}}) +
         '\n';
}

}  // namespace benchctl
