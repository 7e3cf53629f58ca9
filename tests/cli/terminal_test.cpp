// What a person sees on a terminal: the progress line, and tables that fit.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <sstream>

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// Lines as they stay on the screen: what stands before a carriage return or a clearing of the line is
/// drawn over.
std::vector<std::string> screen_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    while (line.ends_with('\r')) line.pop_back();
    const std::size_t drawn = line.rfind("\r\x1b[K");
    lines.push_back(drawn == std::string::npos ? line : line.substr(drawn + 4));
  }
  return lines;
}

/// Every state of the line that is drawn over.
std::vector<std::string> drawn_in(const std::string& text) {
  std::vector<std::string> states;
  const std::string begin = "\r\x1b[K";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    const std::size_t first = at + begin.size();
    states.push_back(text.substr(first, text.find_first_of("\r\n", first) - first));
  }
  return states;
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

TEST_CASE_METHOD(Sandbox, "the progress line is drawn over, fits, and is gone before the table begins") {
  set("BENCHCTL_FAKE_SLEEP_US", "20000");  // long enough for the line to be drawn more than once
  write("c.toml",
        fake_config(list_of({"noisy"}), "n = [8]\nnoise = [0.3, 0.4]", "max_seconds = 1\nsamples = 20"));
  const Outcome run = on_terminal({"run", "c.toml"}, 60);
  INFO(run.out);
  CHECK(run.exit_code == 0);
  const std::vector<std::string> states = drawn_in(run.out);
  const auto drawn = std::ranges::count_if(states, [](const std::string& state) { return !state.empty(); });
  CHECK(drawn >= 3);
  CHECK(std::ranges::any_of(states, [](const std::string& state) {
    return state.starts_with("[0/2]") && state.find("sampling: matmul/noisy") != std::string::npos;
  }));
  for (const std::string& state : states) CHECK(columns_of(state) < 60);
  const std::vector<std::string> screen = screen_of(run.out);
  REQUIRE_FALSE(screen.empty());
  CHECK(std::ranges::any_of(screen, [](const std::string& line) { return line.starts_with("fake"); }));
  CHECK(std::ranges::none_of(screen, [](const std::string& line) { return line.starts_with("[0/"); }));
}

TEST_CASE_METHOD(Sandbox, "a terminal without escape sequences gets none, but plain lines") {
  set("TERM", "dumb");
  write("c.toml", fake_config(list_of({"steady"}), "n = [8, 16]"));
  const Outcome run = on_terminal({"run", "c.toml"});
  CHECK(run.exit_code == 0);
  CHECK(run.out.find('\x1b') == std::string::npos);
  CHECK_THAT(run.out, ContainsSubstring("[2/2]  matmul/steady"));
}

TEST_CASE_METHOD(Sandbox, "a streamed line does not hang on the line of progress") {
  set("BENCHCTL_FAKE_SLEEP_US", "2000");
  write("c.toml", fake_config(list_of({"steady"}), "n = [8, 12, 16]", "samples = 8"));
  const Outcome run = on_terminal({"run", "c.toml", "--format", "jsonl"});
  CHECK(run.exit_code == 0);
  std::size_t streamed = 0;
  for (const std::string& line : screen_of(run.out)) {
    const std::size_t at = line.find("{\"");
    if (at == std::string::npos) continue;
    CHECK(at == 0);
    ++streamed;
  }
  CHECK(streamed >= 4);
}

TEST_CASE_METHOD(Sandbox, "a quiet run shows its result, what went wrong, and no progress") {
  write("c.toml", fake_config(list_of({"steady"}), "n = [8, 16]"));
  const Outcome run = on_terminal({"run", "c.toml", "--quiet"});
  CHECK(run.exit_code == 0);
  CHECK(drawn_in(run.out).empty());
  CHECK_THAT(run.out, ContainsSubstring("steady") && !ContainsSubstring("[0/2]"));
  CHECK_THAT(expect(0, {"run", "c.toml", "-q"}).err, !ContainsSubstring("[2/2]"));
  CHECK_THAT(expect(2, {"run", "none.toml", "-q"}).err, ContainsSubstring("none.toml"));
}

TEST_CASE_METHOD(Sandbox,
                 "at 80 columns nothing that run, show, runs, explain and --help print is longer") {
  write("c.toml", fake_config(list_of({"steady", "noisy", "wrong", "source"}),
                              "n = [8]\nblock = [1, 2048, 4096]\nns = [100000, 123456]\nnoise = [0.9]\n"
                              "fault_verb = ['prepare']\ncache = ['hot', 'cold']",
                              "samples = 8"));
  const Outcome run = on_terminal({"run", "c.toml"});
  CHECK(run.exit_code == 1);
  const std::vector<std::vector<std::string>> commands{{"show"},   {"runs"},          {"explain", "0"},
                                                       {"--help"}, {"run", "--help"}, {"submit", "--help"}};
  std::vector<std::string> lines = screen_of(run.out);
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = on_terminal(command);
    CHECK(outcome.exit_code == 0);
    for (std::string& line : screen_of(outcome.out)) lines.push_back(std::move(line));
  }
  for (const std::string& line : lines) {
    INFO(line);
    // A word alone may be longer: a path.
    const bool is_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
    CHECK((columns_of(line) <= 80 || is_word));
  }
  CHECK_THAT(run.out, HasAll({"kernel.cu:3: error: scripted",
                              "benchctl explain 1:", "cache=cold"}));  // labels tell points apart
}
