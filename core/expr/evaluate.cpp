#include "expr/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace benchctl {

namespace {

using Node = Expression::Node;

/// Wide enough for any product of two 64-bit integers.
__extension__ using Wide = __int128;

/// A double does not distinguish integers beyond this, nor does half of our readers.
constexpr std::int64_t max_exact = std::int64_t{1} << 53;

[[noreturn]] void fail(const Node& node, const std::string& message) {
  throw ExpressionError(message, node.offset, node.length);
}

const char* kind_of(const Value& value) {
  constexpr std::array<const char*, 4> kinds{"a truth value", "an integer", "a real number", "a word"};
  return kinds[value.index()];
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

double real(const Node& node, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  fail(node, fmt::format("a number is needed here, this is {}", kind_of(value)));
}

bool truth(const Node& node, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  fail(node, fmt::format("a condition is needed here, this is {}", kind_of(value)));
}

Value checked(const Node& node, Wide exact) {
  if (exact > max_exact || exact < -max_exact) fail(node, "the result is beyond 2^53");
  return static_cast<std::int64_t>(exact);
}

Value checked(const Node& node, double number) {
  if (!std::isfinite(number)) fail(node, "the result is not a finite number");
  return number;
}

/// The quotient rounded down or up, or what is left after rounding it down, as in Python.
Value rounded_division(const Node& node, Wide x, Wide y) {
  if (y == 0) fail(node, "division by zero");
  Wide quotient = x / y;
  if (x % y != 0 && (x < 0) != (y < 0)) --quotient;
  const Wide rest = x - quotient * y;
  if (node.op == Operator::modulo) return checked(node, rest);
  return checked(node, node.op == Operator::ceil_div && rest != 0 ? quotient + 1 : quotient);
}

Value power(const Node& node, const Value& base, const Value& exponent) {
  const auto* a = std::get_if<std::int64_t>(&base);
  const auto* b = std::get_if<std::int64_t>(&exponent);
  if (a != nullptr && b != nullptr && *b >= 0) {
    // All even powers of -1, 0 and 1 are the same, all odd ones, too. Others are too large in 54 steps.
    const bool repeats = *a >= -1 && *a <= 1 && *b > 0;
    const std::int64_t steps = repeats ? 2 - *b % 2 : *b;
    Value result = std::int64_t{1};
    for (std::int64_t i = 0; i < steps; ++i) {
      result = checked(node, Wide{std::get<std::int64_t>(result)} * *a);
    }
    return result;
  }
  const double x = real(node.operands[0], base);
  const double y = real(node.operands[1], exponent);
  if (x == 0 && y < 0) fail(node, "division by zero");
  if (x < 0 && y != std::floor(y)) fail(node, "a negative number has whole powers only");
  return checked(node, std::pow(x, y));
}

/// sqrt and log2, rounded down for integers.
Value root_or_logarithm(const Node& node, const Value& value) {
  const bool is_root = node.op == Operator::square_root;
  const double x = real(node.operands[0], value);
  if (is_root && x < 0) fail(node, fmt::format("sqrt takes no negative number, this is {}", x));
  if (!is_root && x <= 0) fail(node, fmt::format("log2 takes positive numbers, this is {}", x));
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr) return is_root ? std::sqrt(x) : std::log2(x);
  if (!is_root) return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(*integer))) - 1;
  auto root = static_cast<std::int64_t>(std::sqrt(x));
  if (root * root > *integer) --root;  // the double was rounded up
  return root;
}

Value power_of_two(const Node& node, const Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr) {
    fail(node.operands[0], fmt::format("an integer is needed here, this is {}", kind_of(value)));
  }
  const auto bits = static_cast<std::uint64_t>(*integer);
  if (node.op == Operator::is_power_of_two) return *integer > 0 && std::has_single_bit(bits);
  if (*integer < 0) fail(node, fmt::format("bit_ceil takes no negative number, this is {}", *integer));
  return static_cast<std::int64_t>(std::bit_ceil(bits));
}

/// What integers and reals have alike.
template <class Number>
Value arithmetic_of(const Node& node, Number x, Number y) {
  if (node.op == Operator::add) return checked(node, x + y);
  if (node.op == Operator::subtract) return checked(node, x - y);
  if (node.op == Operator::multiply) return checked(node, x * y);
  if (node.op != Operator::divide) fail(node, "//, % and ceil_div take integers");
  if (y == 0) fail(node, "division by zero");
  return checked(node, x / y);
}

Value arithmetic(const Node& node, const Value& left, const Value& right) {
  const auto* a = std::get_if<std::int64_t>(&left);
  const auto* b = std::get_if<std::int64_t>(&right);
  if (a != nullptr && b != nullptr) {
    const bool rounds =
        node.op == Operator::modulo || node.op == Operator::ceil_div || node.op == Operator::floor_div;
    if (rounds) return rounded_division(node, *a, *b);
    if (node.op != Operator::divide || (*b != 0 && *a % *b == 0))
      return arithmetic_of(node, Wide{*a}, Wide{*b});
  }
  const double x = real(node.operands[0], left);
  return arithmetic_of(node, x, real(node.operands[1], right));
}

bool compare(const Node& node, Operator op, const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) {
    const double x = real(node, left);
    const double y = real(node, right);
    if (op == Operator::less) return x < y;
    if (op == Operator::less_equal) return x <= y;
    if (op == Operator::greater) return x > y;
    if (op == Operator::greater_equal) return x >= y;
    return (x == y) == (op == Operator::equal);
  }
  if (left.index() != right.index()) {
    fail(node, fmt::format("{} cannot be compared with {}", kind_of(left), kind_of(right)));
  }
  if (op != Operator::equal && op != Operator::not_equal)
    fail(node, fmt::format("{} is compared with == and != only", kind_of(left)));
  return (left == right) == (op == Operator::equal);
}

/// From the left, each operand once, until one comparison does not hold.
bool compare_all(const Node& node, const Parameters& values) {
  Value left = evaluate_node(node.operands[0], values);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const Node& link = node.operands[i];
    if (link.op == Operator::member || link.op == Operator::not_member) {
      const bool found = std::ranges::any_of(link.operands, [&](const Node& element) {
        return compare(link, Operator::equal, left, evaluate_node(element, values));
      });
      return found == (link.op == Operator::member);
    }
    Value right = evaluate_node(link.operands[0], values);
    if (!compare(link, link.op, left, right)) return false;
    left = std::move(right);
  }
  return true;
}

DType element_type(const Node& node, const Value& value) {
  const auto* name = std::get_if<std::string>(&value);
  if (name != nullptr) {
    if (const auto type = parse_enum<DType>(*name)) return *type;
  }
  fail(node, "the name of an element type is needed here, such as dtype or 'f32'");
}

std::string c_name(const Node& node, DType type) {
  // In the order of the types; bf16 has no name that all languages share.
  constexpr std::array names{"float",         "double",         "half",         "",
                             "signed char",   "short",          "int",          "long",
                             "unsigned char", "unsigned short", "unsigned int", "unsigned long"};
  const std::string name = names.at(static_cast<std::size_t>(type));
  if (name.empty())
    fail(node, fmt::format("'{}' has no name that all kernel languages share", to_string(type)));
  return name;
}

Value extreme(const Node& node, const Parameters& values) {
  Value best = evaluate_node(node.operands[0], values);
  double best_number = real(node.operands[0], best);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    Value candidate = evaluate_node(node.operands[i], values);
    const double number = real(node.operands[i], candidate);
    if (node.op == Operator::minimum ? number < best_number : number > best_number) {
      best = std::move(candidate);
      best_number = number;
    }
  }
  return best;
}

Value lookup(const Node& node, const Parameters& values) {
  const auto& name = std::get<std::string>(node.value);
  const auto found = values.find(name);
  if (found == values.end()) fail(node, fmt::format("'{}' has no value here", name));
  const Value& value = found->second;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return checked(node, Wide{*integer});
  if (const auto* number = std::get_if<double>(&value)) return checked(node, *number);
  return value;
}

}  // namespace

Value evaluate_node(const Node& node, const Parameters& values) {
  const auto operand = [&](std::size_t i) { return evaluate_node(node.operands[i], values); };
  switch (node.op) {
    case Operator::literal:
      return node.value;
    case Operator::name:
      return lookup(node, values);
    case Operator::logical_and:
      return truth(node.operands[0], operand(0)) && truth(node.operands[1], operand(1));
    case Operator::logical_or:
      return truth(node.operands[0], operand(0)) || truth(node.operands[1], operand(1));
    case Operator::logical_not:
      return !truth(node.operands[0], operand(0));
    case Operator::negate: {
      const Value value = operand(0);
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return -*integer;
      return -real(node.operands[0], value);
    }
    case Operator::minimum:
    case Operator::maximum:
      return extreme(node, values);
    case Operator::choice:  // the other one may be impossible, and is not looked at
      return operand(truth(node.operands[0], operand(0)) ? 1 : 2);
    case Operator::size_of_type:
      return static_cast<std::int64_t>(size_of(element_type(node.operands[0], operand(0))));
    case Operator::c_type_of:
      return c_name(node.operands[0], element_type(node.operands[0], operand(0)));
    case Operator::comparison:
      return compare_all(node, values);
    case Operator::power:
      return power(node, operand(0), operand(1));
    case Operator::square_root:
    case Operator::logarithm:
      return root_or_logarithm(node, operand(0));
    case Operator::is_power_of_two:
    case Operator::next_power_of_two:
      return power_of_two(node, operand(0));
    default:
      return arithmetic(node, operand(0), operand(1));
  }
}

Expression Expression::parse(std::string_view text) {
  Expression expression;
  expression.text_ = text;
  expression.root_ = std::make_shared<const Node>(parse_expression(text, expression.names_));
  return expression;
}

Value Expression::evaluate(const Parameters& values) const { return evaluate_node(*root_, values); }

bool Expression::holds(const Parameters& values) const { return truth(*root_, evaluate(values)); }

std::uint64_t Expression::count(const Parameters& values) const {
  const Value value = evaluate(values);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (*integer >= 0) return static_cast<std::uint64_t>(*integer);
    fail(*root_, fmt::format("'{}' gives {}, but a count cannot be negative", text_, *integer));
  }
  fail(*root_, fmt::format("'{}' gives {}, but an integer is needed", text_, kind_of(value)));
}

const Expression& parsed_expression(const std::string& text) {
  thread_local std::unordered_map<std::string, Expression> kept;
  const auto found = kept.find(text);
  if (found != kept.end()) return found->second;
  return kept.emplace(text, Expression::parse(text)).first->second;
}

std::string with_values(std::string_view text,
                        const std::function<std::string(const std::string&)>& value) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
    result += text.substr(at, brace - at);
    if (brace == text.size()) break;
    const std::size_t close = text.find_first_of("{}", brace + 1);
    if (text[brace] == '}' || close == std::string_view::npos || text[close] == '{')
      throw ExpressionError(fmt::format("the '{}' has no partner", text[brace]), brace, 1);
    result += value(std::string(text.substr(brace + 1, close - brace - 1)));
    at = close + 1;
  }
  return result;
}

void derive(const std::vector<std::pair<std::string, std::string>>& derived, Parameters& values) {
  for (const auto& [name, text] : derived) {
    try {
      values.insert_or_assign(name, parsed_expression(text).evaluate(values));
    } catch (const ExpressionError& error) {
      throw ExpressionError("derived value " + name + " = \"" + text + "\": " + error.what(),
                            error.offset(), error.length());
    }
  }
}

}  // namespace benchctl
