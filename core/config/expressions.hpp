// Expressions in tables of a config: parsed at once, their names checked when all are known.
#pragma once

#include "config/config.hpp"
#include "config/document.hpp"
#include "expr/expression.hpp"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace benchctl {

/// "m has 3, n has 2" where tied axes have different lengths, else an empty text.
[[nodiscard]] std::string unequal_lengths(const std::vector<const Axis*>& axes);

/// Can this be a name in expressions: letters, digits and '_', no digit first?
[[nodiscard]] bool is_identifier(std::string_view text);

/// The text with what `replaced` makes of each word outside of quotes, of which it is told the place.
[[nodiscard]] std::string with_words(
    const std::string& text, const std::function<std::string(std::size_t, const std::string&)>& replaced);

/// The names of "y|x"; nothing if it is an expression.
[[nodiscard]] std::optional<std::vector<std::string>> alternatives(std::string_view text);

/// A number as every language reads it: a real stays one, 1.0 is not read as a whole number.
[[nodiscard]] std::string literal(const Value& value);

/// Is that word somewhere in a text?
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

/// The place of the first mention of a name, the expression's opening quote being at `quote`.
[[nodiscard]] Position mention_position(const Reporter& reporter, Position quote,
                                        const Expression& expression, const std::string& name);

/// Parses a string's expression, whose text is taken from the room that all expressions of a config have.
/// Nothing when an error was reported.
[[nodiscard]] std::optional<Expression> parse_expression(Reporter& reporter, const Word& word,
                                                         const std::string& what);

class TableReader;

class ExpressionReader {
 public:
  explicit ExpressionReader(Reporter& reporter) : reporter_(reporter) {}

  /// A string with an expression, or a number or truth value, as text. What cannot be parsed is reported.
  [[nodiscard]] std::optional<std::string> read(const Node& node, const std::string& what);
  /// The same for a member of a table; `into` stays as it is without it, or when it was reported.
  void read(const TableReader& table, std::string_view key, std::string& into);
  void read(const Node* member, const std::string& what, std::string& into);
  /// From here on `name` stands for that text in what is read.
  void define(const std::string& name, const std::string& text) { defined_[name] = '(' + text + ')'; }
  [[nodiscard]] bool is_defined(const std::string& name) const { return defined_.contains(name); }
  /// One expression or a list of up to three: x, y, z.
  [[nodiscard]] std::array<std::string, 3> read_triple(const Node& node, const std::string& what);
  /// A list of conditions.
  [[nodiscard]] std::vector<std::string> read_list(const Node& node, const std::string& what);
  /// Is it an identifier? Reports it otherwise; `what` names it.
  [[nodiscard]] bool is_identifier(const Word& word, const std::string& what);
  /// Is a member's key one?
  [[nodiscard]] bool is_identifier(const Node& member, const std::string& what) {
    return is_identifier(Word{member.key, member.key_position}, what);
  }
  /// A member of a table that is one; empty without it, or when it was reported.
  [[nodiscard]] Word read_identifier(const TableReader& table, std::string_view key);

  /// Every name of an expression read so far that is not among `known`, with its place.
  [[nodiscard]] std::vector<Word> names_beyond(const std::vector<std::string>& known) const;
  /// Reports them.
  void check_names(const std::vector<std::string>& known, const std::string& place);

 private:
  struct Mentioned {
    Expression expression;
    Position quote;
  };
  /// With the texts of defined names in their places; nothing, and reported, where that is too long.
  [[nodiscard]] std::optional<std::string> in_full(const Mentioned& mentioned);

  Reporter& reporter_;
  std::vector<Mentioned> read_;
  std::map<std::string, std::string> defined_;
};

}  // namespace benchctl
