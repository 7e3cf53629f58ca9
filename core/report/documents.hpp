// A report in the forms that people and other programs read beside the page.
#pragma once

#include "report/report.hpp"

#include <string>

namespace benchctl {

struct DocumentOptions {
  std::string title{};   ///< empty: that of the runs
  bool samples = false;  ///< add raw samples where the form has a place for them
};

/// {schema: "benchctl.report", schema_version, …}: everything of the report, rows with the columns of
/// `export`. core/report/schema/report.schema.json describes it. Ends with a newline.
[[nodiscard]] std::string report_json(const Report& report, const DocumentOptions& options);

/// One row for each point: run, platform, share of the datasheet, then the columns of `export`. RFC 4180.
[[nodiscard]] std::string report_csv(const Report& report);

/// The answer first, then devices side by side, then the tables of each run.
[[nodiscard]] std::string report_markdown(const Report& report, const DocumentOptions& options);

/// The JSON of Google Benchmark (context, benchmarks), which its compare.py, conbench and bencher read.
/// Times are medians, in nanoseconds; with samples, each is a repetition and median and mean are
/// aggregates. Points without a time carry error_occurred and error_message.
[[nodiscard]] std::string google_benchmark_json(const Report& report, const DocumentOptions& options);

/// The results format T4 of autotuners (Kernel Tuner, KTT), version 1.0.0: one result for each point.
[[nodiscard]] std::string t4_json(const Report& report, const DocumentOptions& options);

/// Times of all variants of each problem with their ranges, the fastest first: one SVG picture.
[[nodiscard]] std::string report_svg(const Report& report, const DocumentOptions& options);

}  // namespace benchctl
