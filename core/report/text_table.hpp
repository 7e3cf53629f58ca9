// A table of texts, laid out for a terminal or as Markdown. Columns without any text are left out.
#pragma once

#include <string>
#include <vector>

namespace benchctl {

struct TextColumn {
  std::string title;
  bool right = false;  ///< numbers are aligned at their end
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

  /// One cell per column. `marked` rows stand out where there are colours.
  void add(std::vector<std::string> cells, bool marked = false);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// Lines with two spaces between columns and none at their ends.
  [[nodiscard]] std::string text(bool colours) const;
  [[nodiscard]] std::string markdown() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool marked = false;
  };
  /// Indices of the columns that hold something.
  [[nodiscard]] std::vector<std::size_t> shown() const;

  std::vector<TextColumn> columns_;
  std::vector<Row> rows_;
};

}  // namespace benchctl
