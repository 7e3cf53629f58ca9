// A history for Apache Otava, which finds changes in tables of runs and metrics: https://otava.apache.org.
#include "report/export.hpp"
#include "report/history_documents.hpp"
#include "report/point_words.hpp"

#include <fmt/format.h>

namespace benchctl {

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
  ExportTable table;
  // Texts are attributes.
  table.columns = {"time", "run", "benchctl"};
  for (const HistorySeries* series : whole)
    table.columns.push_back(fmt::format("{} on {}", full_label(series->point), series->device));
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const RunRow& run = history.runs[i].row;
    std::vector<Cell>& row = table.rows.emplace_back();
    row = {run.created_at, fmt::format("run {}", to_number(run.id)), "version " + run.version};
    for (const HistorySeries* series : whole) row.push_back(cell_of(series->points[i].median_ns));
  }
  return to_csv(table);
}

}  // namespace benchctl
