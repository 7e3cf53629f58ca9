// Published figures beside ours, the roofs that a run used, and the runs of a store.
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/published_series.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <map>

namespace benchctl {

std::vector<std::string> published_cells(const Published& published, const PublishedPair& entry) {
  const MetricInfo* metric = find_metric(published.metric);
  const bool is_time = metric != nullptr && metric->unit == "ns";
  return {to_text(entry.at), format_significant(entry.published),
          format_figure(entry.published_ratio, Hint::ratio),
          is_time ? format_duration(entry.measured) : format_significant(entry.measured),
          format_figure(entry.measured_ratio, Hint::ratio)};
}

std::string published_tables(const std::vector<Published>& references, std::span<const Result> rows,
                             const std::vector<Lane>& lanes, const TableOptions& options) {
  std::vector<RowDevice> devices;
  for (const Result& row : rows) {
    const Lane* lane = lane_named(lanes, row.point().device);
    devices.push_back(
        {row.point().device, lane != nullptr ? std::optional(lane->device.type) : std::nullopt});
  }
  std::string text;
  for (const Published& published : references) {
    TextTable table(
        {{"measured on"},
         TextColumn::named(published.axis),
         TextColumn::named("published" + (published.unit.empty() ? "" : ", " + published.unit), true),
         {"published ratio", true},
         {"measured", true},
         {"measured ratio", true}});
    for (const PublishedSeries& series : published_series(published, rows, devices)) {
      bool first = true;
      for (const PublishedPair& entry : series.entries) {
        std::vector<std::string> cells = published_cells(published, entry);
        cells.insert(cells.begin(), first ? series.key : "");
        table.add(std::move(cells));
        first = false;
      }
    }
    const std::string title = first_line_in(
        fmt::format("published: {}{}", published.source,
                    published.hardware.empty() ? "" : fmt::format(", on {}", published.hardware)),
        options.markdown);
    text += below_heading(title, title, table.written(options), options);
  }
  return text;
}

std::string roof_rate(const RoofRow& roof) {
  if (roof.probe.starts_with("launch")) return format_duration(1e9 / roof.per_second);
  return fmt::format("{} {}", format_significant(roof.per_second / 1e9),
                     is_arithmetic(roof.probe) ? "GFLOP/s" : "GB/s");
}

double roof_half_width(const RoofRow& roof) {
  if (!(roof.high_per_second > 0)) return no_number;
  return (roof.high_per_second - roof.low_per_second) / 2 / roof.per_second;
}

std::vector<std::vector<std::string>> roof_cells(const std::vector<RoofRow>& roofs) {
  std::vector<std::vector<std::string>> rows;
  for (const RoofRow& roof : roofs) {
    rows.push_back({roof.lane, roof.probe, roof_rate(roof),
                    format_figure(roof_half_width(roof), Hint::share),
                    roof.clock_mhz > 0 ? fmt::format("{:.0f} MHz", roof.clock_mhz) : ""});
  }
  return rows;
}

std::string roof_table(const std::vector<RoofRow>& roofs, const TableOptions& options) {
  TextTable table({{"device"}, {"roof"}, {"measured", true}, {"±", true}, {"clock", true}});
  for (std::vector<std::string>& cells : roof_cells(roofs)) table.add(std::move(cells));
  return below_heading("Roofs", "roofs used", table.written(options), options);
}

namespace {

/// Names and origins of runs, for their remarks.
std::map<RunId, std::string> remarks_of(const Store& store) {
  std::map<RunId, std::string> remarks;
  const auto add = [&](RunId run, const std::string& text) {
    std::string& own = remarks[run];
    own += (own.empty() ? "" : "; ") + text;
  };
  for (const BaselineRow& baseline : store.baselines()) add(baseline.run, "baseline " + baseline.name);
  for (const MergedRun& merged : store.merged_runs()) {
    add(merged.run, fmt::format("run {} of {}", to_number(merged.original),
                                std::filesystem::path(merged.store).filename().string()));
    if (merged.conflicts_with) {
      add(merged.run, fmt::format("conflicts with run {}: the same run with other results",
                                  to_number(*merged.conflicts_with)));
    }
  }
  return remarks;
}

}  // namespace

std::string runs_table(const Store& store, std::size_t width) {
  TextTable table({{"run", true}, {"name"}, {"state"}, {"begun"}, {"points"}, {"title"}, {"remarks"}});
  std::map<RunId, std::string> remarks = remarks_of(store);
  for (const RunRow& run : store.runs()) {
    table.add({fmt::format("{}", to_number(run.id)), first_line(run.name),
               std::string(to_string(state_now(run))), run.created_at,
               count_text(store.status_counts(run.id)), first_line(run.title),
               first_line(remarks[run.id])});
  }
  if (table.empty())
    return fit_lines(fmt::format("no runs in {}\n", first_line(store.path().string())), width);
  return table.text(false, width);
}

}  // namespace benchctl
