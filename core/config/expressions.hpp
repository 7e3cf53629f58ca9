// Expressions in tables of a config: parsed at once, their names checked when all are known. Internal to
// this room.
#pragma once

#include "config/document.hpp"
#include "expr/expression.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace benchctl {

class ExpressionReader {
 public:
  explicit ExpressionReader(Reporter& reporter) : reporter_(reporter) {}

  /// A string with an expression, or a number or truth value, as text. What cannot be parsed is reported.
  [[nodiscard]] std::optional<std::string> read(const Node& node, const std::string& what);
  /// One expression or a list of up to three: x, y, z.
  [[nodiscard]] std::array<std::string, 3> read_triple(const Node& node, const std::string& what);
  /// A list of conditions.
  [[nodiscard]] std::vector<std::string> read_list(const Node& node, const std::string& what);
  /// A word that is a name in expressions: letters, digits and '_', no digit first. Reports others.
  [[nodiscard]] bool is_identifier(const std::string& text, Position position, const std::string& what);

  /// Reports every name of an expression read so far that is not among `known`.
  void check_names(const std::vector<std::string>& known, const std::string& place);

 private:
  struct Mentioned {
    Expression expression;
    Position quote;
  };
  Reporter& reporter_;
  std::vector<Mentioned> read_;
};

}  // namespace benchctl
