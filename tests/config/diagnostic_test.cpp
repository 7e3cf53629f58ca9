#include "config/diagnostic.hpp"
#include "support/catch.hpp"

using namespace benchctl;

TEST_CASE("a finding is printed like a compiler's, with the line and a caret") {
  Reporter reporter({SourceText{"configs/x.toml", "a = 1\n  tiel = [1]\n"}});
  reporter.unknown_name({2, 3, 0}, "tiel", "unknown axis 'tiel'", {"n", "tile"});
  CHECK(to_text(reporter.diagnostics().front()) ==
        "configs/x.toml:2:3: error: unknown axis 'tiel'; expected one of n, tile; did you mean 'tile'?\n"
        "    tiel = [1]\n"
        "    ^");
}

TEST_CASE("parts that are not there leave no trace") {
  Reporter reporter({SourceText{"x.toml", "a = 1"}});
  CHECK(to_text(reporter.error({}, "no such file")) == "x.toml: error: no such file");
  CHECK(to_text(reporter.error({1, 5, 0}, "odd")) == "x.toml:1:5: error: odd\n  a = 1\n      ^");
  CHECK(to_text(reporter.error({9, 1, 0}, "beyond")) == "x.toml:9:1: error: beyond");
  CHECK(to_text(reporter.warning({1, 1, 0}, "hm")) == "x.toml:1:1: warning: hm\n  a = 1\n  ^");
  CHECK(to_text(reporter.unknown_name({1, 1, 0}, "b", "no 'b'", {"alone"})) ==
        "x.toml:1:1: error: no 'b'; expected alone\n  a = 1\n  ^");
  CHECK(to_text(reporter.unknown_name({1, 1, 0}, "b", "no 'b'", {})) ==
        "x.toml:1:1: error: no 'b'\n  a = 1\n  ^");
}

TEST_CASE("the caret stands under its column behind tabs, wide letters and before a line's end") {
  Reporter reporter({SourceText{"x", "\té = 1\r\nz"}});
  CHECK(to_text(reporter.error({1, 6, 0}, "m")) == "x:1:6: error: m\n  \té = 1\n  \t    ^");
}

TEST_CASE("of a long line what is near the place is shown, with the caret under it") {
  const std::string before(500, '-');
  Reporter reporter({SourceText{"x", before + "é = 1" + std::string(500, '+')}});
  CHECK(to_text(reporter.error({1, 505, 0}, "m")) == "x:1:505: error: m\n  …" + std::string(75, '-') +
                                                         "é = 1" + std::string(119, '+') + "…\n  " +
                                                         std::string(80, ' ') + "^");
  CHECK(to_text(reporter.error({1, 1, 0}, "m")) ==
        "x:1:1: error: m\n  " + std::string(200, '-') + "…\n  ^");
}

TEST_CASE("warnings beyond the first hundred are counted") {
  Reporter reporter({SourceText{"x", "a"}});
  for (std::size_t i = 0; i < max_diagnostics + 7; ++i) {
    reporter.warning({1, 1, 0}, "hm").suggestion = "a";
  }
  reporter.error({1, 1, 0}, "no");
  const auto findings = reporter.take();
  REQUIRE(findings.size() == max_diagnostics + 2);
  CHECK(to_text(findings.back()) == "x: warning: 7 more warnings are not shown");
  CHECK(reporter.take().empty());
}

TEST_CASE("findings are thrown together, in the order of the text") {
  Reporter reporter({{"x", "a\nb\nc"}, {"--set", "n=1"}});
  reporter.error({1, 2, 1}, "set");
  reporter.error({3, 1, 0}, "third");
  reporter.error({1, 2, 0}, "second");
  reporter.error({1, 1, 0}, "first");
  std::string text;
  std::size_t count = 0;
  try {
    reporter.throw_if_any();
  } catch (const ConfigErrors& errors) {
    text = errors.what();
    count = errors.diagnostics().size();
  }
  CHECK(count == 4);
  CHECK(text ==
        "x:1:1: error: first\n  a\n  ^\nx:1:2: error: second\n  a\n   ^\nx:3:1: error: third\n  c\n  ^\n"
        "--set:1:2: error: set\n  n=1\n   ^");
  CHECK_NOTHROW(reporter.throw_if_any());
}

namespace {

/// Line and column of byte `offset` of the string that begins at the first quote.
Position place(const std::string& text, std::size_t offset, Position quote = {1, 5, 0}) {
  return position_in_string(text, quote, offset);
}

}  // namespace

TEST_CASE("a place in a plain string is its offset behind the quote") {
  CHECK(place("w = 'm * q'", 0) == Position{1, 6, 0});
  CHECK(place("w = 'm * q'", 4) == Position{1, 10, 0});
  CHECK(place("w = \"m * q\"", 4) == Position{1, 10, 0});
  CHECK(place("a = 1\n w = \"x\"", 0, {2, 6, 3}) == Position{2, 7, 3});
}

TEST_CASE("wide letters in front do not move the place; behind an escape it is the string's") {
  CHECK(place("w = \"é q\"", 3) == Position{1, 8, 0});  // é: two bytes, one column
  CHECK(place(R"(w = "\"a\" + q")", 4) == Position{1, 5, 0});
  CHECK(place(R"(w = "q + \"a\"")", 2) == Position{1, 8, 0});
  CHECK(place("w = '''\nab\ncd'''", 4) == Position{1, 5, 0});
  CHECK(place("w = \"\"\"ab\ncd\"\"\"", 1) == Position{1, 5, 0});
  CHECK(place("w = 'ab", 9) == Position{1, 5, 0});
}

TEST_CASE("control characters of a config do not reach the terminal") {
  Reporter reporter({SourceText{"x\ny.toml", "a = '\x1b[2J'\n"}});
  reporter.error({1, 5, 0}, "no '\x1b[2J' here");
  CHECK(to_text(reporter.diagnostics().front()) ==
        "x\\x0ay.toml:1:5: error: no '\\x1b[2J' here\n"
        "  a = '\\x1b[2J'\n"
        "      ^");
}
