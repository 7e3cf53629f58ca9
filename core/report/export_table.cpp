// Which columns an export has, and the CSV form of them.
#include "report/export.hpp"

#include "model/metrics.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

namespace benchctl {

namespace {

struct FixedColumn {
  std::string_view name;
  Cell (*value)(const ResultRow&, const Rank&);
};

Cell word_cell(std::string_view text) { return std::string(text); }
/// A figure of the measurement, or nothing.
template <auto Member>
Cell measured(const ResultRow& row, const Rank& /*rank*/) {
  if (!row.stored.measurement) return {};
  const auto& value = (*row.stored.measurement).*Member;
  using Type = std::decay_t<decltype(value)>;
  if constexpr (std::is_same_v<Type, double>) {
    return cell_of(value);
  } else if constexpr (std::is_same_v<Type, std::uint32_t>) {
    return std::uint64_t{value};
  } else if constexpr (std::is_same_v<Type, StopReason>) {
    return word_cell(to_string(value));
  } else {
    return value;
  }
}

/// A figure of the comparison with the baseline, or nothing.
template <auto Member>
Cell compared(const ResultRow& row, const Rank& /*rank*/) {
  const Comparison* comparison = row.stored.compared(Against::baseline);
  if (comparison == nullptr) return {};
  const auto& value = comparison->*Member;
  if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
    return cell_of(value);
  } else {
    return value;
  }
}

std::string notes_text(const ResultRow& row) {
  std::string text;
  for (const auto& [key, note] : row.stored.notes) text += (text.empty() ? "" : "; ") + (key + "=" + note);
  return text;
}

using Row = const ResultRow&;

Cell range_end(Row row, double TimeRange::*end) {
  return row.stored.measurement ? cell_of(range_of(*row.stored.measurement).*end) : Cell{};
}

constexpr auto columns = std::to_array<FixedColumn>({
    {"status", [](Row row, const Rank& /*rank*/) { return word_cell(to_string(row.point().status)); }},
    {"reason", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().reason); }},
    {"workload", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().workload); }},
    {"variant", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().variant); }},
    {"backend", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().backend); }},
    {"device", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().device); }},
    {"median_ns", measured<&Measurement::median_ns>},
    {"ci_low_ns", measured<&Measurement::ci_low_ns>},
    {"ci_high_ns", measured<&Measurement::ci_high_ns>},
    {"n_samples", measured<&Measurement::n_samples>},
    {"range_low_ns", [](Row row, const Rank& /*rank*/) { return range_end(row, &TimeRange::low_ns); }},
    {"range_high_ns", [](Row row, const Rank& /*rank*/) { return range_end(row, &TimeRange::high_ns); }},
    {"rank", [](Row /*row*/,
                const Rank& rank) { return rank.place > 0 ? Cell{std::uint64_t{rank.place}} : Cell{}; }},
    {"fastest", [](Row /*row*/, const Rank& rank) { return Cell{rank.best}; }},
    {"fastest_own", [](Row /*row*/, const Rank& rank) { return Cell{rank.own_best}; }},
    {"versus_best", [](Row /*row*/, const Rank& rank) { return cell_of(rank.versus_best); }},
    {"run", [](Row row, const Rank& /*rank*/) { return Cell{to_number(row.stored.row.run)}; }},
    {"point", [](Row row, const Rank& /*rank*/) { return Cell{row.stored.row.ordinal}; }},
    {"label", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().label()); }},
    {"layout", [](Row row, const Rank& /*rank*/) { return word_cell(row.point().layout); }},
    {"expect", [](Row row, const Rank& /*rank*/) { return word_cell(to_string(row.point().expect)); }},
    {"basis",
     [](Row row, const Rank& /*rank*/) { return word_cell(to_string(row.point().measure.basis)); }},
    {"cache",
     [](Row row, const Rank& /*rank*/) { return word_cell(to_string(row.point().measure.cache)); }},
    {"launch",
     [](Row row, const Rank& /*rank*/) { return word_cell(to_string(row.point().measure.launch)); }},
    {"vendor", [](Row row, const Rank& /*rank*/) { return Cell{row.stored.row.vendor}; }},
    {"reused", [](Row row, const Rank& /*rank*/) { return Cell{row.stored.row.reused_from.has_value()}; }},
    {"min_ns", measured<&Measurement::min_ns>},
    {"max_ns", measured<&Measurement::max_ns>},
    {"mean_ns", measured<&Measurement::mean_ns>},
    {"mad_ns", measured<&Measurement::mad_ns>},
    {"p5_ns", measured<&Measurement::p5_ns>},
    {"p25_ns", measured<&Measurement::p25_ns>},
    {"p75_ns", measured<&Measurement::p75_ns>},
    {"p95_ns", measured<&Measurement::p95_ns>},
    {"warmup_ns", measured<&Measurement::warmup_ns>},
    {"processes", measured<&Measurement::processes>},
    {"batch", measured<&Measurement::batch>},
    {"gated", measured<&Measurement::gated>},
    {"stop", measured<&Measurement::stop>},
    {"measurement_note", measured<&Measurement::note>},
    {"gflops", [](Row row, const Rank& /*rank*/) { return cell_of(row.gflops); }},
    {"gbytes_per_s", [](Row row, const Rank& /*rank*/) { return cell_of(row.gbytes_per_s); }},
    {"ns_per_access", [](Row row, const Rank& /*rank*/) { return cell_of(row.ns_per_access); }},
    {"requested_gbytes_per_s",
     [](Row row, const Rank& /*rank*/) { return cell_of(row.requested_gbytes_per_s); }},
    {"baseline", compared<&Comparison::label>},
    {"verdict", compared<&Comparison::verdict>},
    {"time_ratio", compared<&Comparison::time_ratio>},
    {"ratio_ci_low", compared<&Comparison::ci_low>},
    {"ratio_ci_high", compared<&Comparison::ci_high>},
    {"ratio_rounds", compared<&Comparison::rounds>},
    {"error_norm", [](Row row, const Rank& /*rank*/) { return cell_of(row.error_norm); }},
    {"verified", [](Row row, const Rank& /*rank*/) { return row.verified ? Cell{*row.verified} : Cell{}; }},
    {"notes", [](Row row, const Rank& /*rank*/) { return word_cell(notes_text(row)); }},
});

Cell cell_of(const Value& value) {
  return std::visit([](const auto& alternative) { return Cell{alternative}; }, value);
}

/// Puts `prefix` before a name until nobody else has it.
std::string own_name(std::string name, std::string_view prefix, const std::set<std::string>& taken) {
  while (taken.contains(name)) name.insert(0, prefix);
  return name;
}

using NamesByColumn = ExportColumns::Names;

NamesByColumn resource_names(const std::vector<ResultRow>& rows) {
  const std::vector<std::string> fixed = fixed_columns();
  const std::set<std::string> taken(fixed.begin(), fixed.end());
  NamesByColumn names;
  for (const ResultRow& row : rows) {
    for (const auto& [metric, value] : row.stored.resources) {
      names[metric] = own_name(metric, "resource_", taken);
    }
  }
  return names;
}

NamesByColumn parameter_names(const std::vector<ResultRow>& rows, const NamesByColumn& resources) {
  const std::vector<std::string> fixed = fixed_columns();
  std::set<std::string> taken(fixed.begin(), fixed.end());
  for (const auto& [metric, name] : resources) taken.insert(name);
  // Known metrics are reserved, so that a parameter's column does not depend on what a run measured.
  for (const MetricInfo& metric : metric_table) taken.emplace(metric.id);
  NamesByColumn names;
  for (const ResultRow& row : rows) {
    for (const auto* parameters : {&row.point().problem, &row.point().tunables}) {
      for (const auto& [parameter, value] : *parameters) names.try_emplace(parameter);
    }
  }
  // What rows of JSON have beside the columns.
  taken.insert(
      {"content_key", "problem", "tunables", "samples_ns", "platform", "comparison", "datasheet_fraction"});
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

const Value* find_parameter(const Point& point, const std::string& name) {
  for (const auto* parameters : {&point.problem, &point.tunables}) {
    if (const auto found = parameters->find(name); found != parameters->end()) return &found->second;
  }
  return nullptr;
}

struct CsvField {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(const std::string& cell) const {
    // Spreadsheets would carry out a text that begins so; behind an apostrophe it is a text to them.
    const bool formula =
        !cell.empty() && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos;
    const std::string text = formula ? '\'' + cell : cell;
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
  }
  std::string operator()(auto number) const { return fmt::format("{}", number); }
};

}  // namespace

std::string csv_field(const Cell& cell) { return std::visit(CsvField{}, cell); }

std::vector<std::string> fixed_columns() {
  std::vector<std::string> names;
  for (const FixedColumn& column : columns) names.emplace_back(column.name);
  return names;
}

ExportColumns export_columns(const std::vector<ResultRow>& rows) {
  ExportColumns columns_of_rows;
  columns_of_rows.resources = resource_names(rows);
  columns_of_rows.parameters = parameter_names(rows, columns_of_rows.resources);
  columns_of_rows.names = fixed_columns();
  for (const auto& [metric, name] : columns_of_rows.resources) columns_of_rows.names.push_back(name);
  for (const auto& [parameter, name] : columns_of_rows.parameters) columns_of_rows.names.push_back(name);
  return columns_of_rows;
}

std::vector<Cell> export_cells(const ExportColumns& of, const ResultRow& row, const Rank& rank) {
  std::vector<Cell> cells;
  cells.reserve(of.names.size());
  for (const FixedColumn& column : columns) cells.push_back(column.value(row, rank));
  for (const auto& [metric, name] : of.resources) {
    const auto found = row.stored.resources.find(metric);
    cells.push_back(found != row.stored.resources.end() ? cell_of(found->second) : Cell{});
  }
  for (const auto& [parameter, name] : of.parameters) {
    const Value* value = find_parameter(row.point(), parameter);
    cells.push_back(value != nullptr ? cell_of(*value) : Cell{});
  }
  return cells;
}

ExportTable export_table(const std::vector<ResultRow>& rows, const std::vector<RowPlace>& places) {
  const ExportColumns of = export_columns(rows);
  ExportTable table;
  table.columns = of.names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.rows.push_back(export_cells(of, rows[i], places[i].rank));
  }
  return table;
}

std::string to_csv(const ExportTable& table) {
  std::string text;
  std::string_view separator;
  for (const std::string& column : table.columns) {
    text.append(separator).append(CsvField{}(column));
    separator = ",";
  }
  text += "\r\n";
  for (const auto& row : table.rows) {
    separator = {};
    for (const Cell& cell : row) {
      text.append(separator).append(csv_field(cell));
      separator = ",";
    }
    text += "\r\n";
  }
  return text;
}

std::string export_csv(const Store& store, RunId run) {
  const ReportSource source{&store, run};
  const Report report = make_report({&source, 1});
  return to_csv(export_table(report.rows, report.places));
}

}  // namespace benchctl
