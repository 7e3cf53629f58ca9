// The manual page and `--version`: what the program says of itself.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <regex>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

using Words = std::vector<std::string>;

/// All that a pattern's first group matches.
Words matches(const std::string& text, const std::string& pattern) {
  Words words;
  const std::regex expression(pattern, std::regex::multiline);
  for (auto found = std::sregex_iterator(text.begin(), text.end(), expression);
       found != std::sregex_iterator(); ++found) {
    words.push_back((*found)[1]);
  }
  return words;
}

/// Commands as the help of a command lists them.
Words subcommands(const std::string& help) {
  const std::size_t begin = help.find("\nSubcommands:\n");
  return begin == std::string::npos ? Words{} : matches(help.substr(begin), "^  ([a-z]+) ");
}

std::string escaped(const std::string& text) { return std::regex_replace(text, std::regex("-"), "\\-"); }

/// From a heading to the next one.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n.S", begin + 1) - begin);
}

/// Compares the help of a command, and of those below it, with the page. Counts the options.
std::size_t compare(const Sandbox& sandbox, const std::string& page, const Words& command) {
  Words call = command;
  call.emplace_back("--help");
  const std::string help = sandbox.call(call).out;
  std::string heading = ".SS benchctl";
  for (const std::string& word : command) heading += ' ' + word;
  const std::string part = section(page, command.empty() ? ".SH OPTIONS" : heading);
  INFO(heading);
  CHECK_FALSE(part.empty());
  const Words options = matches(help, "^  (?:-[a-z],)?(--[a-z-]+)");
  CHECK_FALSE(options.empty());
  for (const std::string& option : options) CHECK_THAT(part, ContainsSubstring(escaped(option)));
  std::size_t count = options.size();
  for (const std::string& below : subcommands(help)) {
    Words further = command;
    further.push_back(below);
    count += compare(sandbox, page, further);
  }
  return count;
}

}  // namespace

TEST_CASE("every command and every option has its place in the manual page") {
  const Sandbox sandbox;
  const Outcome page = sandbox.call({"man"});
  REQUIRE(page.exit_code == 0);
  CHECK_THAT(page.out, StartsWith(".TH BENCHCTL 1 ") && ContainsSubstring("\n.SH EXIT STATUS\n"));
  CHECK(compare(sandbox, page.out, {}) > 60);
  CHECK_THAT(section(page.out, ".SS benchctl run"), ContainsSubstring("\\fBconfig\\fR \\fICONFIG\\fR"));
  CHECK_THAT(page.out, !ContainsSubstring("conformance"));  // what is hidden stays so
  REQUIRE(sandbox.call({"man", "--output", "page.1"}).exit_code == 0);
  CHECK(sandbox.read("page.1") == page.out);
}

TEST_CASE("a manual page is free of what groff warns of") {
  const Sandbox sandbox;
  if (sandbox.call_under({"sh", "-c", "command -v groff", "sh"}, {}).exit_code != 0)
    SKIP("groff is not installed");
  const Outcome shown = sandbox.call_under({"sh", "-c", "\"$@\" | groff -man -Tutf8 -ww", "sh"}, {"man"});
  CHECK(shown.err.empty());
  CHECK_THAT(shown.out, ContainsSubstring("Measure a config, verify and store everything"));
}

TEST_CASE("the version names revision, compiler and plugins, whatever state they are in") {
  const Sandbox sandbox;
  const std::string crashing = (test_plugin_directory().parent_path() / "crashing_plugins").string();
  const Outcome outcome = sandbox.call({"--version", "--plugin-path", crashing});
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, StartsWith("benchctl " BENCHCTL_VERSION "\nrevision  "));
  CHECK(matches(outcome.out, "^revision  ([A-Za-z0-9._-]+)$").size() == 1);
  CHECK_THAT(outcome.out, ContainsSubstring("\ncompiler  ") && ContainsSubstring("  fake "));
  CHECK_THAT(outcome.out,
             ContainsSubstring("  bad_crash cannot be used: the worker died during 'describe': signal 6"));
  CHECK(sandbox.log().empty());  // no device was asked for
}
