#include "expr/expression.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using benchctl::Expression;
using benchctl::ExpressionError;
using benchctl::Parameters;
using benchctl::Value;
using Catch::Matchers::ContainsSubstring;

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
  CHECK_THAT(error_of("(0 - 3) % 2").message, ContainsSubstring("negative"));
  CHECK_THAT(error_of("7.5 % 2").message, ContainsSubstring("integers"));
  CHECK_THAT(error_of("dtype < 'f64'").message, ContainsSubstring("== and !="));
  CHECK_THAT(error_of("dtype == 3").message, ContainsSubstring("cannot be compared"));
  CHECK_THAT(error_of("dtype + 1").message, ContainsSubstring("a number is needed"));
  CHECK_THAT(error_of("n and true").message, ContainsSubstring("a condition is needed"));
  CHECK_THAT(error_of("not n").message, ContainsSubstring("a condition is needed"));
  CHECK_THAT(error_of("sizeof(n)").message, ContainsSubstring("element type"));
  CHECK_THAT(error_of("ctype('bf16')").message, ContainsSubstring("bf16"));
  CHECK(error_of("foo(1)").at == "foo");
  CHECK_THAT(error_of("min(1)").message, ContainsSubstring("2 or more"));
  CHECK_THAT(error_of("ceil_div(1, 2, 3)").message, ContainsSubstring("takes 2"));
  CHECK_THAT(error_of("1 < 2 < 3").message, ContainsSubstring("chained"));
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

TEST_CASE("floor_div cuts off, and takes integers only") {
  CHECK(std::get<std::int64_t>(Expression::parse("floor_div(7, 2)").evaluate({})) == 3);
  CHECK(std::get<std::int64_t>(Expression::parse("floor_div(8, 2)").evaluate({})) == 4);
  CHECK(std::get<std::int64_t>(Expression::parse("floor_div(1, 2)").evaluate({})) == 0);
  CHECK_THROWS_AS(Expression::parse("floor_div(7.5, 2)").evaluate({}), ExpressionError);
  CHECK_THROWS_AS(Expression::parse("floor_div(7, 0)").evaluate({}), ExpressionError);
  CHECK_THROWS_AS(Expression::parse("floor_div(-7, 2)").evaluate({}), ExpressionError);
}
