#include "expr/expression.hpp"
#include "expr/node.hpp"

#include "fuzz/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace benchctl::fuzz {

namespace {

using Node = Expression::Node;

const Parameters& values() {
  static const Parameters all{{"n", std::int64_t{512}},
                              {"m", std::int64_t{7}},
                              {"x", 0.5},
                              {"zero", std::int64_t{0}},
                              {"below", std::int64_t{-3}},
                              {"most", std::int64_t{1} << 53},
                              {"beyond", std::int64_t{1} << 54},
                              {"huge", 1e300},
                              {"nan", std::nan("")},
                              {"flag", true},
                              {"dtype", std::string("f32")}};
  return all;
}

std::string printed(const Node& node);

std::string list(const Node& node) {
  std::string elements;
  for (const Node& operand : node.operands) elements += (elements.empty() ? "" : ", ") + printed(operand);
  return elements;
}

std::string call(std::string_view function, const Node& node) {
  return fmt::format("{}({})", function, list(node));
}

std::string literal(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  // With a point, or it would be read as an integer.
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:#.17g}", *real);
  const auto& text = std::get<std::string>(value);
  return text.find('\'') == std::string::npos ? "'" + text + "'" : '"' + text + '"';
}

std::string_view symbol(Operator op) {
  switch (op) {
    case Operator::add:
      return "+";
    case Operator::subtract:
      return "-";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "/";
    case Operator::floor_div:
      return "//";
    case Operator::modulo:
      return "%";
    case Operator::power:
      return "**";
    case Operator::equal:
      return "==";
    case Operator::not_equal:
      return "!=";
    case Operator::less:
      return "<";
    case Operator::less_equal:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greater_equal:
      return ">=";
    case Operator::logical_and:
      return "and";
    default:
      return "or";
  }
}

/// An operand, and the comparisons behind it with what is to their right.
std::string chain(const Node& node) {
  std::string text = printed(node.operands[0]);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const Node& link = node.operands[i];
    if (link.op == Operator::member || link.op == Operator::not_member) {
      text += fmt::format(" {} [{}]", link.op == Operator::member ? "in" : "not in", list(link));
    } else {
      text += fmt::format(" {} {}", symbol(link.op), printed(link.operands[0]));
    }
  }
  return "(" + text + ")";
}

/// The tree as a text, every operation in parentheses.
std::string printed(const Node& node) {
  switch (node.op) {
    case Operator::literal:
      return literal(node.value);
    case Operator::name:
      return std::get<std::string>(node.value);
    case Operator::logical_not:
      return "(not " + printed(node.operands[0]) + ")";
    case Operator::negate:
      return "(-" + printed(node.operands[0]) + ")";
    case Operator::minimum:
      return call("min", node);
    case Operator::maximum:
      return call("max", node);
    case Operator::ceil_div:
      return call("ceil_div", node);
    case Operator::square_root:
      return call("sqrt", node);
    case Operator::logarithm:
      return call("log2", node);
    case Operator::is_power_of_two:
      return call("is_pow2", node);
    case Operator::next_power_of_two:
      return call("bit_ceil", node);
    case Operator::comparison:
      return chain(node);
    case Operator::size_of_type:
      return call("sizeof", node);
    case Operator::c_type_of:
      return call("ctype", node);
    case Operator::choice:
      return call("if", node);
    default:
      return fmt::format("({} {} {})", printed(node.operands[0]), symbol(node.op),
                         printed(node.operands[1]));
  }
}

void require_place(const ExpressionError& error, std::size_t size) {
  require(error.offset() <= size, "an error stands behind the text");
  require(error.offset() + error.length() <= size + 1, "what an error points at reaches out of the text");
}

/// Nothing: it has no value here.
std::optional<Value> value_of(const Expression& expression) {
  try {
    return expression.evaluate(values());
  } catch (const ExpressionError& error) {
    require_place(error, expression.text().size());
    return std::nullopt;
  }
}

void require_sane(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    require(std::abs(*integer) <= std::int64_t{1} << 53, "an integer beyond 2^53");
  }
  if (const auto* real = std::get_if<double>(&value)) {
    require(std::isfinite(*real), "a value that is no finite number");
  }
}

/// What `ask` gives must be there exactly if `expected` says so.
template <class Ask>
void require_agreement(const Expression& expression, bool expected, const Ask& ask) {
  bool given = true;
  try {
    static_cast<void>(ask());
  } catch (const ExpressionError& error) {
    require_place(error, expression.text().size());
    given = false;
  }
  require(given == expected, "holds() or count() and evaluate() do not agree");
}

}  // namespace

void expression(std::string_view bytes) {
  std::optional<Expression> parsed;
  try {
    parsed = Expression::parse(bytes);
  } catch (const ExpressionError& error) {
    require_place(error, bytes.size());
    return;
  }
  require(parsed->text() == bytes, "an expression has another text than it was made from");
  const std::optional<Value> value = value_of(*parsed);
  if (value) require_sane(*value);
  require_agreement(*parsed, value && std::holds_alternative<bool>(*value),
                    [&] { return parsed->holds(values()); });
  const auto* integer = value ? std::get_if<std::int64_t>(&*value) : nullptr;
  require_agreement(*parsed, integer != nullptr && *integer >= 0, [&] { return parsed->count(values()); });

  std::set<std::string, std::less<>> names;
  const std::string text = printed(parse_expression(bytes, names));
  require(names == parsed->names(), "an expression mentions other names the second time");
  try {
    const Expression again = Expression::parse(text);
    require(again.names() == names, "printed, an expression mentions other names: " + text);
    require(value_of(again) == value, "printed, an expression has another value: " + text);
  } catch (const ExpressionError&) {
    // All those parentheses may be more than the parser takes; it counts a sign in one as another level.
    const auto levels = 2 * std::count(text.begin(), text.end(), '(');
    require(text.size() > max_expression_length || levels > max_expression_depth,
            "printed, an expression is none: " + text);
  }
}

}  // namespace benchctl::fuzz
