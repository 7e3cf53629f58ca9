// What is wrong with a config, and where: one record each, printed like a compiler's.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// A place in a text. Lines and columns count from 1, columns in code points; line 0: no place.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t source = 0;  ///< 0: the config file; i: the i-th `--set`, or table that was included

  bool operator==(const Position&) const = default;
};

/// A name with its place.
struct Word {
  std::string text;
  Position position;
};

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  Position position;
  std::string message;      ///< "unknown key 'workloads' in [[sweep]]"
  std::string expected;     ///< "one of name, workload, …"; may be empty
  std::string suggestion;   ///< nearest valid name; may be empty
  std::string source_line;  ///< the line of text at `position`, of a long one what is near it
  std::uint32_t caret = 0;  ///< column of `position` in `source_line`
};

/// Errors after which a text is read no further, and warnings that are kept of one.
inline constexpr std::size_t max_diagnostics = 100;
/// Bytes of a text that a diagnostic quotes at most; what is longer is cut.
inline constexpr std::size_t max_quoted_bytes = 2000;

/// `file:line:column: error: message; expected …; did you mean '…'?`, then the source line and a caret
/// under the column. No newline at the end.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);
/// One after another, each on lines of its own.
[[nodiscard]] std::string to_text(const std::vector<Diagnostic>& diagnostics);
[[nodiscard]] bool has_errors(const std::vector<Diagnostic>& diagnostics);

/// Everything that is wrong with a config, at once.
class ConfigErrors : public std::runtime_error {
 public:
  explicit ConfigErrors(std::vector<Diagnostic> diagnostics)
      : std::runtime_error(to_text(diagnostics)), diagnostics_(std::move(diagnostics)) {}
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A text with the name under which diagnostics in it are reported.
struct SourceText {
  std::string name;
  std::string text;
};

/// Collects diagnostics in a config file and in the `--set` arguments applied to it.
class Reporter {
 public:
  explicit Reporter(std::vector<SourceText> sources) : sources_(std::move(sources)) {}

  /// The record just added; valid until the next is. Throws ConfigErrors with all that there are when an
  /// error is one more than `max_diagnostics`: behind so many, reading costs time and tells nothing.
  Diagnostic& error(Position position, std::string message, std::string expected = {});
  Diagnostic& warning(Position position, std::string message);
  /// An error about a name that is not among `valid`, with the nearest of them.
  Diagnostic& unknown_name(Position position, const std::string& name, std::string message,
                           const std::vector<std::string>& valid);

  /// Gives the number by which positions name it.
  [[nodiscard]] std::uint32_t add_source(SourceText source) {
    sources_.push_back(std::move(source));
    return static_cast<std::uint32_t>(sources_.size() - 1);
  }
  [[nodiscard]] const std::string& source(std::uint32_t index) const { return sources_[index].text; }
  [[nodiscard]] const std::string& name(std::uint32_t index) const { return sources_[index].name; }
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }
  /// All of them in the order of the text, with a last warning that counts those that were not kept.
  [[nodiscard]] std::vector<Diagnostic> take();
  /// Throws ConfigErrors when anything was added.
  void throw_if_any();

  /// What may still be read before a config is refused as too large: values of all axes and bytes of all
  /// expressions, which take many times the memory that their text does.
  struct Room {
    std::size_t axis_values = 1'000'000;
    std::size_t expression_bytes = std::size_t{1} << 20;
  };
  [[nodiscard]] Room& room() noexcept { return room_; }

 private:
  Diagnostic& add(Severity severity, Position position, std::string message);
  [[nodiscard]] bool is_full(Severity severity) const;

  std::vector<SourceText> sources_;
  std::vector<Diagnostic> diagnostics_;
  Diagnostic not_kept_;  // the latest of those
  std::size_t not_kept_count_ = 0;
  Room room_;
};

/// Where byte `offset` of a TOML string's contents stands in the text, the string's opening quote being
/// at `quote`; that place itself behind an escape, and for strings of several lines.
[[nodiscard]] Position position_in_string(std::string_view text, Position quote, std::size_t offset);

}  // namespace benchctl
