#include "expr/expression.hpp"
#include "support/catch.hpp"

#include <vector>

using benchctl::Expression;
using benchctl::ExpressionError;
using benchctl::Parameters;
using benchctl::Value;

namespace {

const Parameters values{
    {"m", std::int64_t{7}},         {"n", std::int64_t{512}}, {"tile", std::int64_t{16}},
    {"dtype", std::string("f32")},  {"flag", true},           {"x", 0.5},
    {"huge", std::int64_t{1} << 60}};

Value eval(std::string_view text) { return Expression::parse(text).evaluate(values); }
bool holds(std::string_view text) { return Expression::parse(text).holds(values); }
Value integer(std::int64_t number) { return Value(number); }

/// The error of parsing or evaluating, with the text it points at.
struct Seen {
  std::string message;
  std::string at;
};
Seen error_of(std::string_view text) {
  try {
    static_cast<void>(eval(text));
  } catch (const ExpressionError& error) {
    return {error.what(), std::string(text.substr(error.offset(), error.length()))};
  }
  return {"no error", ""};
}

}  // namespace

TEST_CASE("arithmetic follows the usual precedence and associativity") {
  CHECK(eval("2 + 3 * 4") == integer(14));
  CHECK(eval("(2 + 3) * 4") == integer(20));
  CHECK(eval("10 - 4 - 3") == integer(3));
  CHECK(eval("100 / 10 / 5") == integer(2));
  CHECK(eval("17 % 5 * 2") == integer(4));
  CHECK(eval("-m + 10") == integer(3));
  CHECK(eval("--m") == integer(7));
  CHECK(eval("2 * -3") == integer(-6));
}

TEST_CASE("integers stay integers where the result is one") {
  CHECK(eval("12 / 4") == integer(3));
  CHECK(eval("7 / 2") == Value(3.5));
  CHECK(eval("1e8") == integer(100'000'000));
  CHECK(eval("1.0") == Value(1.0));
  CHECK(eval(".5 + 1") == Value(1.5));
  CHECK(eval("2 * x") == Value(1.0));
  CHECK(eval("1.5 / x") == Value(3.0));
  CHECK(eval("1.5 - x") == Value(1.0));
}

TEST_CASE("integers are exact to 2^53 and refused beyond") {
  CHECK(eval("9007199254740991 + 1") == integer(9007199254740992));
  CHECK(eval("0 - 9007199254740991 - 1") == integer(-9007199254740992));
  CHECK_THAT(error_of("9007199254740992 + 1").message, ContainsSubstring("2^53"));
  CHECK_THAT(error_of("3037000500 * 3037000500").message, ContainsSubstring("2^53"));
  CHECK_THAT(error_of("huge").message, ContainsSubstring("2^53"));
}

TEST_CASE("functions") {
  CHECK(eval("ceil_div(n, 100)") == integer(6));
  CHECK(eval("ceil_div(500, 100)") == integer(5));
  CHECK(eval("ceil_div(0, 4)") == integer(0));
  CHECK(eval("min(3, 1, 2)") == integer(1));
  CHECK(eval("max(3, 1, 2)") == integer(3));
  CHECK(eval("max(0.5, 0.25)") == Value(0.5));
  CHECK(eval("sizeof(dtype)") == integer(4));
  CHECK(eval("sizeof('f64')") == integer(8));
  CHECK(eval("ctype(dtype)") == Value(std::string("float")));
  CHECK(eval("ctype('f64')") == Value(std::string("double")));
  CHECK(eval("ctype('i8')") == Value(std::string("signed char")));
  CHECK(eval("ctype('u64')") == Value(std::string("unsigned long")));
  CHECK(eval("sizeof('i16') + sizeof('u64')") == Value(std::int64_t{10}));
  CHECK(eval("2 * tile * tile * sizeof(dtype)") == integer(2048));
  CHECK(eval("if(tile == 16, n, m)") == integer(512));
  CHECK(eval("if(tile != 16, n, m) + 1") == integer(8));
  CHECK(eval("if(dtype == 'f32', 'a', 'b')") == Value(std::string("a")));
  CHECK(eval("if(true, 1, 1 / 0)") == integer(1));
  CHECK_THAT(error_of("if(n, 1, 2)").message, ContainsSubstring("a condition is needed"));
}

TEST_CASE("comparisons and logic") {
  CHECK(holds("m * n <= 1e8 and tile <= 32"));
  CHECK(holds("m*n<=1e8&&tile<=32"));
  CHECK(holds("tile == 16"));
  CHECK_FALSE(holds("tile != 16"));
  CHECK_FALSE(holds("tile < 16"));
  CHECK(holds("tile <= 16"));
  CHECK(holds("tile >= 16"));
  CHECK_FALSE(holds("tile > 16"));
  CHECK(holds("dtype == 'f32'"));
  CHECK(holds("dtype != \"f64\""));
  CHECK(holds("16.0 == tile"));
  CHECK(holds("not (tile > 16)"));
  CHECK(holds("!false"));
  CHECK(holds("false or flag"));
  CHECK(holds("true || false and false"));
  CHECK(holds("not false and true"));
}

TEST_CASE("logic stops as soon as the answer is known") {
  CHECK(holds("true or 1 / 0 == 1"));
  CHECK_FALSE(holds("false and 1 / 0 == 1"));
}

TEST_CASE("names are collected, functions and words are not names") {
  const auto expression = Expression::parse("min(m, n) <= 4 and dtype == 'tile' and true");
  CHECK(expression.names() == std::set<std::string, std::less<>>{"dtype", "m", "n"});
  CHECK(expression.text() == "min(m, n) <= 4 and dtype == 'tile' and true");
}

TEST_CASE("nothing can be assigned") {
  const Seen seen = error_of("m = 99");
  CHECK_THAT(seen.message, ContainsSubstring("'=='"));
  CHECK(seen.at == "=");
}

TEST_CASE("errors point at the offending part") {
  CHECK(error_of("n + nn").at == "nn");
  CHECK_THAT(error_of("n + nn").message, ContainsSubstring("'nn' has no value"));
  CHECK(error_of("n / (m - 7)").at == "/");
  CHECK_THAT(error_of("n % 0").message, ContainsSubstring("division by zero"));
  CHECK_THAT(error_of("ceil_div(n, 0)").message, ContainsSubstring("division by zero"));
  CHECK_THAT(error_of("1.0 / 0").message, ContainsSubstring("division by zero"));
  CHECK_THAT(error_of("7.5 % 2").message, ContainsSubstring("integers"));
  CHECK_THAT(error_of("dtype < 'f64'").message, ContainsSubstring("== and !="));
  CHECK_THAT(error_of("dtype == 3").message, ContainsSubstring("cannot be compared"));
  CHECK_THAT(error_of("dtype + 1").message, ContainsSubstring("a number is needed"));
  CHECK_THAT(error_of("n and true").message, ContainsSubstring("a condition is needed"));
  CHECK_THAT(error_of("not n").message, ContainsSubstring("a condition is needed"));
  CHECK_THAT(error_of("sizeof(n)").message, ContainsSubstring("element type"));
  CHECK_THAT(error_of("ctype('bf16')").message, ContainsSubstring("bf16"));
  CHECK_THAT(error_of("sizeof('i24')").message, ContainsSubstring("element type"));
  CHECK(error_of("foo(1)").at == "foo");
  CHECK_THAT(error_of("min(1)").message, ContainsSubstring("2 or more"));
  CHECK_THAT(error_of("ceil_div(1, 2, 3)").message, ContainsSubstring("takes 2"));
  CHECK_THAT(error_of("'open").message, ContainsSubstring("never closed"));
  CHECK_THAT(error_of("1.2.3").message, ContainsSubstring("not a number"));
  CHECK_THAT(error_of("(1 + 2").message, ContainsSubstring("expected ')'"));
  CHECK_THAT(error_of("1 +").message, ContainsSubstring("the expression ends"));
  CHECK_THAT(error_of("n n").message, ContainsSubstring("an operator or the end"));
  CHECK_THAT(error_of("system('ls')").message, ContainsSubstring("unknown function"));
  CHECK_THAT(error_of("").message, ContainsSubstring("empty"));
  CHECK_THAT(error_of("  ").message, ContainsSubstring("empty"));
  CHECK_THAT(error_of("a; b").message, ContainsSubstring("';'"));
  CHECK_THAT(error_of("and").message, ContainsSubstring("expected"));
}

TEST_CASE("length and depth are limited") {
  CHECK_NOTHROW(Expression::parse(std::string(500, ' ') + "1" + std::string(499, ' ')));
  CHECK_THROWS_AS(Expression::parse(std::string(1000, ' ') + "1"), ExpressionError);
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "1" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  CHECK_NOTHROW(Expression::parse(nested(64)));
  CHECK_THROWS_AS(Expression::parse(nested(65)), ExpressionError);
  CHECK_NOTHROW(Expression::parse(std::string(64, '-') + "1"));
  CHECK_THROWS_AS(Expression::parse(std::string(65, '-') + "1"), ExpressionError);
  CHECK_THROWS_AS(Expression::parse(std::string(65, '!') + "true"), ExpressionError);
  std::string chain = "1";
  for (int i = 0; i < 64; ++i) chain += "+1";
  CHECK(Expression::parse(chain).evaluate({}) == Value(std::int64_t{65}));
  CHECK_THROWS_AS(Expression::parse(chain + "+1"), ExpressionError);
}

TEST_CASE("counts are whole and not negative") {
  CHECK(Expression::parse("ceil_div(n, tile)").count(values) == 32);
  CHECK(Expression::parse("m - 7").count(values) == 0);
  CHECK_THROWS_AS(Expression::parse("m - 8").count(values), ExpressionError);
  CHECK_THROWS_AS(Expression::parse("m / 2").count(values), ExpressionError);
  CHECK_THROWS_AS(Expression::parse("true").count(values), ExpressionError);
  CHECK_THROWS_AS(Expression::parse("3").holds(values), ExpressionError);
}

TEST_CASE("operators and functions give what the table in the documents says") {
  struct Case {
    std::string text;
    Value value;
  };
  const std::vector<Case> cases{
      {"7 // 2", integer(3)},
      {"-7 // 2", integer(-4)},
      {"7 // -2", integer(-4)},
      {"-7 // -2", integer(3)},
      {"-8 // 2", integer(-4)},
      {"7 // 2 // 2", integer(1)},
      {"2 * 7 // 4", integer(3)},
      {"1 // 2", integer(0)},
      {"ceil_div(-7, 2)", integer(-3)},
      {"ceil_div(7, -2)", integer(-3)},
      {"-7 % 3", integer(2)},
      {"7 % -3", integer(-2)},
      {"-7 % -3", integer(-1)},
      {"-6 % 3", integer(0)},
      {"2 ** 10", integer(1024)},
      {"2 ** 3 ** 2", integer(512)},
      {"(2 ** 3) ** 2", integer(64)},
      {"-2 ** 2", integer(-4)},
      {"(-2) ** 3", integer(-8)},
      {"2 ** -1", Value(0.5)},
      {"2 ** -1 * 4", Value(2.0)},
      {"2 * 3 ** 2", integer(18)},
      {"2 ** 53", integer(std::int64_t{1} << 53)},
      {"0 ** 0", integer(1)},
      {"0 ** 9000000000000000", integer(0)},
      {"1 ** 9000000000000000", integer(1)},
      {"(-1) ** 9000000000000000", integer(1)},
      {"(-1) ** 8999999999999999", integer(-1)},
      {"x ** 2", Value(0.25)},
      {"4 ** x", Value(2.0)},
      {"sqrt(0)", integer(0)},
      {"sqrt(15)", integer(3)},
      {"sqrt(16)", integer(4)},
      {"sqrt(94906265 ** 2)", integer(94906265)},
      // The root of this as a double is rounded up.
      {"sqrt(94906265 ** 2 - 1)", integer(94906264)},
      {"sqrt(6.25)", Value(2.5)},
      {"log2(1)", integer(0)},
      {"log2(1023)", integer(9)},
      {"log2(1024)", integer(10)},
      {"log2(2 ** 53 - 1)", integer(52)},
      {"log2(0.25)", Value(-2.0)},
      {"is_pow2(1)", Value(true)},
      {"is_pow2(0)", Value(false)},
      {"is_pow2(-4)", Value(false)},
      {"is_pow2(96)", Value(false)},
      {"is_pow2(2 ** 53)", Value(true)},
      {"bit_ceil(0)", integer(1)},
      {"bit_ceil(1)", integer(1)},
      {"bit_ceil(5)", integer(8)},
      {"bit_ceil(64)", integer(64)},
      {"bit_ceil(2 ** 52 + 1)", integer(std::int64_t{1} << 53)},
      {"tile in [8, 16, 32]", Value(true)},
      {"tile in [8, 32]", Value(false)},
      {"tile not in [8, 32]", Value(true)},
      {"not tile in [8, 32]", Value(true)},
      {"tile in []", Value(false)},
      {"tile / 2 in [m + 1] and flag", Value(true)},
      {"dtype in ['f64', \"f32\"]", Value(true)},
      {"16.0 in [tile]", Value(true)},
      {"tile in [16, 1 / 0]", Value(true)},
      {"1 <= m < 8", Value(true)},
      {"1 <= m < 7", Value(false)},
      {"8 > m > 6 > 5", Value(true)},
      {"1 < 3 > 2", Value(true)},
      {"m == 7 != n", Value(true)},
      {"0 < m in [7, 9]", Value(true)},
      {"8 < m in [7, 9]", Value(false)},
      {"9 < m < 1 / 0", Value(false)},  // it ends where one does not hold
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(eval(one.text) == one.value);
  }
}

TEST_CASE("what an operator or function cannot take is an error at its place") {
  struct Case {
    std::string text;
    std::string at;
    std::string message;
  };
  const std::vector<Case> cases{
      {"n // (m - 7)", "//", "division by zero"},
      {"7.5 // 2", "//", "take integers"},
      {"n % 0", "%", "division by zero"},
      {"ceil_div(7.5, 2)", "ceil_div", "take integers"},
      {"1 + 2 ** 54", "**", "2^53"},
      {"(-3) ** 40", "**", "2^53"},
      {"10 ** n", "**", "2^53"},
      {"1e300 ** 2", "**", "not a finite number"},
      {"0 ** -1", "**", "division by zero"},
      {"(-2) ** 0.5", "**", "whole powers"},
      {"dtype ** 2", "dtype", "a number is needed"},
      {"2 * * 3", "*", "expected a number"},
      {"sqrt(m - 8)", "sqrt", "no negative number, this is -1"},
      {"log2(0)", "log2", "positive numbers, this is 0"},
      {"bit_ceil(-1)", "bit_ceil", "no negative number"},
      {"bit_ceil(0.5)", "0.5", "an integer is needed"},
      {"is_pow2(dtype)", "dtype", "an integer is needed"},
      {"sqrt(flag)", "flag", "a number is needed"},
      {"sqrt(1, 2)", "sqrt", "takes 1"},
      {"tile in 16", "16", "expected a list"},
      {"tile in [16", "", "expected ',' or ']'"},
      {"tile in ['f32']", "in", "cannot be compared"},
      {"tile not in ['f32']", "not in", "cannot be compared"},
      {"tile not 16", "16", "expected 'in' behind 'not'"},
      {"tile in [16] == true", "==", "a list cannot be compared"},
      {"1 < m < dtype", "<", "cannot be compared"},
      {"[1, 2]", "[", "expected a number"},
      {"in", "in", "expected a number"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.text);
    const Seen seen = error_of(one.text);
    CHECK_THAT(seen.message, ContainsSubstring(one.message));
    CHECK(seen.at == one.at);
  }
}

TEST_CASE("powers, lists and chains are limited in depth, too") {
  const auto repeated = [](const std::string& before, const std::string& text, int times,
                           const std::string& after = "") {
    std::string whole = before;
    for (int i = 0; i < times; ++i) whole += text;
    for (int i = 0; i < times; ++i) whole += after;
    return whole;
  };
  CHECK_NOTHROW(Expression::parse(repeated("1", "**1", 64)));
  CHECK_THROWS_AS(Expression::parse(repeated("1", "**1", 65)), ExpressionError);
  CHECK_NOTHROW(Expression::parse(repeated("1", "<1", 64)));
  CHECK_THROWS_AS(Expression::parse(repeated("1", "<1", 65)), ExpressionError);
  CHECK_NOTHROW(Expression::parse(repeated("1", " in[1", 64, "]")));
  CHECK_THROWS_AS(Expression::parse(repeated("1", " in[1", 65, "]")), ExpressionError);
}

TEST_CASE("braces of a text are replaced, and none is left over") {
  const auto doubled = [](const std::string& text) { return text + text; };
  CHECK(benchctl::with_values("-a={x},{y}.", doubled) == "-a=xx,yy.");
  CHECK(benchctl::with_values("plain", doubled) == "plain");
  for (const char* bad : {"{x", "x}", "{x{y}}"})
    CHECK_THROWS_AS(benchctl::with_values(bad, doubled), ExpressionError);
}
