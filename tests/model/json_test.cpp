#include "model/json.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;

TEST_CASE("JSON may be nested 64 levels deep") {
  const auto lists = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK_NOTHROW(refuse_deep_json(lists(64)));
  CHECK_THROWS_WITH(refuse_deep_json(lists(65)), "nested deeper than 64 levels");
  CHECK_THROWS_WITH(refuse_deep_json(std::string(100'000, '[')), "nested deeper than 64 levels");
  // Neither a long list nor brackets in a text are deep; syntax errors are left to the parser.
  std::string wide = "[";
  for (int i = 0; i < 100; ++i) wide += R"([{"a": []}], )";
  CHECK_NOTHROW(refuse_deep_json(wide + "1]"));
  CHECK_NOTHROW(refuse_deep_json('"' + std::string(100, '[') + '"'));
  CHECK_NOTHROW(refuse_deep_json("]" + lists(65)));
}

TEST_CASE("what a terminal would obey is an escape in JSON, and the same text when it is read") {
  const std::string text = "\u009b2J\u202e\x7f";
  const std::string line = one_line(nlohmann::json(text));
  CHECK(line == R"("\u009b2J\u202e\u007f")");
  CHECK(nlohmann::json::parse(line) == text);
  CHECK(many_lines(nlohmann::ordered_json{{"a", text}}) == "{\n  \"a\": " + line + "\n}\n");
}
