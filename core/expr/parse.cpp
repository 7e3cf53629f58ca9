// A recursive-descent parser, one function per level of precedence:
//   or  <  and  <  not  <  comparison, in  <  + -  <  * / // %  <  unary -  <  **  <  primary
#include "expr/node.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace benchctl {

namespace {

using Node = Expression::Node;

enum class TokenKind : std::uint8_t { end, number, text, name, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view spelling;  // quotes included
  std::size_t offset = 0;
};

struct Function {
  std::string_view name;
  Operator op;
  std::size_t least;
  std::size_t most;
};

constexpr std::array<Function, 10> functions{{{"min", Operator::minimum, 2, 16},
                                              {"max", Operator::maximum, 2, 16},
                                              {"ceil_div", Operator::ceil_div, 2, 2},
                                              {"sqrt", Operator::square_root, 1, 1},
                                              {"log2", Operator::logarithm, 1, 1},
                                              {"is_pow2", Operator::is_power_of_two, 1, 1},
                                              {"bit_ceil", Operator::next_power_of_two, 1, 1},
                                              {"sizeof", Operator::size_of_type, 1, 1},
                                              {"ctype", Operator::c_type_of, 1, 1},
                                              {"if", Operator::choice, 3, 3}}};

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(std::string_view text, std::set<std::string, std::less<>>& names) : text_(text), names_(names) {
    if (text.size() > max_expression_length) {
      throw ExpressionError(fmt::format("an expression may have at most {} characters, this one has {}",
                                        max_expression_length, text.size()),
                            0, text.size());
    }
    advance();
  }

  Node whole() {
    if (token_.kind == TokenKind::end) throw ExpressionError("the expression is empty", 0, text_.size());
    Node node = disjunction();
    if (token_.kind != TokenKind::end) fail("expected an operator or the end here");
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    const std::size_t length = std::max<std::size_t>(token_.spelling.size(), 1);
    if (token_.spelling == "=") {
      throw ExpressionError("'=' does not compare and nothing can be assigned here; write '=='",
                            token_.offset, length);
    }
    if (token_.kind == TokenKind::end) {
      throw ExpressionError(message + ", but the expression ends", token_.offset, length);
    }
    throw ExpressionError(fmt::format("{}, found '{}'", message, token_.spelling), token_.offset, length);
  }

  void advance() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    token_ = {TokenKind::end, {}, position_};
    if (position_ == text_.size()) return;
    const char c = text_[position_];
    if (is_digit(c) || (c == '.' && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]))) {
      take(TokenKind::number, number_length());
    } else if (is_name_start(c)) {
      std::size_t end = position_;
      while (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) ++end;
      take(TokenKind::name, end - position_);
    } else if (c == '\'' || c == '"') {
      const std::size_t close = text_.find(c, position_ + 1);
      if (close == std::string_view::npos) {
        throw ExpressionError("this quote is never closed", position_, text_.size() - position_);
      }
      take(TokenKind::text, close + 1 - position_);
    } else {
      take(TokenKind::symbol, symbol_length());
    }
  }

  void take(TokenKind kind, std::size_t length) {
    token_ = {kind, text_.substr(position_, length), position_};
    position_ += length;
  }

  [[nodiscard]] std::size_t number_length() const {
    double number = 0;
    const std::string_view rest = text_.substr(position_);
    return static_cast<std::size_t>(std::from_chars(rest.data(), rest.data() + rest.size(), number).ptr -
                                    rest.data());
  }

  [[nodiscard]] std::size_t symbol_length() const {
    const std::string_view two = text_.substr(position_, 2);
    for (const std::string_view symbol : {"==", "!=", "<=", ">=", "&&", "||", "//", "**"}) {
      if (two == symbol) return 2;
    }
    return 1;
  }

  [[nodiscard]] bool at(std::string_view spelling) const {
    return token_.kind != TokenKind::text && token_.spelling == spelling;
  }

  Node binary(Operator op, Node left, Node right, std::size_t offset, std::size_t length) {
    Node node;
    node.op = op;
    node.offset = offset;
    node.length = length;
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    return node;
  }

  using Level = Node (Parser::*)();
  struct Choice {
    std::string_view spelling;
    Operator op;
  };

  /// Left-associative operators of one level.
  template <std::size_t N>
  Node chain(Level next, const Choice (&choices)[N]) {
    Node node = (this->*next)();
    int length = 0;
    for (bool found = true; found;) {
      found = false;
      for (const Choice& choice : choices) {
        if (!at(choice.spelling)) continue;
        if (++length > max_expression_depth) fail("too many operators in a row");
        const Token token = token_;
        advance();
        node = binary(choice.op, std::move(node), (this->*next)(), token.offset, token.spelling.size());
        found = true;
        break;
      }
    }
    return node;
  }

  Node disjunction() {
    static constexpr Choice choices[] = {{"or", Operator::logical_or}, {"||", Operator::logical_or}};
    return chain(&Parser::conjunction, choices);
  }
  Node conjunction() {
    static constexpr Choice choices[] = {{"and", Operator::logical_and}, {"&&", Operator::logical_and}};
    return chain(&Parser::negation, choices);
  }

  Node prefix(Operator op, Level operand) {
    Node node;
    node.op = op;
    node.offset = token_.offset;
    node.length = token_.spelling.size();
    advance();
    enter();
    node.operands.push_back((this->*operand)());
    --depth_;
    return node;
  }

  Node negation() {
    if (at("not") || at("!")) return prefix(Operator::logical_not, &Parser::negation);
    return comparison();
  }

  /// The comparison that begins here, without what is to its right; `literal` if none does.
  Node link() {
    static constexpr Choice choices[] = {{"==", Operator::equal},      {"!=", Operator::not_equal},
                                         {"<=", Operator::less_equal}, {">=", Operator::greater_equal},
                                         {"<", Operator::less},        {">", Operator::greater},
                                         {"in", Operator::member},     {"not", Operator::not_member}};
    Node node;
    node.offset = token_.offset;
    for (const Choice& choice : choices) {
      if (!at(choice.spelling)) continue;
      node.op = choice.op;
      if (choice.op == Operator::not_member) {
        advance();
        if (!at("in")) fail("expected 'in' behind 'not'");
      }
      node.length = token_.offset + token_.spelling.size() - node.offset;
      break;
    }
    return node;
  }

  /// `a < b <= c`: the first operand, then a link for each operator, which has what is to its right.
  Node comparison() {
    Node first = sum();
    Node next = link();
    if (next.op == Operator::literal) return first;
    Node node;
    node.op = Operator::comparison;
    node.offset = next.offset;
    node.length = next.length;
    node.operands.push_back(std::move(first));
    bool ends = false;  // with a list, which nothing is compared with
    for (; next.op != Operator::literal; next = link()) {
      if (ends) fail("a list cannot be compared; join two conditions with 'and'");
      if (node.operands.size() > max_expression_depth) fail("too many operators in a row");
      advance();
      ends = next.op == Operator::member || next.op == Operator::not_member;
      if (ends) {
        if (!at("[")) fail("expected a list such as [1, 2]");
        elements(next, "]");
      } else {
        next.operands.push_back(sum());
      }
      node.operands.push_back(std::move(next));
    }
    return node;
  }

  Node sum() {
    static constexpr Choice choices[] = {{"+", Operator::add}, {"-", Operator::subtract}};
    return chain(&Parser::product, choices);
  }
  Node product() {
    static constexpr Choice choices[] = {{"*", Operator::multiply},
                                         {"/", Operator::divide},
                                         {"//", Operator::floor_div},
                                         {"%", Operator::modulo}};
    return chain(&Parser::unary, choices);
  }
  Node unary() {
    if (at("-")) return prefix(Operator::negate, &Parser::unary);
    return power();
  }
  /// From the right: 2 ** 3 ** 2 is 2 ** 9, and -2 ** 2 is -4.
  Node power() {
    Node base = primary();
    if (!at("**")) return base;
    Node node = prefix(Operator::power, &Parser::unary);
    node.operands.insert(node.operands.begin(), std::move(base));
    return node;
  }

  void enter() {
    if (++depth_ > max_expression_depth) {
      throw ExpressionError(fmt::format("nested deeper than {} levels", max_expression_depth),
                            token_.offset, std::max<std::size_t>(token_.spelling.size(), 1));
    }
  }

  Node primary() {
    if (at("(")) {
      advance();
      enter();
      Node node = disjunction();
      --depth_;
      if (!at(")")) fail("expected ')'");
      advance();
      return node;
    }
    Node node;
    node.offset = token_.offset;
    node.length = token_.spelling.size();
    switch (token_.kind) {
      case TokenKind::number:
        node.value = number(token_.spelling);
        advance();
        return node;
      case TokenKind::text:
        node.value = std::string(token_.spelling.substr(1, token_.spelling.size() - 2));
        advance();
        return node;
      case TokenKind::name:
        return name_or_call(std::move(node));
      case TokenKind::end:
      case TokenKind::symbol:
        break;
    }
    fail("expected a number, a name, a quoted word or '('");
  }

  Node name_or_call(Node node) {
    const std::string name(token_.spelling);
    if (name == "and" || name == "or" || name == "not" || name == "in")
      fail("expected a number, a name or '('");
    advance();
    if (name == "true" || name == "false") {
      node.value = name == "true";
      return node;
    }
    if (!at("(")) {
      node.op = Operator::name;
      node.value = name;
      names_.insert(name);
      return node;
    }
    for (const Function& function : functions) {
      if (function.name == name) return call(function, std::move(node));
    }
    std::string known;
    for (const Function& function : functions) {
      known += (known.empty() ? "" : ", ") + std::string(function.name);
    }
    throw ExpressionError(fmt::format("unknown function '{}'; there are {}", name, known), node.offset,
                          node.length);
  }

  /// What stands between brackets, separated by commas.
  void elements(Node& node, std::string_view close) {
    advance();  // the bracket
    enter();
    if (!at(close)) {
      node.operands.push_back(disjunction());
      while (at(",")) {
        advance();
        node.operands.push_back(disjunction());
      }
    }
    --depth_;
    if (!at(close)) fail(fmt::format("expected ',' or '{}'", close));
    advance();
  }

  Node call(const Function& function, Node node) {
    node.op = function.op;
    elements(node, ")");
    if (node.operands.size() < function.least || node.operands.size() > function.most) {
      throw ExpressionError(
          fmt::format("{} takes {}, not {} arguments", function.name,
                      function.least == function.most ? fmt::format("{}", function.least)
                                                      : fmt::format("{} or more", function.least),
                      node.operands.size()),
          node.offset, node.length);
    }
    return node;
  }

  [[nodiscard]] Value number(std::string_view spelling) const {
    double real = 0;
    const std::errc error = std::from_chars(spelling.data(), spelling.data() + spelling.size(), real).ec;
    if (error != std::errc()) {
      throw ExpressionError(fmt::format("'{}' is not a number", spelling), token_.offset, spelling.size());
    }
    // 1e8 is as good an integer as 100000000.
    if (spelling.find('.') == std::string_view::npos && real == std::floor(real) && real <= 0x1p53) {
      return static_cast<std::int64_t>(real);
    }
    return real;
  }

  std::string_view text_;
  std::set<std::string, std::less<>>& names_;
  std::size_t position_ = 0;
  Token token_;
  int depth_ = 0;
};

}  // namespace

Node parse_expression(std::string_view text, std::set<std::string, std::less<>>& names) {
  return Parser(text, names).whole();
}

}  // namespace benchctl
