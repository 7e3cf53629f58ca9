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

/// Byte at which a line (from 1) begins, or npos.
std::size_t line_start(std::string_view text, std::uint32_t line) {
  std::size_t start = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    start = text.find('\n', start);
    if (start == std::string_view::npos) return start;
    ++start;
  }
  return start;
}

std::string_view line_of(std::string_view text, std::uint32_t line) {
  if (line == 0) return {};
  const std::size_t start = line_start(text, line);
  if (start == std::string_view::npos) return {};
  std::string_view rest = text.substr(start);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
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

/// Quotes the line, or what is on both sides of the column when it is long.
void quote_line(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::size_t before = 80;
  constexpr std::size_t longest = 200;
  diagnostic.caret = diagnostic.position.column;
  if (line.size() <= longest) {
    diagnostic.source_line = line;
    return;
  }
  std::size_t at = 0;
  for (std::uint32_t column = 1; column < diagnostic.position.column && at < line.size(); ++column) {
    at = code_point_from(line, at + 1);
  }
  const std::size_t begin = at > before ? code_point_from(line, at - before) : 0;
  diagnostic.source_line =
      (begin > 0 ? "…" : "") + clipped(std::string(line.substr(begin, 2 * longest)), longest);
  if (begin == 0) return;
  const std::string_view shown = line.substr(begin, at - begin);
  diagnostic.caret =
      2 + static_cast<std::uint32_t>(std::ranges::count_if(shown, std::not_fn(is_continuation)));
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

/// Reads a TOML string byte by byte, keeping the place of what it reads.
class StringCursor {
 public:
  StringCursor(std::string_view text, Position quote) : text_(text), at_(quote) {
    byte_ = line_start(text, quote.line);
    for (std::uint32_t column = 1; column < quote.column; ++column) {
      do {
        ++byte_;
      } while (byte_ < text_.size() && is_continuation(text_[byte_]));
    }
    open();
  }

  /// Moves over one piece of the text and returns how many bytes of contents it stands for.
  std::size_t advance() {
    if (!escapes_ || current() != '\\') {
      step();
      return 1;
    }
    step();
    const char kind = current();
    if (kind == 'u') return code_point(4);
    if (kind == 'U') return code_point(8);
    if (kind == '\n' || kind == '\r' || kind == ' ' || kind == '\t') {
      while (byte_ < text_.size() &&
             std::string_view(" \t\r\n").find(current()) != std::string_view::npos) {
        step();
      }
      return 0;
    }
    step();
    return 1;
  }

  [[nodiscard]] bool done() const { return byte_ >= text_.size(); }
  [[nodiscard]] Position position() const { return at_; }

 private:
  [[nodiscard]] char current() const { return byte_ < text_.size() ? text_[byte_] : '\0'; }

  void step() {
    if (byte_ >= text_.size()) return;
    if (text_[byte_] == '\n') {
      ++at_.line;
      at_.column = 0;
    }
    ++byte_;
    if (byte_ >= text_.size() || !is_continuation(text_[byte_])) ++at_.column;
  }

  void open() {
    const char quote = current();
    escapes_ = quote == '"';
    step();
    if (text_.substr(std::min(byte_, text_.size()), 2) != std::string(2, quote)) return;
    step();
    step();
    if (current() == '\r') step();
    if (current() == '\n') step();
  }

  std::size_t code_point(std::size_t digits) {
    step();
    unsigned long value = 0;
    for (std::size_t i = 0; i < digits && !done(); ++i) {
      const char c = current();
      value = value * 16 + static_cast<unsigned long>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
      step();
    }
    if (value < 0x80) return 1;
    if (value < 0x800) return 2;
    return value < 0x10000 ? 3 : 4;
  }

  std::string_view text_;
  Position at_;
  std::size_t byte_ = 0;
  bool escapes_ = false;
};

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
  return diagnostics_.size() >= max_findings &&
         std::cmp_greater_equal(std::ranges::count(diagnostics_, severity, &Diagnostic::severity),
                                max_findings);
}

Diagnostic& Reporter::add(Severity severity, Position position, std::string offending,
                          std::string message) {
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
    diagnostic.message = fmt::format("more than {} errors; stopped here. Fix these first", max_findings);
    std::vector<Diagnostic> all = take();
    all.push_back(std::move(diagnostic));
    throw ConfigErrors(std::move(all));
  }
  diagnostic.offending = clipped(std::move(offending));
  diagnostic.message = clipped(std::move(message));
  quote_line(line_of(source.text, position.line), diagnostic);
  return diagnostics_.emplace_back(std::move(diagnostic));
}

Diagnostic& Reporter::error(Position position, std::string offending, std::string message,
                            std::string expected) {
  Diagnostic& added = add(Severity::error, position, std::move(offending), std::move(message));
  added.expected = clipped(std::move(expected));
  return added;
}

Diagnostic& Reporter::warning(Position position, std::string offending, std::string message) {
  return add(Severity::warning, position, std::move(offending), std::move(message));
}

Diagnostic& Reporter::unknown_name(Position position, const std::string& name, std::string message,
                                   const std::vector<std::string>& valid) {
  Diagnostic& added = error(position, name, std::move(message));
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
  StringCursor cursor(text, quote);
  std::size_t contents = 0;
  while (contents < offset && !cursor.done()) contents += cursor.advance();
  return cursor.position();
}

}  // namespace benchctl
