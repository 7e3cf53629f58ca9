// Tables over all runs of a report, which Markdown and the page both show.
#pragma once

#include "report/report.hpp"
#include "report/text_table.hpp"

#include <limits>
#include <string>
#include <vector>

namespace benchctl {

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
