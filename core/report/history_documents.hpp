// A history in the forms that people and programs read.
#pragma once

#include "report/history.hpp"

#include <string>
#include <vector>

namespace benchctl {

struct HistoryTextOptions {
  bool markdown = false;
  bool colours = false;   ///< escape sequences of a terminal; never in Markdown
  bool bars = false;      ///< draw the trend with block characters, where the terminal has them
  std::size_t width = 0;  ///< columns of the terminal; 0: lines of any length
};

/// A line for each series, then what else changed at which run.
[[nodiscard]] std::string history_text(const History& history, const HistoryTextOptions& options);

/// {schema: "benchctl.history", schema_version, …}; core/report/schema/benchctl.schema.json describes it.
/// Ends with a newline.
[[nodiscard]] std::string history_json(const History& history);

/// One row for each series and run. RFC 4180.
[[nodiscard]] std::string history_csv(const History& history);

/// Series with one time in each run.
[[nodiscard]] std::vector<const HistorySeries*> whole_series(const History& history);

/// CSV as Apache Otava imports it: a row for each run, a column of medians in nanoseconds for each of
/// `whole_series`, since it knows no gaps. RFC 4180.
[[nodiscard]] std::string history_otava(const History& history);

/// For PageOptions::history, of a page whose report has exactly the history's runs, the oldest first.
[[nodiscard]] std::string history_page_data(const History& history);

}  // namespace benchctl
