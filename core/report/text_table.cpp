#include "report/text_table.hpp"

#include "model/visible.hpp"
#include "report/format.hpp"

#include <algorithm>
#include <stdexcept>

namespace benchctl {

namespace {

/// Characters of a UTF-8 text. What reports write (µ, ±, ×) takes one place each.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
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

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {
  for (TextColumn& column : columns_) column.title = visible(column.title);
}

void TextTable::add(std::vector<std::string> cells, bool marked) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs one cell per column");
  for (std::string& cell : cells) cell = visible(cell);
  rows_.push_back({std::move(cells), marked});
}

std::vector<std::size_t> TextTable::shown() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (std::ranges::any_of(rows_, [&](const Row& row) { return !row.cells[i].empty(); })) {
      indices.push_back(i);
    }
  }
  return indices;
}

std::string TextTable::text(bool colours) const {
  const std::vector<std::size_t> indices = shown();
  std::vector<std::size_t> widths;
  for (const std::size_t i : indices) {
    std::size_t width = width_of(columns_[i].title);
    for (const Row& row : rows_) width = std::max(width, width_of(row.cells[i]));
    widths.push_back(width);
  }
  std::string result;
  const auto add_line = [&](const auto& cell, const char* colour) {
    std::string line;
    for (std::size_t place = 0; place < indices.size(); ++place) {
      const std::string& text = cell(indices[place]);
      const std::string padding(widths[place] - width_of(text), ' ');
      line += place > 0 ? "  " : "";
      line += columns_[indices[place]].right ? padding + text : text + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += colours && *colour != '\0' ? colour + line + "\x1b[0m\n" : line + '\n';
  };
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].title; }, "\x1b[1m");
  for (const Row& row : rows_) {
    add_line([&](std::size_t i) -> const std::string& { return row.cells[i]; },
             row.marked ? "\x1b[1;32m" : "");
  }
  return result;
}

std::string TextTable::markdown() const {
  const std::vector<std::size_t> indices = shown();
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

}  // namespace benchctl
