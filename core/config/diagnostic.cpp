#include "config/diagnostic.hpp"
#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace benchctl {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// A line, counted from 1, without its end; empty where there is none.
std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = line == 0 ? std::string_view() : text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

/// The next byte at which a code point begins, from `at` on.
std::size_t code_point_from(std::string_view text, std::size_t at) {
  while (at < text.size() && is_continuation(text[at])) ++at;
  return std::min(at, text.size());
}

std::string clipped(std::string text, std::size_t bytes = max_quoted_bytes) {
  if (text.size() <= bytes) return text;
  text.resize(code_point_from(text, bytes));
  return text + "…";
}

/// The byte at which a column, counted from 1, begins; at most the line's end.
std::size_t byte_of_column(std::string_view line, std::uint32_t column) {
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < column && at < line.size(); ++i) at = code_point_from(line, at + 1);
  return at;
}

std::uint32_t columns_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count_if(text, std::not_fn(is_continuation)));
}

/// Quotes the line, or what is on both sides of the column when it is long.
void quote_line(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::size_t before = 80;
  constexpr std::size_t longest = 200;
  diagnostic.caret = diagnostic.position.column;
  if (line.size() <= longest) {
    diagnostic.source_line = line;
    return;
  }
  const std::size_t at = byte_of_column(line, diagnostic.position.column);
  const std::size_t begin = at > before ? code_point_from(line, at - before) : 0;
  diagnostic.source_line =
      (begin > 0 ? "…" : "") + clipped(std::string(line.substr(begin, 2 * longest)), longest);
  if (begin > 0) diagnostic.caret = 2 + columns_of(line.substr(begin, at - begin));
}

/// Blanks as wide as the text before `column`: tabs stay tabs, so that the caret stands right.
std::string indentation(std::string_view line, std::uint32_t column) {
  std::string blanks;
  std::uint32_t at = 1;
  for (const char c : line) {
    if (is_continuation(c)) continue;
    if (at++ == column) return blanks;
    blanks += c == '\t' ? '\t' : ' ';
  }
  return blanks;
}

}  // namespace

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = diagnostic.file;
  if (diagnostic.position.line > 0) {
    text += fmt::format(":{}:{}", diagnostic.position.line, diagnostic.position.column);
  }
  text += diagnostic.severity == Severity::error ? ": error: " : ": warning: ";
  text += diagnostic.message;
  if (!diagnostic.expected.empty()) text += "; expected " + diagnostic.expected;
  if (!diagnostic.suggestion.empty()) text += fmt::format("; did you mean '{}'?", diagnostic.suggestion);
  text = visible(text);
  if (!diagnostic.source_line.empty()) {
    text += fmt::format("\n  {}\n  {}^", visible_lines(diagnostic.source_line),
                        indentation(diagnostic.source_line, diagnostic.caret));
  }
  return text;
}

std::string to_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_text(diagnostic);
  }
  return text;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(
      diagnostics, [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

bool Reporter::is_full(Severity severity) const {
  return diagnostics_.size() >= max_diagnostics &&
         std::cmp_greater_equal(std::ranges::count(diagnostics_, severity, &Diagnostic::severity),
                                max_diagnostics);
}

Diagnostic& Reporter::add(Severity severity, Position position, std::string message) {
  const SourceText& source = sources_.at(position.source);
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.file = source.name;
  diagnostic.position = position;
  if (is_full(severity)) {
    if (severity == Severity::warning) {
      ++not_kept_count_;
      return not_kept_ = {};
    }
    diagnostic.message = fmt::format("more than {} errors; stopped here. Fix these first", max_diagnostics);
    std::vector<Diagnostic> all = take();
    all.push_back(std::move(diagnostic));
    throw ConfigErrors(std::move(all));
  }
  diagnostic.message = clipped(std::move(message));
  quote_line(line_of(source.text, position.line), diagnostic);
  return diagnostics_.emplace_back(std::move(diagnostic));
}

Diagnostic& Reporter::error(Position position, std::string message, std::string expected) {
  Diagnostic& added = add(Severity::error, position, std::move(message));
  added.expected = clipped(std::move(expected));
  return added;
}

Diagnostic& Reporter::warning(Position position, std::string message) {
  return add(Severity::warning, position, std::move(message));
}

Diagnostic& Reporter::unknown_name(Position position, const std::string& name, std::string message,
                                   const std::vector<std::string>& valid) {
  Diagnostic& added = error(position, std::move(message));
  if (valid.size() == 1) added.expected = clipped(valid.front());
  if (valid.size() > 1) added.expected = clipped(fmt::format("one of {}", fmt::join(valid, ", ")));
  added.suggestion = clipped(nearest_name(name, valid).value_or(""));
  return added;
}

std::vector<Diagnostic> Reporter::take() {
  std::ranges::stable_sort(diagnostics_, {}, [](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.position.source, diagnostic.position.line, diagnostic.position.column);
  });
  if (not_kept_count_ > 0) {
    Diagnostic& note = diagnostics_.emplace_back();
    note.severity = Severity::warning;
    note.file = sources_.front().name;
    note.message = fmt::format("{} more warnings are not shown", std::exchange(not_kept_count_, 0));
  }
  return std::exchange(diagnostics_, {});
}

void Reporter::throw_if_any() {
  if (!diagnostics_.empty()) throw ConfigErrors(take());
}

Position position_in_string(std::string_view text, Position quote, std::size_t offset) {
  std::string_view contents = line_of(text, quote.line);
  contents.remove_prefix(byte_of_column(contents, quote.column));
  if (contents.starts_with("\"\"\"") || contents.starts_with("'''")) return quote;
  const std::string_view before = contents.substr(std::min<std::size_t>(1, contents.size()), offset);
  if (before.size() < offset || before.find('\\') != std::string_view::npos) return quote;
  return {quote.line, quote.column + 1 + columns_of(before), quote.source};
}

}  // namespace benchctl
