// The report as JSON and CSV.
#include "model/json.hpp"
#include "report/documents.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace benchctl {

namespace {

constexpr int report_schema_version = 1;

struct WriteCell {
  JsonText& json;
  void operator()(std::monostate) const { json.null(); }
  void operator()(const auto& value) const { json.value(value); }
};

void write_roof(JsonText& json, const RoofRow& roof) {
  const auto known = [](double figure) { return figure > 0 ? figure : no_number; };
  json.begin_object()
      .field("lane", roof.lane)
      .field("probe", roof.probe)
      .field("per_second", roof.per_second)
      .field("low_per_second", known(roof.low_per_second))
      .field("high_per_second", known(roof.high_per_second))
      .field("clock_mhz", known(roof.clock_mhz))
      .end_object();
}

void write_run(JsonText& json, const ReportRun& run) {
  const RunRow& row = run.row;
  json.begin_object()
      .field("label", run.label)
      .field("store", run.source.store->path().string())
      .field("id", to_number(row.id))
      .field("name", row.name)
      .field("title", row.title)
      .field("state", to_string(state_now(row)))
      .field("created_at", row.created_at);
  if (row.finished_at.empty()) {
    json.key("finished_at").null();
  } else {
    json.field("finished_at", row.finished_at);
  }
  json.field("command", row.command)
      .field("benchctl", row.version)
      .field("seed", row.seed)
      .field("config_hash", row.config_hash)
      .field("config", row.config_text);
  json.key("points").begin_object();
  for (const auto& [status, count] : run.counts) json.field(to_string(status), count);
  json.end_object().key("environment").begin_array();
  for (const EnvironmentValue& entry : run.environment) {
    json.begin_object()
        .field("key", entry.key)
        .field("value", entry.value)
        .field("class", entry.entry_class)
        .end_object();
  }
  json.end_array().key("events").begin_array();
  for (const EventRow& event : run.events) {
    json.begin_object().field("time", event.time).field("text", event.text).end_object();
  }
  json.end_array().key("published").begin_array();
  for (const Published& published : row.published) json.raw(one_line(to_json(published)));
  json.end_array().key("roofs").begin_array();
  for (const RoofRow& roof : run.roofs) write_roof(json, roof);
  json.end_array().end_object();
}

void write_platform(JsonText& json, const Platform& platform) {
  json.begin_object().field("label", platform.label).field("lane", platform.lane).key("device");
  if (platform.known) {
    json.raw(one_line(to_json(platform.device.device)));
  } else {
    json.null();
  }
  json.key("roofs").begin_object();
  for (const auto& [probe, per_second] : platform.roofs) json.field(probe, per_second);
  json.end_object().key("datasheet").begin_object();
  for (const auto& [what, per_second] : platform.datasheet.peaks) json.field(what, per_second);
  json.end_object().end_object();
}

void write_comparison(JsonText& json, const IdenticalProblem& comparison) {
  json.begin_object().field("workload", comparison.workload);
  json.key("problem").raw(one_line(to_json(comparison.problem)));
  json.field("cache", to_string(comparison.cache))
      .field("launch", to_string(comparison.launch))
      .field("basis", to_string(comparison.basis));
  json.key("platforms").begin_array();
  for (const std::size_t platform : comparison.platforms) json.value(platform);
  json.end_array().key("rows").begin_array();
  for (const std::size_t row : comparison.rows) json.value(row);
  json.end_array().end_object();
}

void write_numbers(JsonText& json, std::string_view name, const std::vector<double>& numbers) {
  json.key(name).begin_array();
  for (const double number : numbers) json.value(number);
  json.end_array();
}

/// How often paired rounds came to each verdict, by platform.
void write_paired(JsonText& json, const Report& report) {
  std::map<std::size_t, std::map<std::string, std::size_t>> verdicts;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Comparison* comparison = report.rows[i].stored.compared(Against::baseline);
    if (comparison != nullptr) ++verdicts[report.places[i].platform][comparison->verdict];
  }
  json.key("paired").begin_array();
  for (const auto& [platform, counts] : verdicts) {
    json.begin_object().field("platform", platform).key("verdicts").begin_object();
    for (const auto& [verdict, count] : counts) json.field(verdict, count);
    json.end_object().end_object();
  }
  json.end_array();
}

/// By platform: rows that were repeated in fresh processes, and the largest spread between these.
void write_replicates(JsonText& json, const Report& report) {
  struct Of {
    std::size_t rows = 0;
    double within = std::nan("");
    double between = std::nan("");
  };
  std::map<std::size_t, Of> platforms;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const ResultRow& row = report.rows[i];
    if (std::isnan(row.metric("replicates"))) continue;
    Of& of = platforms[report.places[i].platform];
    ++of.rows;
    of.within = std::fmax(of.within, row.metric("within_spread"));
    of.between = std::fmax(of.between, row.metric("between_spread"));
  }
  json.key("replicates").begin_array();
  for (const auto& [platform, of] : platforms) {
    json.begin_object()
        .field("platform", platform)
        .field("rows", of.rows)
        .field("largest_within_spread", of.within)
        .field("largest_between_spread", of.between)
        .end_object();
  }
  json.end_array();
}

void write_row(JsonText& json, const Report& report, std::size_t index, const ExportColumns& columns,
               bool samples) {
  const RowPlace& place = report.places[index];
  json.begin_object().field("run", place.run).field("platform", place.platform);
  json.key("comparison");
  if (place.comparison == RowPlace::none) {
    json.null();
  } else {
    json.value(place.comparison);
  }
  json.field("datasheet_fraction", place.datasheet_share);
  const std::vector<Cell> cells = export_cells(columns, report.rows[index], place.rank);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (columns.names[i] == "run") continue;  // told by its place already
    json.key(columns.names[i]);
    std::visit(WriteCell{json}, cells[i]);
  }
  const PointRow& point = report.rows[index].stored.row;
  json.field("content_key", point.content_key);
  json.key("problem").raw(one_line(to_json(point.point.problem)));
  json.key("tunables").raw(one_line(to_json(point.point.tunables)));
  if (samples) {
    const ReportSource& source = report.runs[place.run].source;
    write_numbers(json, "samples_ns", used_ns(source.store->samples(report.rows[index].stored.row.id)));
  }
  json.end_object();
}

}  // namespace

std::string report_json(const Report& report, const DocumentOptions& options) {
  JsonText json;
  json.begin_object()
      .field("schema", "benchctl.report")
      .field("schema_version", report_schema_version)
      .field("title", report_title(report, options.title))
      .field("benchctl", BENCHCTL_VERSION)
      .field("generated", utc_now());
  json.key("warnings").begin_array();
  for (const std::string& warning : report.warnings) json.value(warning);
  json.end_array().key("headlines").begin_array();
  for (const Headline& headline : headlines_of(report)) {
    json.begin_object()
        .field("title", headline.title)
        .field("workload", headline.workload)
        .field("text", headline.text())
        .field("about", headline.asked())
        .field("axis", headline.axis);
    json.key("devices").begin_array();
    for (const HeadlineLine& line : headline.lines) {
      json.begin_object().field("platform", line.platform).key("row");
      if (line.winner) {
        json.value(*line.winner);
      } else {
        json.null();
      }
      json.field("answer", line.answer)
          .field("time", line.time)
          .field("factors", line.factors)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("runs").begin_array();
  for (const ReportRun& run : report.runs) write_run(json, run);
  json.end_array().key("platforms").begin_array();
  for (const Platform& platform : report.platforms) write_platform(json, platform);
  json.end_array().key("comparisons").begin_array();
  for (const IdenticalProblem& comparison : report.comparisons) write_comparison(json, comparison);
  json.end_array().key("portability").begin_array();
  for (const Portability& entry : report.portability) {
    json.begin_object().field("comparison", entry.comparison).field("variant", entry.variant);
    write_numbers(json, "application", entry.application);
    write_numbers(json, "architectural", entry.architectural);
    json.field("application_score", entry.application_score)
        .field("architectural_score", entry.architectural_score)
        .end_object();
  }
  json.end_array();
  write_paired(json, report);
  write_replicates(json, report);
  json.key("rows").begin_array();
  const ExportColumns columns = export_columns(report.rows);
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    write_row(json, report, i, columns, options.samples);
  }
  return json.end_array().end_object().take() + '\n';
}

std::string report_csv(const Report& report) {
  const ExportColumns columns = export_columns(report.rows);
  std::string text = "run,platform,datasheet_fraction";
  for (const std::string& column : columns.names) text += ',' + csv_field(column);
  text += "\r\n";
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const RowPlace& place = report.places[i];
    text += csv_field(report.runs[place.run].label) + ',' +
            csv_field(report.platforms[place.platform].label) + ',' +
            csv_field(cell_of(place.datasheet_share));
    for (const Cell& cell : export_cells(columns, report.rows[i], place.rank))
      text += ',' + csv_field(cell);
    text += "\r\n";
  }
  return text;
}

}  // namespace benchctl
