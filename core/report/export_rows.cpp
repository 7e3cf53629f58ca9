// Which columns rows have, and the CSV of a report.
#include "report/export.hpp"

#include "model/json.hpp"
#include "model/metrics.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace benchctl {

namespace {

using Json = nlohmann::ordered_json;
using Row = const Result&;
using Place = const RowPlace&;

/// A column of rows, in CSV and JSON alike.
struct RowColumn {
  std::string_view name;
  Json (*value)(Row, Place) = nullptr;  ///< null: the figure of that name (Result::metric)

  [[nodiscard]] Json of(Row row, Place place) const {
    return value != nullptr ? value(row, place) : Json(row.metric(name));
  }
};

/// A member of what may be missing: a figure, or a word.
template <auto Member, class Record>
Json member_of(const Record* record) {
  if (record == nullptr) return nullptr;
  const auto& value = record->*Member;
  if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
    return to_string(value);
  } else {
    return value;
  }
}

/// A figure or word of the measurement, or nothing.
template <auto Member>
Json measured(Row row, Place) {
  return member_of<Member>(row.measurement ? &*row.measurement : nullptr);
}

/// What the comparison with the baseline says, or nothing.
template <auto Member>
Json compared(Row row, Place) {
  return member_of<Member>(row.compared(Against::baseline));
}

template <auto End>
Json range_end(Row row, Place) {
  return row.measurement ? Json(range_of(*row.measurement).*End) : Json(nullptr);
}

constexpr auto columns = std::to_array<RowColumn>({
    {"status", [](Row row, Place) { return Json(to_string(row.point().status)); }},
    {"reason", [](Row row, Place) { return Json(row.point().reason); }},
    {"workload", [](Row row, Place) { return Json(row.point().workload); }},
    {"variant", [](Row row, Place) { return Json(row.point().variant); }},
    {"backend", [](Row row, Place) { return Json(row.point().backend); }},
    {"device", [](Row row, Place) { return Json(row.point().device); }},
    {"median_ns"},
    {"ci_low_ns"},
    {"ci_high_ns"},
    {"n_samples", measured<&Measurement::n_samples>},
    {"range_low_ns", range_end<&TimeRange::low_ns>},
    {"range_high_ns", range_end<&TimeRange::high_ns>},
    {"rank",
     [](Row, Place place) { return place.rank.place > 0 ? Json(place.rank.place) : Json(nullptr); }},
    {"fastest", [](Row, Place place) { return Json(place.rank.best); }},
    {"fastest_own", [](Row, Place place) { return Json(place.rank.own.best); }},
    {"versus_best", [](Row, Place place) { return Json(place.rank.versus_best); }},
    {"datasheet_fraction", [](Row, Place place) { return Json(place.datasheet_share); }},
    {"run", [](Row row, Place) { return Json(to_number(row.row.run)); }},
    {"point", [](Row row, Place) { return Json(row.row.ordinal); }},
    {"label", [](Row row, Place) { return Json(row.point().label()); }},
    {"layout", [](Row row, Place) { return Json(row.point().layout); }},
    {"expect", [](Row row, Place) { return Json(to_string(row.point().expect)); }},
    {"basis", [](Row row, Place) { return Json(to_string(row.point().measure.basis)); }},
    {"cache", [](Row row, Place) { return Json(to_string(row.point().measure.cache)); }},
    {"launch", [](Row row, Place) { return Json(to_string(row.point().measure.launch)); }},
    {"vendor", [](Row row, Place) { return Json(row.row.vendor); }},
    {"reused", [](Row row, Place) { return Json(row.row.reused_from.has_value()); }},
    {"min_ns"},
    {"max_ns"},
    {"mean_ns"},
    {"mad_ns"},
    {"p5_ns"},
    {"p25_ns"},
    {"p75_ns"},
    {"p95_ns"},
    {"warmup_ns"},
    {"processes", measured<&Measurement::processes>},
    {"batch", measured<&Measurement::batch>},
    {"gated", measured<&Measurement::gated>},
    {"stop", measured<&Measurement::stop>},
    {"measurement_note", measured<&Measurement::note>},
    {"gflops"},
    {"gbytes_per_s"},
    {"ns_per_access"},
    {"requested_gbytes_per_s"},
    {"baseline", compared<&Comparison::label>},
    {"verdict", compared<&Comparison::verdict>},
    {"time_ratio", compared<&Comparison::time_ratio>},
    {"ratio_ci_low", compared<&Comparison::ci_low>},
    {"ratio_ci_high", compared<&Comparison::ci_high>},
    {"ratio_rounds", compared<&Comparison::rounds>},
    {"error_norm"},
    {"verified", [](Row row, Place) { return row.verified() ? Json(*row.verified()) : Json(nullptr); }},
});

/// What CSV has beside these, and JSON once in a document.
struct RunColumn {
  std::string_view name;
  std::string (*value)(const ReportRun&, const Platform&);
};

using Run = const ReportRun&;
using Of = const Platform&;
std::string host_of(Run run) {
  const auto host = std::ranges::find(run.environment, "system.host", &EnvironmentEntry::key);
  return host != run.environment.end() ? host->value : std::string();
}

constexpr auto run_columns = std::to_array<RunColumn>({
    {"store", [](Run run, Of) { return run.store; }},
    {"run_name", [](Run run, Of) { return run.row.name; }},
    {"created_at", [](Run run, Of) { return run.row.created_at; }},
    {"host", [](Run run, Of) { return host_of(run); }},
    {"platform", [](Run, Of platform) { return platform.label; }},
    {"device_name", [](Run, Of platform) { return platform.device.device.name; }},
});

/// Names that neither a resource metric nor a parameter may have.
const std::set<std::string>& taken_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> taken;
    for (const RowColumn& column : columns) taken.emplace(column.name);
    for (const RunColumn& column : run_columns) taken.emplace(column.name);
    taken.insert({"content_key", "notes", "problem", "tunables", "samples_ns"});
    return taken;
  }();
  return names;
}

std::string resource_name(const std::string& metric) {
  return taken_names().contains(metric) ? "resources." + metric : metric;
}

/// Calls `with(column, value)` for what only some rows have: resource metrics, parameters and notes.
template <class With>
void for_own_cells(const Result& row, const std::set<std::string>& metrics, const With& with) {
  for (const auto& [metric, value] : row.resources) with(resource_name(metric), Json(value));
  const auto add = [&](const Parameters& parameters, std::string_view kind) {
    for (const auto& [name, value] : parameters) {
      const bool taken = taken_names().contains(name) || metrics.contains(name);
      with(taken ? fmt::format("{}.{}", kind, name) : name, Json(to_json(value)));
    }
  };
  add(row.point().problem, "problem");
  add(row.point().tunables, "tunables");
  for (const auto& [key, note] : row.notes) with("notes." + key, Json(note));
}

std::string quoted_csv(const std::string& given) {
  const std::string cell = visible_lines(given);
  // Spreadsheets would carry out a text that begins so; behind an apostrophe it is a text to them.
  const bool formula = !cell.empty() && std::string_view("=+-@\t").find(cell[0]) != std::string_view::npos;
  const std::string text = formula ? '\'' + cell : cell;
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_field(const Json& cell) {
  if (cell.is_string()) return quoted_csv(cell.get_ref<const std::string&>());
  if (!cell.is_number_float()) return cell.is_null() ? "" : cell.dump();
  const auto number = cell.get<double>();
  return std::isfinite(number) ? fmt::format("{}", number) : "";
}

}  // namespace

std::string csv_line(const std::vector<Json>& cells) {
  std::string line;
  for (const Json& cell : cells) line.append(csv_field(cell)).append(",");
  if (!line.empty()) line.pop_back();
  return line + "\r\n";
}

Json row_json(const Result& row, const RowPlace& place) {
  // Names differ: none has to be looked for, as the members of an object would be.
  Json::object_t members;
  members.reserve(columns.size() + row.resources.size() + 5);
  for (const RowColumn& column : columns)
    members.emplace_back(std::string(column.name), column.of(row, place));
  for (const auto& [metric, value] : row.resources) members.emplace_back(resource_name(metric), value);
  members.emplace_back("notes", row.notes);
  members.emplace_back("content_key", row.row.content_key);
  members.emplace_back("problem", to_json(row.point().problem));
  members.emplace_back("tunables", to_json(row.point().tunables));
  return members;
}

Json units_json() {
  Json units = Json::object();
  for (const MetricInfo& metric : metric_table) {
    if (!metric.unit.empty()) units[std::string(metric.id)] = metric.unit;
  }
  return units;
}

std::string report_csv(const Report& report) {
  // Known metrics are reserved, so that a parameter's column does not depend on what a run measured.
  std::set<std::string> metrics;
  for (const MetricInfo& metric : metric_table) metrics.emplace(metric.id);
  for (const Result& row : report.rows) {
    for (const auto& [metric, value] : row.resources) metrics.insert(metric);
  }
  std::map<std::string, std::size_t> places;  ///< columns that only some rows have: which cell
  for (const Result& row : report.rows)
    for_own_cells(row, metrics, [&](const std::string& name, const Json&) { places[name]; });
  std::vector<Json> cells;
  for (const RowColumn& column : columns) cells.emplace_back(column.name);
  for (const RunColumn& column : run_columns) cells.emplace_back(column.name);
  for (auto& [name, place] : places) {
    place = cells.size();
    cells.emplace_back(name);
  }
  std::string text = csv_line(cells);
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Result& row = report.rows[i];
    const RowPlace& place = report.places[i];
    cells.clear();
    for (const RowColumn& column : columns) cells.push_back(column.of(row, place));
    for (const RunColumn& column : run_columns)
      cells.emplace_back(column.value(report.runs[place.run], report.platforms[place.platform]));
    cells.resize(cells.size() + places.size());
    for_own_cells(row, metrics,
                  [&](const std::string& name, Json value) { cells[places.at(name)] = std::move(value); });
    text += csv_line(cells);
  }
  return text;
}

}  // namespace benchctl
