// The tree behind an Expression. Internal to this room.
#pragma once

#include "expr/expression.hpp"

#include <vector>

namespace benchctl {

enum class Operator : std::uint8_t {
  literal,
  name,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  comparison,  // an operand, then a link for each of the following, with what is to its right
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  member,
  not_member,
  logical_and,
  logical_or,
  logical_not,
  negate,
  minimum,
  maximum,
  ceil_div,
  floor_div,
  square_root,
  logarithm,
  is_power_of_two,
  next_power_of_two,
  size_of_type,
  c_type_of,
  choice,
};

struct Expression::Node {
  Operator op = Operator::literal;
  Value value;  // of a literal; the name of a name
  std::vector<Node> operands;
  std::size_t offset = 0;  // of the operator or literal in the text
  std::size_t length = 1;
};

/// Longest text and deepest nesting that the parser accepts: a config is data, not a program.
inline constexpr std::size_t max_expression_length = 1000;
inline constexpr int max_expression_depth = 64;

/// Throws ExpressionError.
[[nodiscard]] Expression::Node parse_expression(std::string_view text,
                                                std::set<std::string, std::less<>>& names);
/// Throws ExpressionError.
[[nodiscard]] Value evaluate_node(const Expression::Node& node, const Parameters& values);

}  // namespace benchctl
