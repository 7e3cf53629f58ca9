// A report in all its forms. For programs: one row for each point, with the same names in CSV and JSON.
#pragma once

#include "report/compare.hpp"
#include "report/page.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// Version of all documents and lines that core/report/schema/benchctl.schema.json describes.
inline constexpr int document_version = 4;

/// A line of CSV, with its line end; fields in quotes where they must be, an empty one for null and for
/// what is not finite.
[[nodiscard]] std::string csv_line(const std::vector<nlohmann::ordered_json>& cells);

/// A point of a run: the columns that every row of CSV and of JSON has, null for nothing; the resource
/// metrics that it has (`resources.NAME` where a column has the name already); then `notes`, `content_key`,
/// `problem` and `tunables`. Without a `place` nothing is known of its rank.
[[nodiscard]] nlohmann::ordered_json row_json(const Result& row, const RowPlace& place = {});

/// Unit by metric, of metrics that have one.
[[nodiscard]] nlohmann::ordered_json units_json();

/// RFC 4180: the columns of every row, what tells a row's run and device, then a column for each resource
/// metric, parameter and note that occurs. A parameter is `problem.NAME` or `tunables.NAME` where a column
/// or a metric has its name already; a note is `notes.NAME`.
[[nodiscard]] std::string report_csv(const Report& report);

/// What writers are told; each takes what its format has.
struct WriteOptions {
  PageOptions page{};
  std::filesystem::path page_template{};
  bool samples = false;  ///< in JSON: add `samples_ns` to each row, the times of all samples in use
};

/// {schema: "benchctl.report", …}: everything of the report. Ends with a newline. Throws StoreError.
[[nodiscard]] std::string report_json(const Report& report, const WriteOptions& options);

/// The answer first, then devices side by side, then the tables of each run.
[[nodiscard]] std::string report_markdown(const Report& report);

/// A form in which reports and comparisons are written.
struct Writer {
  std::string_view format;
  /// What a CI reads of such a file, which an option of this name writes beside the output; empty: none.
  std::string_view for_ci{};
  /// Null where reports have no such form.
  std::string (*report)(const Report& report, const WriteOptions& options) = nullptr;
  /// Null where comparisons have none. Takes `colours`, `all` and `width` for `text` and `md` alone.
  std::string (*comparison)(const CompareResult& result, const TableOptions& options,
                            int exit_code) = nullptr;
};

/// All of them, in the order in which help texts list them.
[[nodiscard]] std::span<const Writer> writers();

/// `html`, `md`, `csv`, `json`. Throws PageError, StoreError.
[[nodiscard]] std::string write_report(std::string_view format, const Report& report,
                                       const WriteOptions& options);
/// The run's result_table. Throws StoreError.
[[nodiscard]] std::string run_text(const Store& store, RunId run, const TableOptions& options);
[[nodiscard]] std::string write_comparison(std::string_view format, const CompareResult& result,
                                           const TableOptions& options, int exit_code);

/// All runs, newest first: {schema: "benchctl.runs", schema_version, runs}. Ends with a newline.
[[nodiscard]] std::string runs_json(const Store& store);

// A run as lines of JSON for programs that read along: one for each step, one for each point as soon as it
// has a result, and a last one that sums up.

/// {format: document_version, type, …members}: a line.
[[nodiscard]] std::string stream_line(std::string_view type, const nlohmann::ordered_json& members);

/// {format: document_version, type: "point", row}; the row is that of an export, without a rank. Throws
/// StoreError.
[[nodiscard]] std::string stream_point(const Store& store, PointId point);

/// The same of all points of a run that are not `told` or have a rank, with their ranks: a line each.
[[nodiscard]] std::string stream_ranked(const Store& store, RunId run, const std::set<PointId>& told);

/// How many points have each status, by its word.
[[nodiscard]] nlohmann::ordered_json counts_json(const StatusCounts& counts);

}  // namespace benchctl
