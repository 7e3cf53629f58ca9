// Published figures beside ours, the roofs that a run used, and the runs of a store.
#include "model/metrics.hpp"
#include "model/words.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/published_series.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>

#include <map>

namespace benchctl {

std::vector<Column<PublishedPair>> published_columns(const Published& published) {
  const MetricInfo* metric = find_metric(published.metric);
  const bool is_time = metric != nullptr && metric->unit == "ns";
  const std::string title = "published" + (published.unit.empty() ? "" : ", " + published.unit);
  using Pair = const PublishedPair&;
  return {{{"measured on"}, [](Pair pair) { return pair.key; }},
          {TextColumn::named(published.axis), [](Pair pair) { return to_text(pair.at); }},
          {TextColumn::named(title, true), [](Pair pair) { return Cell(pair.published, Hint::rate); }},
          {{"published ratio", true}, [](Pair pair) { return Cell(pair.published_ratio, Hint::ratio); }},
          {{"measured", true},
           [is_time](Pair pair) {
             return Cell(is_time ? format_duration(pair.measured) : format_significant(pair.measured),
                         pair.row);
           }},
          {{"measured ratio", true}, [](Pair pair) { return Cell(pair.measured_ratio, Hint::ratio); }}};
}

std::string published_tables(const std::vector<Published>& references, std::span<const Result> rows,
                             const std::vector<Lane>& lanes, const TableOptions& options) {
  std::vector<RowDevice> devices;
  for (const Result& row : rows) {
    const Lane* lane = find_lane(lanes, row.point().device);
    devices.push_back(
        {row.point().device, lane != nullptr ? std::optional(lane->device.type) : std::nullopt});
  }
  std::string text;
  for (const Published& published : references) {
    const auto columns = published_columns(published);
    TextTable table(heads_of(columns));
    for (const PublishedSeries& series : published_series(published, rows, devices)) {
      for (const PublishedPair& pair : series.entries) table.add_cells(cells_of(columns, pair));
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

std::vector<Column<RoofRow>> roof_columns() {
  using Roof = const RoofRow&;
  return {{{"device"}, [](Roof roof) { return roof.lane; }},
          {{"roof"}, [](Roof roof) { return roof.probe; }},
          {{"measured", true}, [](Roof roof) { return roof_rate(roof); }},
          {{"±", true}, [](Roof roof) { return Cell(roof_half_width(roof), Hint::share); }},
          {{"clock", true},
           [](Roof roof) { return roof.clock_mhz > 0 ? fmt::format("{:.0f} MHz", roof.clock_mhz) : ""; }}};
}

std::string roof_table(const std::vector<RoofRow>& roofs, const TableOptions& options) {
  return below_heading("Roofs", "roofs used", TextTable(roof_columns(), roofs).written(options), options);
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
  std::map<RunId, std::string> remarks = remarks_of(store);
  using Run = const RunRow&;
  const std::vector<Column<RunRow>> columns{
      {{"run", true}, [](Run run) { return fmt::format("{}", to_number(run.id)); }},
      {{"name"}, [](Run run) { return first_line(run.name); }},
      {{"state"}, [](Run run) { return std::string(to_string(state_now(run))); }},
      {{"begun"}, [](Run run) { return run.created_at; }},
      {{"points"}, [&](Run run) { return count_text(store.status_counts(run.id)); }},
      {{"title"}, [](Run run) { return first_line(run.title); }},
      {{"remarks"}, [&](Run run) { return first_line(remarks[run.id]); }}};
  const TextTable table(columns, store.runs());
  if (table.empty()) return fit_lines(fmt::format("no runs in {}\n", store.path()), width);
  return table.text(false, width);
}

}  // namespace benchctl
