#include "report/text_width.hpp"

#include <algorithm>

namespace benchctl {

namespace {

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Length in bytes of the escape sequence that begins there, `\x1b[1;32m`; 0 if none does.
std::size_t escape_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < line.size();) {
    if (const std::size_t escape = escape_length(line.substr(i)); escape > 0) {
      i += escape;
      continue;
    }
    columns += begins_code_point(line[i]) ? 1 : 0;
    ++i;
  }
  return columns;
}

std::size_t longest_word(std::string_view line) {
  std::size_t longest = 0;
  while (!line.empty()) {
    const std::size_t end = line.find(' ');
    longest = std::max(longest, columns_of(line.substr(0, end)));
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
  }
  return longest;
}

std::vector<std::string> pieces_within(std::string_view line, std::size_t first, std::size_t width) {
  std::vector<std::string> pieces;
  std::size_t most = first;
  while (!line.empty()) {
    // Spaces at the beginning are an indentation, and no place to break at.
    const std::size_t word = std::min(line.find_first_not_of(' '), line.size());
    std::size_t end = std::min(line.find(' ', word), line.size());  // of the piece
    std::size_t columns = columns_of(line.substr(0, end));
    while (end < line.size()) {
      const std::size_t next = std::min(line.find(' ', end + 1), line.size());
      columns += columns_of(line.substr(end, next - end));
      if (columns > most) break;
      end = next;
    }
    std::string_view piece = line.substr(0, end);
    line.remove_prefix(end);
    if (!line.empty()) {
      piece = piece.substr(0, piece.find_last_not_of(' ') + 1);
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    pieces.emplace_back(piece);
    most = width;
  }
  return pieces;
}

std::string fit_lines(std::string_view text, std::size_t width, std::optional<std::size_t> indent) {
  if (width == 0) return std::string(text);
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t own = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t hang = std::min(indent.value_or(own + 2), width / 2);
    const std::vector<std::string> pieces = pieces_within(line, width, width - hang);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i > 0) result += '\n' + std::string(hang, ' ');
      result += pieces[i];
    }
    if (end == std::string_view::npos) break;
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

std::string_view first_columns(std::string_view line, std::size_t columns) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (begins_code_point(line[i]) && ++seen > columns) return line.substr(0, i);
  }
  return line;
}

}  // namespace benchctl
