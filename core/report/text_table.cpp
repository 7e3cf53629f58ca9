#include "report/text_table.hpp"

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

}  // namespace

std::string escaped_markdown(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '\\' || c == '<' || c == '`') result += '\\';
    result += c;
  }
  return result;
}

std::string first_line_in(const std::string& text, bool markdown) {
  return markdown ? escaped_markdown(first_line(text)) : first_line(text);
}

void TextTable::add(std::vector<std::string> cells, bool marked) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs one cell per column");
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
