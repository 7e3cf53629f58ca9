// A comparison in the forms that people and programs read.
#pragma once

#include "report/compare.hpp"

#include <string>

namespace benchctl {

struct CompareTextOptions {
  bool markdown = false;
  bool colours = false;  ///< escape sequences of a terminal; never in Markdown
  /// List every pair. Otherwise those of long comparisons are left out that are the same, or have no times.
  bool all = false;
};

/// What was compared, whether it may be, the pairs, a summary for each workload, and the verdict.
[[nodiscard]] std::string compare_text(const CompareResult& result, const CompareTextOptions& options);

/// {schema: "benchctl.compare", schema_version, …}; core/report/schema/compare.schema.json describes it.
/// Ends with a newline.
[[nodiscard]] std::string compare_json(const CompareResult& result);

/// One row for each pair. RFC 4180.
[[nodiscard]] std::string compare_csv(const CompareResult& result);

}  // namespace benchctl
