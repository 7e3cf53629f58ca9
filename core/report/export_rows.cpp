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

/// A figure or word of the measurement, or nothing.
template <auto Member>
Json measured(Row row, Place) {
  if (!row.measurement) return nullptr;
  const auto& value = (*row.measurement).*Member;
  if constexpr (std::is_same_v<std::decay_t<decltype(value)>, StopReason>) {
    return to_string(value);
  } else {
    return value;
  }
}

/// What the comparison with the baseline says, or nothing.
template <auto Member>
Json compared(Row row, Place) {
  const Comparison* comparison = row.compared(Against::baseline);
  return comparison != nullptr ? Json(comparison->*Member) : Json(nullptr);
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
    {"notes", [](Row row, Place) { return Json(row.all_notes("=")); }},
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

/// Puts `prefix` before a name until nobody else has it.
std::string own_name(std::string name, std::string_view prefix, const std::set<std::string>& taken) {
  while (taken.contains(name)) name.insert(0, prefix);
  return name;
}

/// ColumnNames that neither a resource metric nor a parameter may have.
const std::set<std::string>& taken_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> taken;
    for (const RowColumn& column : columns) taken.emplace(column.name);
    for (const RunColumn& column : run_columns) taken.emplace(column.name);
    taken.insert({"content_key", "problem", "tunables", "samples_ns"});
    return taken;
  }();
  return names;
}

/// Column of each resource metric, or of each parameter, that occurs.
using ColumnNames = std::map<std::string, std::string, std::less<>>;

ColumnNames resource_names(const std::vector<Result>& rows) {
  ColumnNames names;
  for (const Result& row : rows) {
    for (const auto& [metric, value] : row.resources)
      names[metric] = own_name(metric, "resource_", taken_names());
  }
  return names;
}

ColumnNames parameter_names(const std::vector<Result>& rows, const ColumnNames& resources) {
  std::set<std::string> taken = taken_names();
  for (const auto& [metric, name] : resources) taken.insert(name);
  // Known metrics are reserved, so that a parameter's column does not depend on what a run measured.
  for (const MetricInfo& metric : metric_table) taken.emplace(metric.id);
  ColumnNames names;
  for (const Result& row : rows) {
    for (const auto* parameters : {&row.point().problem, &row.point().tunables}) {
      for (const auto& [parameter, value] : *parameters) names.try_emplace(parameter);
    }
  }
  // First those that keep their name, so that no prefixed one takes it from them.
  const std::set<std::string> reserved = taken;
  for (const bool colliding : {false, true}) {
    for (auto& [parameter, name] : names) {
      if (reserved.contains(parameter) != colliding) continue;
      name = own_name(parameter, "param_", taken);
      taken.insert(name);
    }
  }
  return names;
}

Json parameter_cell(const Point& point, const std::string& name) {
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    if (const auto found = parameters->find(name); found != parameters->end())
      return std::visit([](const auto& alternative) { return Json(alternative); }, found->second);
  }
  return nullptr;
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
  members.reserve(columns.size() + row.resources.size() + 4);
  for (const RowColumn& column : columns)
    members.emplace_back(std::string(column.name), column.of(row, place));
  for (const auto& [metric, value] : row.resources)
    members.emplace_back(own_name(metric, "resource_", taken_names()), value);
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
  const ColumnNames resources = resource_names(report.rows);
  const ColumnNames parameters = parameter_names(report.rows, resources);
  std::vector<Json> cells;
  for (const RowColumn& column : columns) cells.emplace_back(column.name);
  for (const RunColumn& column : run_columns) cells.emplace_back(column.name);
  for (const ColumnNames* names : {&resources, &parameters}) {
    for (const auto& [of, name] : *names) cells.emplace_back(name);
  }
  std::string text = csv_line(cells);
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Result& row = report.rows[i];
    const RowPlace& place = report.places[i];
    cells.clear();
    for (const RowColumn& column : columns) cells.push_back(column.of(row, place));
    for (const RunColumn& column : run_columns)
      cells.emplace_back(column.value(report.runs[place.run], report.platforms[place.platform]));
    for (const auto& [metric, name] : resources) {
      const auto found = row.resources.find(metric);
      cells.push_back(found != row.resources.end() ? Json(found->second) : Json(nullptr));
    }
    for (const auto& [parameter, name] : parameters)
      cells.push_back(parameter_cell(row.point(), parameter));
    text += csv_line(cells);
  }
  return text;
}

}  // namespace benchctl
