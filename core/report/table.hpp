// Results and runs as tables for people.
#pragma once

#include "report/report.hpp"
#include "report/text_table.hpp"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// The help of `--published`.
inline constexpr const char published_help[] =
    "Also show the published figures that the config names, beside ours";

/// So many points with times a person may still read.
inline constexpr std::size_t rows_listed = 1000;

/// A sentence about rows that a table leaves out: "3 pairs are not listed; --all lists them."
[[nodiscard]] std::string not_listed(std::size_t count, std::string_view what, std::string_view who);

/// Everything about a run: the answer (report/headline.hpp; not in Markdown, whose document begins with
/// it), the devices side by side, what failed, a table for each problem and way of measuring (times of
/// different bases never share one), the points without times by reason, and where it is stored.
[[nodiscard]] std::string result_table(const Report& report, std::size_t run, const TableOptions& options);

/// The tables alone, one for each problem and way of measuring, in the order of the rows; problems of which
/// each device has hardly more than one point stand in one table together. Below them a line explains each
/// mark and remark that occurred. Rows of one run.
[[nodiscard]] std::string problem_tables(std::span<const Result> rows, const TableOptions& options);

/// Published figures beside ours, as ratios to one of them: a table for each, with the points of each
/// device that differ in nothing but the axis. Empty where none of ours match. `lanes`: those of their run.
[[nodiscard]] std::string published_tables(const std::vector<Published>& references,
                                           std::span<const Result> rows, const std::vector<Lane>& lanes,
                                           const TableOptions& options);

/// The table of a published figure and ours; `measured` names our row.
[[nodiscard]] std::vector<Column<PublishedPair>> published_columns(const Published& published);

/// A roof with its unit: `3012 GB/s`, `51.20 GFLOP/s`, of launches the time of one.
[[nodiscard]] std::string roof_rate(const RoofRow& roof);

/// Half its 95 % interval as a share of it, NaN where it has none.
[[nodiscard]] double roof_half_width(const RoofRow& roof);

[[nodiscard]] std::vector<Column<RoofRow>> roof_columns();

/// The roofs that predictions were made with; empty if there are none.
[[nodiscard]] std::string roof_table(const std::vector<RoofRow>& roofs, const TableOptions& options);

/// Points without times, those of one status and reason together; empty if there are none.
[[nodiscard]] std::string untimed_points(std::span<const Result> rows, const TableOptions& options);

/// All runs of the store, newest first.
[[nodiscard]] std::string runs_table(const Store& store, std::size_t width = 0);

/// `24 points: 20 ok, 4 skipped`.
[[nodiscard]] std::string count_text(const StatusCounts& counts);

// Tables over all runs of a report, which Markdown and the page both show.

struct SectionRow {
  std::size_t about =
      0;  ///< a row of the report: the page shows this one as long as its filter shows that one
  std::vector<Cell> cells;
};

struct Section {
  std::string title;
  std::string note;  ///< a paragraph before the table; may be empty
  /// Heading columns tell the problem and how it was measured: the page shows them as lines of their own.
  std::vector<TextColumn> columns = {};
  std::vector<SectionRow> rows = {};
  std::string after = {};                                      ///< a sentence below the table; may be empty
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< rows that Markdown has of it
};

/// The fastest of each device, performance portability, paired rounds against a baseline, spread between
/// processes: those that have rows.
[[nodiscard]] std::vector<Section> sections_of(const Report& report);

}  // namespace benchctl
