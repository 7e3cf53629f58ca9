// Tables over all runs of a report, which Markdown and the page both show.
#pragma once

#include "report/report.hpp"
#include "report/text_table.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace benchctl {

struct SectionCell {
  // NOLINTNEXTLINE(google-explicit-constructor): most cells are nothing but their text.
  SectionCell(std::string words = {}, std::optional<std::size_t> point = {})
      : text(std::move(words)), row(point) {}

  std::string text;
  std::optional<std::size_t> row;  ///< the row that the text names: the page opens its details
};

struct SectionRow {
  std::size_t about =
      0;  ///< a row of the report: the page shows this one as long as its filter shows that one
  std::vector<SectionCell> cells;
};

struct Section {
  std::string title;
  std::string note;  ///< a paragraph before the table; may be empty
  /// Heading columns tell the problem and how it was measured: the page shows them as lines of their own.
  std::vector<TextColumn> columns;
  std::vector<SectionRow> rows;
  std::string after;                                           ///< a sentence below the table; may be empty
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< rows that Markdown has of it
};

/// The fastest of each device, performance portability, paired rounds against a baseline, spread between
/// processes: those that have rows.
[[nodiscard]] std::vector<Section> sections_of(const Report& report);

/// A section under a heading of the second level.
[[nodiscard]] std::string section_markdown(const Section& section);

}  // namespace benchctl
