#include "expr/expression.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

#include <fmt/format.h>

#include <sstream>

using benchctl::Expression;
using benchctl::ExpressionError;
using benchctl::Parameters;
using benchctl::Value;

namespace {

const Parameters values{
    {"m", std::int64_t{7}},         {"n", std::int64_t{512}}, {"tile", std::int64_t{16}},
    {"dtype", std::string("f32")},  {"flag", true},           {"x", 0.5},
    {"huge", std::int64_t{1} << 60}};

/// The value of each line, as it would be written, or the error and what it points at.
std::vector<std::string> answers(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    try {
      lines.push_back(line + ": " + benchctl::test::written(Expression::parse(line).evaluate(values)));
    } catch (const ExpressionError& error) {
      lines.push_back(
          fmt::format("{}: '{}': {}", line, line.substr(error.offset(), error.length()), error.what()));
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("expressions have the values that the documents say, or errors at their place") {
  benchctl::test::check_cases("expression_cases.txt", answers);
  CHECK_THROWS_WITH(Expression::parse(""), ContainsSubstring("empty"));
  CHECK_THROWS_WITH(Expression::parse("  "), ContainsSubstring("empty"));
}

TEST_CASE("names are collected, functions and words are not names") {
  const auto expression = Expression::parse("min(m, n) <= 4 and dtype == 'tile' and true");
  CHECK(expression.names() == std::set<std::string, std::less<>>{"dtype", "m", "n"});
  CHECK(expression.text() == "min(m, n) <= 4 and dtype == 'tile' and true");
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
  CHECK(Expression::parse("tile == 16").holds(values));
  CHECK_FALSE(Expression::parse("tile == 8").holds(values));
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
