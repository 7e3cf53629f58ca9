// The JSON forms of results and runs.
#include "model/json.hpp"
#include "model/json_depth.hpp"
#include "report/export.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;

constexpr int export_schema_version = 1;

struct JsonField {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const auto& value) const { return value; }
};

Json json_of(const Cell& cell) { return std::visit(JsonField{}, cell); }

Json json_of(const RunRow& run) {
  return {{"id", to_number(run.id)},
          {"name", run.name},
          {"title", run.title},
          {"state", std::string(to_string(state_now(run)))},
          {"created_at", run.created_at},
          {"finished_at", run.finished_at.empty() ? Json(nullptr) : Json(run.finished_at)},
          {"command", run.command},
          {"benchctl", run.version},
          {"seed", run.seed},
          {"config_hash", run.config_hash}};
}

Json json_of(const StatusCounts& counts) {
  Json object = Json::object();
  for (const auto& [status, count] : counts) object[std::string(to_string(status))] = count;
  return object;
}

Json json_of(const MergedRun& merged) {
  const auto& conflict = merged.conflicts_with;
  return {{"store", merged.store},
          {"run", to_number(merged.original)},
          {"merged_at", merged.merged_at},
          {"conflicts_with", conflict ? Json(to_number(*conflict)) : Json(nullptr)}};
}

Json environment_json(const Store& store, const RunRow& run) {
  try {
    refuse_deep_json(run.environment);
    return Json::parse(run.environment);
  } catch (const std::exception& error) {
    throw StoreError(fmt::format("the store '{}' holds no environment record for run {}: {}",
                                 store.path().string(), to_number(run.id), error.what()));
  }
}

Json events_of(const Store& store, RunId run) {
  Json events = Json::array();
  for (const EventRow& event : store.events(run)) {
    events.push_back({{"time", event.time}, {"text", event.text}});
  }
  return events;
}

Json devices_of(const Store& store, RunId run) {
  Json devices = Json::array();
  for (const Lane& lane : store.lanes(run)) {
    Json device = {{"device", lane.name()}, {"backend", lane.backend}};
    const nlohmann::json fields = to_json(lane.device);
    for (const auto& [key, value] : fields.items()) device[key] = Json(value);
    devices.push_back(std::move(device));
  }
  return devices;
}

std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

Json export_rows(const Store& store, const std::vector<ResultRow>& points,
                 const std::vector<RowPlace>& places, const ExportOptions& options) {
  const ExportTable table = export_table(points, places);
  Json rows = Json::array();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    Json row = Json::object();
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      row[table.columns[column]] = json_of(table.rows[i][column]);
    }
    const PointRow& point = points[i].stored.row;
    row["content_key"] = point.content_key;
    row["problem"] = to_json(point.point.problem);
    row["tunables"] = to_json(point.point.tunables);
    if (options.samples) row["samples_ns"] = used_ns(store.samples(point.id));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string export_json(const Store& store, RunId id, const ExportOptions& options) {
  const std::optional<RunRow> run = store.run(id);
  if (!run) {
    throw StoreError(fmt::format("the store '{}' has no run {}", store.path().string(), to_number(id)));
  }
  const ReportSource source{&store, id};
  const Report report = make_report({&source, 1});
  Json head = json_of(*run);
  head["config"] = run->config_text;
  head["events"] = events_of(store, id);
  return dump({{"schema", "benchctl.export"},
               {"schema_version", export_schema_version},
               {"run", std::move(head)},
               {"environment", environment_json(store, *run)},
               {"devices", devices_of(store, id)},
               {"rows", export_rows(store, report.rows, report.places, options)}});
}

std::string runs_json(const Store& store) {
  Json runs = Json::array();
  const std::vector<BaselineRow> baselines = store.baselines();
  const std::vector<MergedRun> merged = store.merged_runs();
  for (const RunRow& run : store.runs()) {
    Json entry = json_of(run);
    entry["points"] = json_of(store.status_counts(run.id));
    entry["baselines"] = Json::array();
    for (const BaselineRow& baseline : baselines) {
      if (baseline.run == run.id) entry["baselines"].push_back(baseline.name);
    }
    entry["merged_from"] = nullptr;
    for (const MergedRun& origin : merged) {
      if (origin.run == run.id) entry["merged_from"] = json_of(origin);
    }
    runs.push_back(std::move(entry));
  }
  return dump({{"schema", "benchctl.runs"}, {"schema_version", export_schema_version}, {"runs", runs}});
}

}  // namespace benchctl
