// A table of texts, laid out for a terminal or as Markdown. Columns without any text are left out.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/words.hpp"
#include "report/format.hpp"
#include "report/glossary.hpp"

namespace benchctl {

/// How a text for people is written; each text takes what it has.
struct TableOptions {
  bool markdown = false;
  bool colours = false;       ///< escape sequences of a terminal; never in Markdown
  bool all = false;           ///< more than `rows_listed`, too; of a comparison also pairs without change
  bool published = false;     ///< published figures beside ours
  bool several_runs = false;  ///< the document has other runs, which this one's marks do not speak of
  /// Columns of the terminal; 0: lines of any length. Never in Markdown.
  std::size_t width = 0;
};

/// A title that the glossary knows, or the empty one. A title without an entry does not compile: add it to
/// core/report/glossary.hpp.
class ColumnTitle {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is all that a table's author writes.
  consteval ColumnTitle(const char* title) : text_(title) {
    if (!text_.empty() && !in_glossary(text_)) throw "this column is not in the glossary";
  }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// A text in a cell of Markdown: none of its characters is a mark, and none begins an HTML element. Control
/// characters are made visible, so that it stays one line.
[[nodiscard]] std::string escaped_markdown(const std::string& text);
/// The first line of a text, for a terminal or for Markdown, where it may begin a line: it begins no
/// heading, list or quotation.
[[nodiscard]] std::string first_line_in(const std::string& text, bool markdown);

/// The lines of a text as entries of a list in Markdown.
[[nodiscard]] std::string markdown_list(std::string_view lines);
/// A paragraph or table below a heading: `### Roofs` in Markdown, `roofs used` in a terminal.
[[nodiscard]] std::string below_heading(std::string_view markdown, std::string_view plain,
                                        const std::string& text, const TableOptions& options);

struct TextColumn {
  /// `right`: numbers are aligned at their end.
  // NOLINTNEXTLINE(google-explicit-constructor)
  TextColumn(ColumnTitle documented, bool right_aligned = false)
      : title(documented.text()), right(right_aligned) {}
  /// The same, left out where there is too little room: those of the highest number first.
  [[nodiscard]] TextColumn optional(int number) && {
    dispensable = number;
    return std::move(*this);
  }
  /// A column whose texts are headings in a terminal: a line of its own wherever the text changes.
  [[nodiscard]] TextColumn heading() && {
    is_heading = true;
    return std::move(*this);
  }
  /// A column that is named after what it holds: a backend, an axis of a config.
  [[nodiscard]] static TextColumn named(std::string title, bool right_aligned = false) {
    TextColumn column("", right_aligned);
    column.title = std::move(title);
    return column;
  }

  std::string title;
  bool right;
  int dispensable = 0;  ///< 0: never left out
  bool is_heading = false;
};

/// What stands in a table at one place: a text, or a figure as its hint says.
struct Cell {
  // NOLINTNEXTLINE(google-explicit-constructor): most cells are nothing but their text.
  Cell(std::string words = {}, std::optional<std::size_t> point = {})
      : text(std::move(words)), row(point) {}
  Cell(double figure, Hint hint) : text(format_figure(figure, hint)) {}

  std::string text;
  std::optional<std::size_t>
      row;  ///< the row of the report that the text names: the page opens its details
};

/// A column and what it holds of each thing that a table has a row for. Terminals, Markdown and the page
/// are written from it.
template <class Shown>
struct Column {
  TextColumn head;
  std::function<Cell(const Shown&)> cell;
};

template <class Shown>
[[nodiscard]] std::vector<TextColumn> heads_of(const std::vector<Column<Shown>>& columns) {
  std::vector<TextColumn> heads;
  for (const Column<Shown>& column : columns) heads.push_back(column.head);
  return heads;
}

template <class Shown>
[[nodiscard]] std::vector<Cell> cells_of(const std::vector<Column<Shown>>& columns, const Shown& shown) {
  std::vector<Cell> cells;
  for (const Column<Shown>& column : columns) cells.push_back(column.cell(shown));
  return cells;
}

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);
  /// A row for each of `all`; those that `marked` accepts are marked.
  template <class Shown, class Range>
  TextTable(const std::vector<Column<Shown>>& columns, const Range& all,
            const std::type_identity_t<std::function<bool(const Shown&)>>& marked = {})
      : TextTable(heads_of(columns)) {
    for (const Shown& shown : all) add_cells(cells_of(columns, shown), marked && marked(shown));
  }

  /// One cell per column; control characters in it are made visible. `marked` rows stand out where there
  /// are colours.
  void add(std::vector<std::string> cells, bool marked = false);
  void add_cells(const std::vector<Cell>& cells, bool marked = false);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// Lines with two spaces between columns and none at their ends, no head if no column has a title. Where
  /// `width` columns (0: as many as it takes) are too few, optional columns are left out, which `left_out`
  /// or, without it, a last line names. If that is not enough, cells of texts and titles go on in lines
  /// below; no word is broken.
  [[nodiscard]] std::string text(bool colours, std::size_t width = 0, Names* left_out = nullptr) const;
  [[nodiscard]] std::string markdown() const;
  /// As the options say, with an empty line below; empty without rows.
  [[nodiscard]] std::string written(const TableOptions& options) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool marked = false;
  };
  /// Indices of the columns that hold something, with headings or without.
  [[nodiscard]] std::vector<std::size_t> shown(bool headings) const;
  /// Columns that a column takes if nothing goes on in a line below, and those that it takes at least.
  [[nodiscard]] std::size_t natural_width(std::size_t column) const;
  [[nodiscard]] std::size_t least_width(std::size_t column) const;

  std::vector<TextColumn> columns_;
  std::vector<Row> rows_;
};

/// `(not in 80 columns: sector use, conflicts)`, a line.
[[nodiscard]] std::string left_out_text(const Names& columns, std::size_t width);

}  // namespace benchctl
