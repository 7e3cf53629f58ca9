// The JSON forms of reports, of the list of runs, and of a run while it is measured.
#include "model/json.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/headline.hpp"

#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const RunRow& run) {
  return {{"id", to_number(run.id)},
          {"name", run.name},
          {"title", run.title},
          {"state", to_string(state_now(run))},
          {"created_at", run.created_at},
          {"finished_at", run.finished_at.empty() ? Json(nullptr) : Json(run.finished_at)},
          {"command", run.command},
          {"benchctl", run.version},
          {"seed", run.seed},
          {"config_hash", run.config_hash}};
}

Json json_of(const MergedRun& merged) {
  const auto& conflict = merged.conflicts_with;
  return {{"store", merged.store},
          {"run", to_number(merged.original)},
          {"merged_at", merged.merged_at},
          {"conflicts_with", conflict ? Json(to_number(*conflict)) : Json(nullptr)}};
}

Json json_of(const RoofRow& roof) {
  const auto known = [](double figure) { return figure > 0 ? figure : no_number; };
  return {{"lane", roof.lane},
          {"probe", roof.probe},
          {"per_second", roof.per_second},
          {"low_per_second", known(roof.low_per_second)},
          {"high_per_second", known(roof.high_per_second)},
          {"clock_mhz", known(roof.clock_mhz)}};
}

Json json_of(const Lane& lane) {
  Json device = {{"device", lane.name()}, {"backend", lane.backend}};
  device.update(Json(to_json(lane.device)));
  return device;
}

Json json_of(const Platform& platform) {
  return {{"label", platform.label},
          {"lane", platform.lane},
          {"roofs", platform.roofs},
          {"datasheet", platform.datasheet.peaks}};
}

Json json_of(const IdenticalProblem& comparison) {
  const auto& [problem, measure] = comparison.key;
  return {{"workload", problem.workload},
          {"problem", to_json(problem.parameters)},
          {"cache", to_string(measure.cache)},
          {"launch", to_string(measure.launch)},
          {"basis", to_string(measure.basis)},
          {"platforms", comparison.platforms},
          {"rows", comparison.rows}};
}

Json json_of(const Portability& entry) {
  return {{"comparison", entry.comparison},
          {"variant", entry.variant},
          {"application", entry.application},
          {"architectural", entry.architectural},
          {"application_score", entry.application_score},
          {"architectural_score", entry.architectural_score}};
}

constexpr auto own_json = [](const auto& value) { return json_of(value); };

Json run_json(const Report& report, std::size_t place) {
  const ReportRun& run = report.runs[place];
  Json json = {{"label", run.label}, {"store", run.source.store->path().string()}};
  json.update(json_of(run.row));
  json["config"] = run.row.config_text;
  json["files"] = file_digests(*run.source.store, run.source.run);
  json["points"] = counts_json(run.counts);
  json["environment"] = list_of(run.environment, [](const EnvironmentEntry& entry) {
    return Json{{"key", entry.key}, {"value", entry.value}, {"class", to_string(entry.entry_class)}};
  });
  json["events"] = list_of(run.events, [](const EventRow& event) {
    return Json{{"time", event.time}, {"text", event.text}};
  });
  json["published"] =
      list_of(run.row.published, [](const Published& figures) { return Json(to_json(figures)); });
  json["roofs"] = list_of(run.roofs, own_json);
  json["devices"] = list_of(run.lanes, own_json);
  const std::span<const Result> rows = rows_of_run(report, place);
  const auto first = static_cast<std::size_t>(rows.data() - report.rows.data());
  Json& platforms = json["platforms"] = Json::object();
  for (std::size_t i = first; i < first + rows.size(); ++i)
    platforms[report.rows[i].point().device] = report.places[i].platform;
  json["first_row"] = first;
  json["row_count"] = rows.size();
  return json;
}

Json headline_json(const Headline& headline) {
  return {{"title", headline.title},
          {"workload", headline.workload},
          {"text", headline.text()},
          {"about", headline.asked()},
          {"axis", headline.axis},
          {"devices", list_of(headline.lines, [](const HeadlineLine& line) {
             return Json{{"platform", line.platform},
                         {"row", line.winner ? Json(*line.winner) : Json(nullptr)},
                         {"answer", line.answer},
                         {"time", line.time},
                         {"factors", line.factors}};
           })}};
}

std::string point_line(const Result& row, const RowPlace& place) {
  return stream_line("point", Json::object({{"row", row_json(row, place)}}));
}

}  // namespace

std::string report_json(const Report& report, const WriteOptions& options) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < report.runs.size(); ++i) runs.push_back(run_json(report, i));
  const auto row_of = [&](std::size_t i) {
    Json row = row_json(report.rows[i], report.places[i]);
    if (options.samples) {
      const Store& store = *report.runs[report.places[i].run].source.store;
      row["samples_ns"] = used_ns(store.samples(report.rows[i].row.id));
    }
    return row;
  };
  return json_with_list({{"schema", "benchctl.report"},
                         {"schema_version", document_version},
                         {"title", report_title(report)},
                         {"benchctl", BENCHCTL_VERSION},
                         {"generated", utc_now()},
                         {"units", units_json()},
                         {"warnings", report.warnings},
                         {"headlines", list_of(headlines_of(report), headline_json)},
                         {"runs", std::move(runs)},
                         {"platforms", list_of(report.platforms, own_json)},
                         {"comparisons", list_of(report.comparisons, own_json)},
                         {"portability", list_of(report.portability, own_json)}},
                        "rows", report.rows.size(), row_of);
}

std::string runs_json(const Store& store) {
  const std::vector<BaselineRow> baselines = store.baselines();
  const std::vector<MergedRun> merged = store.merged_runs();
  const std::vector<RunRow> runs = store.runs();
  return json_with_list({{"schema", "benchctl.runs"}, {"schema_version", document_version}}, "runs",
                        runs.size(), [&](std::size_t i) {
                          Json entry = json_of(runs[i]);
                          entry["points"] = counts_json(store.status_counts(runs[i].id));
                          entry["baselines"] = Json::array();
                          for (const BaselineRow& baseline : baselines) {
                            if (baseline.run == runs[i].id) entry["baselines"].push_back(baseline.name);
                          }
                          entry["merged_from"] = nullptr;
                          for (const MergedRun& origin : merged) {
                            if (origin.run == runs[i].id) entry["merged_from"] = json_of(origin);
                          }
                          return entry;
                        });
}

std::string stream_line(std::string_view type, const Json& members) {
  Json line = {{"format", document_version}, {"type", type}};
  line.update(members);
  return one_line(line) + '\n';
}

std::string stream_point(const Store& store, PointId point) { return point_line(store.result(point), {}); }

std::string stream_ranked(const Store& store, RunId run, const std::set<PointId>& told) {
  const Report report = make_report(store, run);
  std::string lines;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (told.contains(report.rows[i].row.id) && !report.places[i].rank.competes) continue;
    lines += point_line(report.rows[i], report.places[i]);
  }
  return lines;
}

Json counts_json(const StatusCounts& counts) {
  Json object = Json::object();
  for (const auto& [status, count] : counts) object[std::string(to_string(status))] = count;
  return object;
}

}  // namespace benchctl
