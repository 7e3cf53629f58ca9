#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace benchctl {

namespace {

constexpr std::size_t gap = 2;  ///< columns between the columns of a table

/// The width of a whole table.
std::size_t sum_of(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap * (widths.empty() ? 0 : widths.size() - 1));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// An underscore between others of a word marks nothing.
bool is_inside_word(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_word_character(text[at - 1]) &&
         is_word_character(text[at + 1]);
}

/// The character that would make a heading, a quotation, a rule or a list of a line, or npos: `# `, `> `,
/// `---`, `- `, `1. `. A number is none: `-0.5 %`, `12.5 ms`.
std::size_t block_mark_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos) return first;
  const auto next_is_digit = [&](std::size_t at) { return at + 1 < line.size() && is_digit(line[at + 1]); };
  if (std::string_view("#>-+=").find(line[first]) != std::string_view::npos) {
    return next_is_digit(first) ? std::string_view::npos : first;
  }
  const std::size_t after = line.find_first_not_of("0123456789", first);
  const bool list = after != std::string_view::npos && after > first && !next_is_digit(after) &&
                    (line[after] == '.' || line[after] == ')');
  return list ? after : std::string_view::npos;
}

/// A line with a backslash before marks and before the character at `block_mark`.
std::string escaped(const std::string& line, std::size_t block_mark) {
  constexpr std::string_view marks = "|*\\<`[&~";
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool underline = line[i] == '_' && !is_inside_word(line, i);
    if (underline || i == block_mark || marks.find(line[i]) != std::string_view::npos) result += '\\';
    result += line[i];
  }
  return result;
}

}  // namespace

std::string escaped_markdown(const std::string& text) { return escaped(visible(text), std::string::npos); }

std::string first_line_in(const std::string& text, bool markdown) {
  std::string line = first_line(text);
  if (!markdown) return line;
  // A line so far in would be a piece of code.
  if (line.starts_with("    ")) line.erase(0, line.find_first_not_of(' '));
  return escaped(line, block_mark_of(line));
}

std::string markdown_list(std::string_view lines) {
  std::string list;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    list += "- " + first_line_in(std::string(lines.substr(0, end)), true) + '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return list;
}

std::string below_heading(std::string_view markdown, std::string_view plain, const std::string& text,
                          const TableOptions& options) {
  if (text.empty()) return {};
  return options.markdown ? fmt::format("### {}\n\n{}", markdown, text)
                          : fmt::format("{}\n{}", plain, text);
}

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {
  for (TextColumn& column : columns_) column.title = visible(column.title);
}

void TextTable::add(std::vector<std::string> cells, bool marked) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs one cell per column");
  for (std::string& cell : cells) cell = visible(cell);
  rows_.push_back({std::move(cells), marked});
}

void TextTable::add_cells(const std::vector<Cell>& cells, bool marked) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells) texts.push_back(cell.text);
  add(std::move(texts), marked);
}

std::vector<std::size_t> TextTable::shown(bool headings) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].is_heading && !headings) continue;
    if (std::ranges::any_of(rows_, [&](const Row& row) { return !row.cells[i].empty(); })) {
      indices.push_back(i);
    }
  }
  return indices;
}

std::size_t TextTable::natural_width(std::size_t column) const {
  std::size_t width = columns_of(columns_[column].title);
  for (const Row& row : rows_) width = std::max(width, columns_of(row.cells[column]));
  return width;
}

/// Numbers stay in one line.
std::size_t TextTable::least_width(std::size_t column) const {
  std::size_t width = longest_word(columns_[column].title);
  for (const Row& row : rows_) {
    const std::string& cell = row.cells[column];
    width = std::max(width, columns_[column].right ? columns_of(cell) : longest_word(cell));
  }
  return width;
}

std::string TextTable::text(bool colours, std::size_t width, Names* left_out) const {
  std::vector<std::size_t> indices = shown(false);
  std::vector<std::size_t> widths;
  std::vector<std::size_t> least;
  for (const std::size_t i : indices) {
    widths.push_back(natural_width(i));
    least.push_back(least_width(i));
  }
  Names missing;
  while (width > 0 && sum_of(widths) > width) {
    const auto last =
        std::ranges::max_element(indices, {}, [&](std::size_t i) { return columns_[i].dispensable; });
    if (last == indices.end() || columns_[*last].dispensable == 0) break;
    const auto place = last - indices.begin();
    missing.insert(missing.begin(), columns_[*last].title);
    indices.erase(last);
    widths.erase(widths.begin() + place);
    least.erase(least.begin() + place);
  }
  while (width > 0 && sum_of(widths) > width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    const std::size_t excess = sum_of(widths) - width;
    widths[widest] = widths[widest] > least[widest] + excess ? widths[widest] - excess : least[widest];
  }
  std::string result;
  const auto add_row = [&](const auto& cell, const char* colour) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t place = 0; place < indices.size(); ++place) {
      cells.push_back(pieces_within(cell(indices[place]), widths[place], widths[place]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string line;
      for (std::size_t place = 0; place < indices.size(); ++place) {
        const std::string text = row < cells[place].size() ? cells[place][row] : "";
        const std::string padding(widths[place] - std::min(widths[place], columns_of(text)), ' ');
        if (place > 0) line.append(gap, ' ');
        line += columns_[indices[place]].right ? padding + text : text + padding;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      result += colours && *colour != '\0' ? colour + line + "\x1b[0m\n" : line + '\n';
    }
  };
  if (std::ranges::any_of(indices, [&](std::size_t i) { return !columns_[i].title.empty(); })) {
    add_row([&](std::size_t i) -> const std::string& { return columns_[i].title; }, "\x1b[1m");
  }
  const auto heading = std::ranges::find_if(columns_, &TextColumn::is_heading) - columns_.begin();
  const std::string* under = nullptr;
  for (const Row& row : rows_) {
    if (heading < std::ssize(columns_)) {
      const std::string& text = row.cells[static_cast<std::size_t>(heading)];
      if (under == nullptr || *under != text)
        result += colours ? "\x1b[1m" + text + "\x1b[0m\n" : text + '\n';
      under = &text;
    }
    add_row([&](std::size_t i) -> const std::string& { return row.cells[i]; },
            row.marked ? "\x1b[1;32m" : "");
  }
  if (left_out != nullptr) {
    for (const std::string& title : missing) add_once(*left_out, title);
  } else if (!missing.empty()) {
    result += fit_lines(left_out_text(missing, width), width);
  }
  return result;
}

std::string left_out_text(const Names& columns, std::size_t width) {
  return fmt::format("(not in {} columns: {})\n", width, fmt::join(columns, ", "));
}

std::string TextTable::markdown() const {
  const std::vector<std::size_t> indices = shown(true);
  std::string head = "|";
  std::string rule = "|";
  for (const std::size_t i : indices) {
    head += ' ' + escaped_markdown(columns_[i].title) + " |";
    rule += columns_[i].right ? " ---: |" : " --- |";
  }
  std::string result = head + '\n' + rule + '\n';
  for (const Row& row : rows_) {
    result += '|';
    for (const std::size_t i : indices) result += ' ' + escaped_markdown(row.cells[i]) + " |";
    result += '\n';
  }
  return result;
}

std::string TextTable::written(const TableOptions& options) const {
  if (rows_.empty()) return {};
  return (options.markdown ? markdown() : text(options.colours, options.width)) + '\n';
}

}  // namespace benchctl
