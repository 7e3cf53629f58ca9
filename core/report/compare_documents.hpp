// A comparison in the forms that people and programs read.
#pragma once

#include "report/compare.hpp"

#include <span>
#include <string>
#include <string_view>

namespace benchctl {

struct CompareTextOptions {
  bool markdown = false;
  bool colours = false;  ///< escape sequences of a terminal; never in Markdown
  /// List every pair. Otherwise those of long comparisons are left out that are the same, or have no times.
  bool all = false;
  std::size_t width = 0;  ///< columns of the terminal; 0: lines of any length
};

/// What was compared, whether it may be, the pairs, a summary for each workload, and the verdict.
[[nodiscard]] std::string compare_text(const CompareResult& result, const CompareTextOptions& options);

/// {schema: "benchctl.compare", …}: all pairs with the rows of both sides;
/// core/report/schema/benchctl.schema.json describes it. Ends with a newline. Throws StoreError.
[[nodiscard]] std::string compare_json(const CompareResult& result, int exit_code);
/// The same with the pairs that the verdict stands on alone, for a CI in which exit codes get lost.
[[nodiscard]] std::string compare_verdict(const CompareResult& result, int exit_code);

/// One row for each pair. RFC 4180.
[[nodiscard]] std::string compare_csv(const CompareResult& result);

/// Markdown whose first line is the verdict in words: the summary of a CI's step.
[[nodiscard]] std::string compare_summary(const CompareResult& result);

/// JUnit's XML: a test case for each pair. What fails is a failure; what cannot be told is skipped.
[[nodiscard]] std::string compare_junit(const CompareResult& result);

/// A form in which a comparison is written.
struct CompareFormat {
  std::string_view id;   ///< for `--format`
  std::string_view doc;  ///< what such a file holds
  bool for_ci = false;   ///< can be written beside the output: an option of this name takes the file
  /// `colours` and `all` of the options count for `text` and `md` alone.
  std::string (*write)(const CompareResult& result, const CompareTextOptions& options, int exit_code);
};

/// All of them, `text` first.
[[nodiscard]] std::span<const CompareFormat> compare_formats();

}  // namespace benchctl
