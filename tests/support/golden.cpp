#include "support/golden.hpp"

#include "model/values.hpp"
#include "support/catch.hpp"
#include "support/contents_of.hpp"
#include "support/paths.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace benchctl::test {

namespace {

std::string rounded(const std::string& text) {
  static const std::regex number(R"(\d+\.\d+(e[-+]?\d+)?)");
  std::string result;
  auto rest = text.cbegin();
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    result.append(rest, (*at)[0].first);
    result += at->length() > 10 ? fmt::format("{:.9g}", std::stod(at->str())) : at->str();
    rest = (*at)[0].second;
  }
  return result.append(rest, text.cend());
}

std::filesystem::path file_of(const std::string& name) {
  return tree_root() / "libexec/benchctl/tests/golden" / name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void check_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file = file_of(name);
  std::string found = rounded(text);
  // A field a line: a difference can be read. Indentation would double the size.
  if (name.ends_with(".json")) {
    found = std::regex_replace(found, std::regex("\n +"), "\n");
    found = std::regex_replace(found, std::regex(",(?=[\"{])"), ",\n");
  }
  if (std::getenv("BENCHCTL_WRITE_GOLDEN") != nullptr) {
    REQUIRE(std::ofstream(file, std::ios::binary) << found);
    return;
  }
  const std::string expected = contents_of(file);
  if (expected == found) return;
  const std::vector<std::string> before = lines_of(expected);
  const std::vector<std::string> now = lines_of(found);
  const auto [one, other] = std::ranges::mismatch(before, now);
  UNSCOPED_INFO("expected: " << (one == before.end() ? "(end)" : *one));
  UNSCOPED_INFO("found:    " << (other == now.end() ? "(end)" : *other));
  FAIL_CHECK("tests/golden/expected/" << name << " differs in line " << one - before.begin() + 1
                                      << "; if that is meant, rewrite it (CONTRIBUTING.md, Tests)");
}

void check_cases(const std::string& name,
                 const std::function<std::vector<std::string>(const std::string& text)>& answer) {
  std::string text;
  std::string given;
  std::string expected;
  const auto answered = [&] {
    if (given.empty()) return;
    std::string found;
    for (const std::string& lines : answer(given)) {
      for (const std::string& line : lines_of(lines + '\n')) found += "> " + rounded(line) + '\n';
    }
    text += found;
    if (found != expected && std::getenv("BENCHCTL_WRITE_GOLDEN") == nullptr)
      FAIL_CHECK(name << ":\n" << given << "expected:\n" << expected << "found:\n" << found);
    given.clear();
    expected.clear();
  };
  const std::filesystem::path file = file_of(name);
  for (const std::string& line : lines_of(contents_of(file))) {
    if (line.starts_with("> ")) {
      expected += line + '\n';
      continue;
    }
    if (line.empty()) answered();
    if (!line.empty() && line.front() != '#') given += line + '\n';
    text += line + '\n';
  }
  answered();
  REQUIRE_FALSE(text.empty());
  if (std::getenv("BENCHCTL_WRITE_GOLDEN") != nullptr)
    REQUIRE(std::ofstream(file, std::ios::binary) << text);
}

std::string written(const Value& value) {
  const std::string text = to_text(value);
  if (std::holds_alternative<std::string>(value)) return "'" + text + "'";
  const bool looks_whole = text.find_first_of(".e") == std::string::npos;
  return std::holds_alternative<double>(value) && looks_whole ? text + ".0" : text;
}

}  // namespace benchctl::test
