// The data of the page: runs, platforms, comparisons and what belongs to all points.
#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/section.hpp"
#include "report/table.hpp"
#include "report/warnings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

constexpr int page_data_version = 1;

void write_runs(JsonText& json, const Report& report) {
  json.key("runs").begin_array();
  for (const ReportRun& run : report.runs) {
    const RunRow& row = run.row;
    json.begin_object()
        .field("label", run.label)
        .field("name", row.name)
        .field("title", row.title)
        .field("state", to_string(state_now(row)))
        .field("created_at", row.created_at)
        .field("finished_at", row.finished_at)
        .field("command", row.command)
        .field("benchctl", row.version)
        .field("seed", row.seed)
        .field("config", row.config_text);
    json.key("environment").begin_array();
    for (const EnvironmentValue& entry : run.environment) {
      json.begin_array().value(entry.key).value(entry.value).value(entry.entry_class).end_array();
    }
    json.end_array().key("events").begin_array();
    for (const EventRow& event : run.events) {
      json.begin_array().value(event.time).value(event.text).end_array();
    }
    json.end_array().key("roofs").begin_array();
    for (const std::vector<std::string>& cells : roof_cells(run.roofs)) {
      json.begin_array();
      for (const std::string& cell : cells) json.value(cell);
      json.end_array();
    }
    json.end_array().key("points").begin_object();
    for (const auto& [status, count] : run.counts) json.field(to_string(status), count);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_platforms(JsonText& json, const Report& report) {
  json.key("platforms").begin_array();
  for (const Platform& platform : report.platforms) {
    json.begin_object().field("label", platform.label).field("lane", platform.lane);
    json.field("backend", platform.known ? platform.device.backend : platform.lane);
    json.field("known", platform.known);
    if (platform.known) {
      json.key("device").raw(
          to_json(platform.device.device).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    json.field("memory", platform.device.device.limits.memory_bytes > 0
                             ? fmt::format("{:.1f} GiB",
                                           static_cast<double>(platform.device.device.limits.memory_bytes) /
                                               (1ULL << 30))
                             : std::string());
    json.key("roofs").begin_array();
    for (const auto& [probe, per_second] : platform.roofs) {
      // Of a memory's roofs the one of reading stands for all.
      const bool of_bytes = probe == "dram_read" || probe == "shared" || probe.starts_with("cache_");
      if (!of_bytes && !is_arithmetic(probe)) continue;
      RoofRow roof;
      roof.probe = probe;
      roof.per_second = per_second;
      json.begin_object().field("probe", probe).field("rate", per_second / 1e9);
      json.field("text", roof_rate(roof)).field("of_bytes", of_bytes).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_comparisons(JsonText& json, const Report& report) {
  json.key("comparisons").begin_array();
  for (const IdenticalProblem& comparison : report.comparisons) {
    json.begin_object()
        .field("workload", comparison.workload)
        .field("problem", to_text(comparison.problem))
        .field("cache", to_string(comparison.cache))
        .field("launch", to_string(comparison.launch))
        .field("basis", to_string(comparison.basis))
        .key("platforms")
        .begin_array();
    for (const std::size_t platform : comparison.platforms) json.value(platform);
    json.end_array().end_object();
  }
  json.end_array();
}

template <class Numbers>
void write_list(JsonText& json, std::string_view name, const Numbers& numbers) {
  json.key(name).begin_array();
  for (const std::size_t number : numbers) json.value(number);
  json.end_array();
}

void write_place(JsonText& json, std::optional<std::size_t> row) {
  if (row) {
    json.value(*row);
  } else {
    json.null();
  }
}

void write_headlines(JsonText& json, const Report& report) {
  json.key("headlines").begin_array();
  for (const Headline& headline : headlines_of(report)) {
    json.begin_object()
        .field("title", headline.title)
        .field("about", headline.asked())
        .field("axis", headline.axis)
        .field("quantity", headline.quantity);
    json.key("lines").begin_array();
    for (const HeadlineLine& line : headline.lines) {
      json.begin_object().field("device", line.device).field("answer", line.answer);
      json.field("time", line.time).field("factors", line.factors).key("row");
      write_place(json, line.winner);
      json.end_object();
    }
    json.end_array().key("more").begin_array();
    for (const std::string& more : headline.more) json.value(more);
    json.end_array();
    write_list(json, "rows", headline.rows);
    write_list(json, "beside", headline.beside);
    json.end_object();
  }
  json.end_array();
}

/// Rows are arrays: the point that each is about, then its cells, a text or [text, point].
void write_sections(JsonText& json, const Report& report) {
  constexpr std::size_t most_rows = 2000;
  json.key("sections").begin_array();
  for (const Section& section : sections_of(report)) {
    json.begin_object().field("title", section.title).field("note", section.note);
    json.field("after", section.after).key("heads").begin_array();
    const bool headings = section.columns.front().is_heading;
    for (const TextColumn& column : section.columns) {
      if (column.is_heading) continue;
      json.begin_object().field("title", column.title).field("number", column.right).end_object();
    }
    json.end_array().field("by_problem", headings).key("rows").begin_array();
    for (std::size_t i = 0; i < std::min(most_rows, section.rows.size()); ++i) {
      json.begin_array().value(section.rows[i].about);
      for (std::size_t place = 0; place < section.columns.size(); ++place) {
        const SectionCell& cell = section.rows[i].cells[place];
        if (section.columns[place].is_heading) continue;
        if (cell.row) {
          json.begin_array().value(cell.text).value(*cell.row).end_array();
        } else {
          json.value(cell.text);
        }
      }
      json.end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_published(JsonText& json, const Report& report) {
  const std::vector<RowDevice> devices = row_devices(report);
  json.key("published").begin_array();
  for (const Published& published : published_of(report)) {
    json.begin_object()
        .field("source", published.source)
        .field("hardware", published.hardware)
        .field("metric", published.metric)
        .field("unit", published.unit)
        .field("axis", published.axis)
        .field("base", to_text(published.base().first));
    json.key("series").begin_array();
    for (const PublishedSeries& series : published_series(published, report.rows, devices)) {
      json.begin_object().field("key", series.key).key("entries").begin_array();
      for (const PublishedPair& entry : series.entries) {
        json.begin_object().field("at", to_text(entry.at)).field("row", entry.row);
        json.key("published_ratio").rounded(entry.published_ratio, page_digits);
        json.key("measured_ratio").rounded(entry.measured_ratio, page_digits).key("cells").begin_array();
        for (const std::string& cell : published_cells(published, entry)) json.value(cell);
        json.end_array().end_object();
      }
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_metrics(JsonText& json) {
  json.key("metrics").begin_object();
  for (const MetricInfo& metric : metric_table) {
    json.key(metric.id)
        .begin_object()
        .field("label", metric.label)
        .field("unit", metric.unit)
        .field("doc", metric.doc)
        .end_object();
  }
  json.end_object().key("statuses").begin_object();
  for (const StatusInfo& status : status_table) json.field(status.id, status.doc);
  json.end_object();
}

}  // namespace

std::string page_data(const Report& report, const PageOptions& options) {
  JsonText json;
  json.begin_object()
      .field("version", page_data_version)
      .field("title", report_title(report, options.title))
      .field("benchctl", BENCHCTL_VERSION)
      .field("generated", utc_now());
  json.key("warnings").begin_array();
  for (const std::string& warning : report.warnings) json.value(warning);
  json.end_array();
  json.key("differing").begin_array();
  for (const std::string_view entry_class : {"must_match", "should_match", "information"}) {
    for (const std::string& key : differing_keys(report, entry_class)) json.value(key);
  }
  json.end_array();
  write_metrics(json);
  write_runs(json, report);
  write_platforms(json, report);
  write_comparisons(json, report);
  write_headlines(json, report);
  write_sections(json, report);
  write_published(json, report);
  write_page_points(json, report);
  write_page_samples(json, report, options.samples);
  if (!options.history.empty()) json.key("history").raw(options.history);
  return json.end_object().take();
}

}  // namespace benchctl
