// A report in the forms that people and programs read beside the page.
#pragma once

#include "report/report.hpp"

#include <string>

namespace benchctl {

struct DocumentOptions {
  std::string title{};   ///< empty: that of the runs
  bool samples = false;  ///< add raw samples; JSON only
};

/// {schema: "benchctl.report", schema_version, …}: everything of the report, rows with the columns of
/// `export`. core/report/schema/report.schema.json describes it. Ends with a newline.
[[nodiscard]] std::string report_json(const Report& report, const DocumentOptions& options);

/// One row for each point: run, platform, share of the datasheet, then the columns of `export`. RFC 4180.
[[nodiscard]] std::string report_csv(const Report& report);

/// The answer first, then devices side by side, then the tables of each run.
[[nodiscard]] std::string report_markdown(const Report& report, const DocumentOptions& options);

}  // namespace benchctl
