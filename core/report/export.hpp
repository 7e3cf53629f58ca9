// Results for other programs: one row for each point, with the same names in CSV and JSON.
#pragma once

#include "report/report.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace benchctl {

/// Nothing (not measured, not a number), or a value.
using Cell = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;

/// The number, or nothing: neither a NaN nor an infinity has a form in JSON.
[[nodiscard]] inline Cell cell_of(double number) { return std::isfinite(number) ? Cell{number} : Cell{}; }

struct ExportTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Which columns rows have, for those who write row by row.
struct ExportColumns {
  /// Column of each parameter, or of each resource metric, that occurs.
  using Names = std::map<std::string, std::string, std::less<>>;

  std::vector<std::string> names;  ///< of all columns, in their order
  Names resources;
  Names parameters;
};
[[nodiscard]] ExportColumns export_columns(const std::vector<ResultRow>& rows);
/// The cells of a row, one for each column.
[[nodiscard]] std::vector<Cell> export_cells(const ExportColumns& of, const ResultRow& row,
                                             const Rank& rank);

/// Fixed columns, then one for each resource metric that occurs, then one for each parameter under its
/// own name; `param_` is put before a parameter's name that a column or a metric has already.
[[nodiscard]] ExportTable export_table(const std::vector<ResultRow>& rows,
                                       const std::vector<RowPlace>& places);

/// Names of the fixed columns in their order.
[[nodiscard]] std::vector<std::string> fixed_columns();

/// A cell as a field of CSV, in quotes where it must be.
[[nodiscard]] std::string csv_field(const Cell& cell);

/// RFC 4180 with a header line; an empty field for nothing.
[[nodiscard]] std::string to_csv(const ExportTable& table);

/// The rows of a run as CSV. Throws StoreError.
[[nodiscard]] std::string export_csv(const Store& store, RunId run);

struct ExportOptions {
  bool samples = false;  ///< add `samples_ns` to each row: the times of all samples in use
};

/// The rows of the JSON form, as an array. Throws StoreError.
[[nodiscard]] nlohmann::ordered_json export_rows(const Store& store, const std::vector<ResultRow>& points,
                                                 const std::vector<RowPlace>& places,
                                                 const ExportOptions& options);

/// One JSON document: {schema: "benchctl.export", schema_version, run, environment, devices, rows};
/// null for nothing. Ends with a newline. Throws StoreError.
[[nodiscard]] std::string export_json(const Store& store, RunId run, const ExportOptions& options);

/// All runs, newest first: {schema: "benchctl.runs", schema_version, runs}. Ends with a newline.
[[nodiscard]] std::string runs_json(const Store& store);

}  // namespace benchctl
