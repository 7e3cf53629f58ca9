// Texts of configs in tests/golden/expected/config_cases.txt: what is wrong with them, or their axes.
#include "errors.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// What surrounds a case that begins with this line; keys of a sweep, if there is none.
const std::map<std::string, std::pair<std::string, std::string>> frames{
    {"@config", {"", ""}},
    {"@measure", {"[experiment]\nname='x'\n[measure]\n", "[[sweep]]\nworkload='w'\n"}},
    {"@reference", {"[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n[[reference]]\n", ""}},
    {"@compare", {sweep_head + "[compare]\n", ""}}};

std::string whole(const std::string& text) {
  const std::size_t end = text.find('\n');
  const auto frame = frames.find(text.substr(0, end));
  return frame == frames.end() ? sweep_head + text
                               : frame->second.first + text.substr(end + 1) + frame->second.second;
}

/// As it would be written.
std::string written(const Value& value) {
  const std::string text = to_text(value);
  if (std::holds_alternative<std::string>(value)) return "'" + text + "'";
  const bool looks_whole = text.find_first_of(".e") == std::string::npos;
  return std::holds_alternative<double>(value) && looks_whole ? text + ".0" : text;
}

std::vector<std::string> findings_or_axes(const std::string& text) {
  const std::vector<Diagnostic> found = errors_of(whole(text));
  if (!found.empty()) return first_lines(found);
  const Config config = parse_config(whole(text), "x.toml");
  std::vector<std::string> lines;
  for (const Axis& axis : config.sweeps.at(0).axes) {
    std::vector<std::string> values;
    for (const Value& value : axis.values) {
      if (values.size() < 10 || &value == &axis.values.back()) values.push_back(written(value));
    }
    lines.push_back(
        fmt::format("{}: {} values: {}", axis.name, axis.values.size(), fmt::join(values, ", ")));
  }
  if (lines.empty()) lines.emplace_back("fine");
  return lines;
}

}  // namespace

TEST_CASE("what is wrong with a config is told with its place, and axes have the values that are written") {
  check_cases("config_cases.txt", findings_or_axes);
}
