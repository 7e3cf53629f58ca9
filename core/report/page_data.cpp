// The data of the page: runs, platforms, comparisons and what belongs to all points.
#include "model/json.hpp"
#include "model/metrics.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"
#include "report/page.hpp"
#include "report/page_parts.hpp"
#include "report/section.hpp"
#include "report/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <span>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

constexpr int page_data_version = 1;

Json page_run(const ReportRun& run) {
  const RunRow& row = run.row;
  Json points = Json::object();
  for (const auto& [status, count] : run.counts) points[std::string(to_string(status))] = count;
  return {
      {"label", run.label},
      {"name", row.name},
      {"title", row.title},
      {"state", to_string(state_now(row))},
      {"created_at", row.created_at},
      {"finished_at", row.finished_at},
      {"command", row.command},
      {"benchctl", row.version},
      {"seed", row.seed},
      {"config", row.config_text},
      {"environment", list_of(run.environment,
                              [](const EnvironmentEntry& entry) {
                                return Json::array({entry.key, entry.value, to_string(entry.entry_class)});
                              })},
      {"events", list_of(run.events,
                         [](const EventRow& event) {
                           return Json::array({event.time, event.text});
                         })},
      {"roofs", roof_cells(run.roofs)},
      {"points", std::move(points)}};
}

/// Empty for a roof that the page leaves out: reading stands for the other roofs of a memory.
Json page_roof(const std::string& probe, double per_second) {
  const bool of_bytes = probe == "dram_read" || probe == "shared" || probe.starts_with("cache_");
  if (!of_bytes && !is_arithmetic(probe)) return {};
  RoofRow roof;
  roof.probe = probe;
  roof.per_second = per_second;
  return {{"probe", probe}, {"rate", per_second / 1e9}, {"text", roof_rate(roof)}, {"of_bytes", of_bytes}};
}

Json page_platform(const Platform& platform) {
  const DeviceInfo& device = platform.device.device;
  Json json = {{"label", platform.label},
               {"lane", platform.lane},
               {"backend", platform.known ? platform.device.backend : platform.lane},
               {"known", platform.known}};
  if (platform.known) json["device"] = Json(to_json(device));
  json["memory"] =
      device.limits.memory_bytes > 0
          ? fmt::format("{:.1f} GiB", static_cast<double>(device.limits.memory_bytes) / (1ULL << 30))
          : std::string();
  Json& roofs = json["roofs"] = Json::array();
  for (const auto& [probe, per_second] : platform.roofs) {
    if (Json roof = page_roof(probe, per_second); !roof.empty()) roofs.push_back(std::move(roof));
  }
  return json;
}

Json page_comparison(const IdenticalProblem& comparison) {
  const auto& [problem, measure] = comparison.key;
  return {{"workload", problem.workload},      {"problem", to_text(problem.parameters)},
          {"cache", to_string(measure.cache)}, {"launch", to_string(measure.launch)},
          {"basis", to_string(measure.basis)}, {"platforms", comparison.platforms}};
}

Json page_headline(const Headline& headline) {
  return {{"title", headline.title},
          {"about", headline.asked()},
          {"axis", headline.axis},
          {"quantity", headline.quantity},
          {"lines", list_of(headline.lines,
                            [](const HeadlineLine& line) {
                              return Json{{"device", line.device},
                                          {"answer", line.answer},
                                          {"time", line.time},
                                          {"factors", line.factors},
                                          {"row", line.winner ? Json(*line.winner) : Json(nullptr)}};
                            })},
          {"more", headline.more},
          {"rows", headline.rows},
          {"beside", headline.beside}};
}

/// The point that the row is about, then its cells, a text or [text, point].
Json page_section_row(const Section& section, const SectionRow& row) {
  Json cells = Json::array();
  cells.push_back(row.about);
  for (std::size_t place = 0; place < section.columns.size(); ++place) {
    const Cell& cell = row.cells[place];
    if (section.columns[place].is_heading) continue;
    cells.push_back(cell.row ? Json::array({cell.text, *cell.row}) : Json(cell.text));
  }
  return cells;
}

Json page_section(const Section& section) {
  constexpr std::size_t most_rows = 2000;
  Json heads = Json::array();
  for (const TextColumn& column : section.columns) {
    if (!column.is_heading) heads.push_back(Json{{"title", column.title}, {"number", column.right}});
  }
  const auto rows = std::span(section.rows).first(std::min(most_rows, section.rows.size()));
  return {{"title", section.title},
          {"note", section.note},
          {"after", section.after},
          {"heads", std::move(heads)},
          {"by_problem", section.columns.front().is_heading},
          {"rows", list_of(rows, [&](const SectionRow& row) { return page_section_row(section, row); })}};
}

Json page_published(const Published& published, const std::vector<PublishedSeries>& all) {
  const auto entry_json = [&](const PublishedPair& entry) {
    return Json{{"at", to_text(entry.at)},
                {"row", entry.row},
                {"published_ratio", short_number(entry.published_ratio, page_digits)},
                {"measured_ratio", short_number(entry.measured_ratio, page_digits)},
                {"cells", published_cells(published, entry)}};
  };
  return {{"source", published.source},
          {"hardware", published.hardware},
          {"metric", published.metric},
          {"unit", published.unit},
          {"axis", published.axis},
          {"base", to_text(published.base().first)},
          {"series", list_of(all, [&](const PublishedSeries& series) {
             return Json{{"key", series.key}, {"entries", list_of(series.entries, entry_json)}};
           })}};
}

Json page_metrics() {
  Json metrics = Json::object();
  for (const MetricInfo& metric : metric_table) {
    metrics[std::string(metric.id)] =
        Json{{"label", metric.label}, {"unit", metric.unit}, {"doc", metric.doc}};
  }
  return metrics;
}

Json page_statuses() {
  Json statuses = Json::object();
  for (const StatusInfo& status : status_table) statuses[std::string(status.id)] = status.doc;
  return statuses;
}

}  // namespace

std::string page_data(const Report& report, const PageOptions& options) {
  std::vector<std::string> differing;
  for (const std::string_view entry_class : {"must_match", "should_match", "information"})
    std::ranges::move(differing_keys(report, entry_class), std::back_inserter(differing));
  const std::vector<RowDevice> devices = row_devices(report);
  const auto with_series = [&](const Published& published) {
    return page_published(published, published_series(published, report.rows, devices));
  };
  std::string text = one_line(Json{{"version", page_data_version},
                                   {"title", report_title(report, options.title)},
                                   {"benchctl", BENCHCTL_VERSION},
                                   {"generated", utc_now()},
                                   {"warnings", report.warnings},
                                   {"differing", differing},
                                   {"metrics", page_metrics()},
                                   {"statuses", page_statuses()},
                                   {"runs", list_of(report.runs, page_run)},
                                   {"platforms", list_of(report.platforms, page_platform)},
                                   {"comparisons", list_of(report.comparisons, page_comparison)},
                                   {"headlines", list_of(headlines_of(report), page_headline)},
                                   {"sections", list_of(sections_of(report), page_section)},
                                   {"published", list_of(published_of(report), with_series)}});
  text.pop_back();  // more members follow
  add_member(text, "points", page_points(report));
  add_member(text, "facts", one_line(page_facts()));
  const Json samples = page_samples(report, options.samples);
  for (const auto& [name, part] : samples.items()) add_member(text, name, one_line(part));
  if (!options.history.empty()) add_member(text, "history", options.history);
  return text + '}';
}

}  // namespace benchctl
