#include "report/format.hpp"

#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// Significant digits that the range of a time leaves.
int digits_within(const Measurement& m) {
  const TimeRange range = range_of(m);
  const double width = (range.high_ns - range.low_ns) / m.median_ns;
  if (m.n_samples < 2) return 3;
  return width > 0.2 ? 2 : width > 0.01 ? 3 : 4;
}

}  // namespace

std::string format_figure(double figure, Hint hint) {
  if (std::isnan(figure)) return {};
  switch (hint) {
    case Hint::rate:
      break;
    case Hint::number:
      return format_significant(figure, 3);
    case Hint::ratio:
      return format_significant(figure, 3) + "×";
    case Hint::share:
      return format_percent(figure);
    case Hint::time:
      return format_duration(figure);
  }
  return format_significant(figure);
}

std::string format_range(const Measurement& m) {
  if (m.n_samples < 2) return {};
  const TimeRange range = range_of(m);
  const int digits = digits_within(m);
  return fmt::format("{}–{}", in_unit_of(m.median_ns, range.low_ns, digits),
                     in_unit_of(m.median_ns, range.high_ns, digits));
}

std::string format_time(const Measurement& m) {
  const std::string median = format_duration(m.median_ns, std::max(3, digits_within(m)));
  const std::string range = format_range(m);
  if (range_of(m).kind != TimeRange::Kind::extremes) return fmt::format("{} ({})", median, range);
  return fmt::format("{} ({}n={})", median, range.empty() ? "" : range + ", ", m.n_samples);
}

std::string counted(std::uint64_t count, std::string_view what, std::string_view plural) {
  return fmt::format("{} {}{}", format_count(count), what, count == 1 ? "" : plural);
}

std::string few_of(const std::vector<std::string>& names, std::size_t most, std::string_view separator) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, separator));
  const auto shown = static_cast<std::ptrdiff_t>(most) - 1;
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + shown, separator),
                     std::ssize(names) - shown);
}

std::string first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  std::string_view first = text.substr(0, end);
  if (first.ends_with('\r')) first.remove_suffix(1);
  std::string line = visible(first);
  if (end != std::string_view::npos && text.find_first_not_of(" \t\r\n", end) != std::string_view::npos) {
    line += " …";
  }
  return line;
}

std::string gist_of(Status status, std::string_view reason) {
  if (reason.empty() && status == Status::not_run) return std::string(info(status).doc);
  if (status == Status::compile_error) {
    for (const std::string_view mark : {"error:", "error"}) {
      const std::size_t place = reason.find(mark);
      if (place == std::string_view::npos) continue;
      const std::size_t begin = reason.rfind('\n', place) + 1;  // npos + 1 is 0
      std::string_view line = reason.substr(begin, reason.find('\n', place) - begin);
      line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
      return first_line(line);
    }
  }
  return first_line(reason);
}

// Lines of a terminal.

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
