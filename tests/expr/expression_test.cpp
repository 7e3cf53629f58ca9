#include "expr/expression.hpp"
#include "support/catch.hpp"

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

TEST_CASE("expressions have the values that the documents say") {
  struct Case {
    const char* text;
    Value value;
  };
  // Precedence, integers that stay integers, functions; the root of 94906265 ** 2 - 1 as a double is
  // rounded up.
  const std::vector<Case> cases{{"2 + 3 * 4", integer(14)},
                                {"(2 + 3) * 4", integer(20)},
                                {"10 - 4 - 3", integer(3)},
                                {"100 / 10 / 5", integer(2)},
                                {"17 % 5 * 2", integer(4)},
                                {"-m + 10", integer(3)},
                                {"--m", integer(7)},
                                {"2 * -3", integer(-6)},
                                {"12 / 4", integer(3)},
                                {"7 / 2", 3.5},
                                {"1e8", integer(100'000'000)},
                                {"1.0", 1.0},
                                {".5 + 1", 1.5},
                                {"2 * x", 1.0},
                                {"1.5 / x", 3.0},
                                {"1.5 - x", 1.0},
                                {"ceil_div(n, 100)", integer(6)},
                                {"ceil_div(500, 100)", integer(5)},
                                {"ceil_div(0, 4)", integer(0)},
                                {"min(3, 1, 2)", integer(1)},
                                {"max(3, 1, 2)", integer(3)},
                                {"max(0.5, 0.25)", 0.5},
                                {"sizeof(dtype)", integer(4)},
                                {"sizeof('f64')", integer(8)},
                                {"ctype(dtype)", std::string("float")},
                                {"ctype('f64')", std::string("double")},
                                {"ctype('i8')", std::string("signed char")},
                                {"ctype('u64')", std::string("unsigned long")},
                                {"sizeof('i16') + sizeof('u64')", integer(10)},
                                {"2 * tile * tile * sizeof(dtype)", integer(2048)},
                                {"if(tile == 16, n, m)", integer(512)},
                                {"if(tile != 16, n, m) + 1", integer(8)},
                                {"if(dtype == 'f32', 'a', 'b')", std::string("a")},
                                {"if(true, 1, 1 / 0)", integer(1)},
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
                                {"2 ** -1", 0.5},
                                {"2 ** -1 * 4", 2.0},
                                {"2 * 3 ** 2", integer(18)},
                                {"2 ** 53", integer(std::int64_t{1} << 53)},
                                {"0 ** 0", integer(1)},
                                {"0 ** 9000000000000000", integer(0)},
                                {"1 ** 9000000000000000", integer(1)},
                                {"(-1) ** 9000000000000000", integer(1)},
                                {"(-1) ** 8999999999999999", integer(-1)},
                                {"x ** 2", 0.25},
                                {"4 ** x", 2.0},
                                {"sqrt(0)", integer(0)},
                                {"sqrt(15)", integer(3)},
                                {"sqrt(16)", integer(4)},
                                {"sqrt(94906265 ** 2)", integer(94906265)},
                                {"sqrt(94906265 ** 2 - 1)", integer(94906264)},
                                {"sqrt(6.25)", 2.5},
                                {"log2(1)", integer(0)},
                                {"log2(1023)", integer(9)},
                                {"log2(1024)", integer(10)},
                                {"log2(2 ** 53 - 1)", integer(52)},
                                {"log2(0.25)", -2.0},
                                {"bit_ceil(0)", integer(1)},
                                {"bit_ceil(1)", integer(1)},
                                {"bit_ceil(5)", integer(8)},
                                {"bit_ceil(64)", integer(64)},
                                {"bit_ceil(2 ** 52 + 1)", integer(std::int64_t{1} << 53)}};
  for (const Case& one : cases) {
    CAPTURE(one.text);
    CHECK(eval(one.text) == one.value);
  }
}

TEST_CASE("comparisons, membership and logic, which ends where the answer is known") {
  for (const char* text : {"m * n <= 1e8 and tile <= 32",
                           "m*n<=1e8&&tile<=32",
                           "tile == 16",
                           "tile <= 16",
                           "tile >= 16",
                           "dtype == 'f32'",
                           "dtype != \"f64\"",
                           "16.0 == tile",
                           "not (tile > 16)",
                           "!false",
                           "false or flag",
                           "true || false and false",
                           "not false and true",
                           "true or 1 / 0 == 1",
                           "is_pow2(1)",
                           "is_pow2(2 ** 53)",
                           "tile in [8, 16, 32]",
                           "tile not in [8, 32]",
                           "not tile in [8, 32]",
                           "tile / 2 in [m + 1] and flag",
                           "dtype in ['f64', \"f32\"]",
                           "16.0 in [tile]",
                           "tile in [16, 1 / 0]",
                           "1 <= m < 8",
                           "8 > m > 6 > 5",
                           "1 < 3 > 2",
                           "m == 7 != n",
                           "0 < m in [7, 9]"}) {
    CAPTURE(text);
    CHECK(eval(text) == Value(true));
  }
  for (const char* text :
       {"tile != 16", "tile < 16", "tile > 16", "false and 1 / 0 == 1", "is_pow2(0)", "is_pow2(-4)",
        "is_pow2(96)", "tile in [8, 32]", "tile in []", "1 <= m < 7", "8 < m in [7, 9]", "9 < m < 1 / 0"}) {
    CAPTURE(text);
    CHECK(eval(text) == Value(false));
  }
}

TEST_CASE("integers are exact to 2^53") {
  CHECK(eval("9007199254740991 + 1") == integer(9007199254740992));
  CHECK(eval("0 - 9007199254740991 - 1") == integer(-9007199254740992));
}

TEST_CASE("names are collected, functions and words are not names") {
  const auto expression = Expression::parse("min(m, n) <= 4 and dtype == 'tile' and true");
  CHECK(expression.names() == std::set<std::string, std::less<>>{"dtype", "m", "n"});
  CHECK(expression.text() == "min(m, n) <= 4 and dtype == 'tile' and true");
}

TEST_CASE("errors say what is wrong") {
  const std::map<std::string, std::vector<const char*>> texts_by_error{
      {"2^53", {"9007199254740992 + 1", "3037000500 * 3037000500", "huge"}},
      {"a condition is needed", {"if(n, 1, 2)", "n and true", "not n"}},
      {"division by zero", {"ceil_div(n, 0)", "1.0 / 0"}},
      {"integers", {"7.5 % 2"}},
      {"== and !=", {"dtype < 'f64'"}},
      {"cannot be compared", {"dtype == 3"}},
      {"a number is needed", {"dtype + 1"}},
      {"element type", {"sizeof(n)", "sizeof('i24')"}},
      {"bf16", {"ctype('bf16')"}},
      {"2 or more", {"min(1)"}},
      {"takes 2", {"ceil_div(1, 2, 3)"}},
      {"never closed", {"'open"}},
      {"not a number", {"1e400"}},
      {"expected ')'", {"(1 + 2"}},
      {"the expression ends", {"1 +"}},
      {"an operator or the end", {"n n", "1.2.3"}},
      {"unknown function", {"system('ls')"}},
      {"empty", {"", "  "}},
      {"';'", {"a; b"}},
      {"expected", {"and"}}};
  for (const auto& [message, texts] : texts_by_error) {
    for (const char* text : texts) {
      CAPTURE(text);
      CHECK_THAT(error_of(text).message, ContainsSubstring(message));
    }
  }
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

TEST_CASE("what an operator or function cannot take is an error at its place") {
  struct Case {
    std::string text;
    std::string at;
    std::string message;
  };
  const std::vector<Case> cases{{"n + nn", "nn", "'nn' has no value"},
                                {"n / (m - 7)", "/", "division by zero"},
                                {"foo(1)", "foo", "unknown function"},
                                {"m = 99", "=", "'=='"},
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
                                {"in", "in", "expected a number"}};
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
