// `benchctl run - --format jsonl`: what a program gives and gets.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <optional>
#include <sstream>

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// The lines that tell of steps (`progress`), or the others.
std::vector<json> lines_of(const std::string& text, bool progress = false) {
  std::vector<json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    json parsed = json::parse(line);
    if ((parsed.at("type") == "progress") == progress) lines.push_back(std::move(parsed));
  }
  return lines;
}

/// Checks the exit code if there is one.
Outcome with_input(const Sandbox& sandbox, const std::string& config, std::optional<int> exit_code,
                   const std::vector<std::string>& arguments) {
  sandbox.write("input", config);
  Outcome outcome = sandbox.call_under({"sh", "-c", "exec \"$@\" <input", "sh"}, arguments);
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.exit_code == exit_code.value_or(outcome.exit_code));
  return outcome;
}

}  // namespace

TEST_CASE_METHOD(
    Sandbox,
    "a config from standard input streams a line for each point, another with its rank, and a summary") {
  const Outcome run =
      with_input(*this, fake_config(list_of({"steady", "wrong"}), "n = [8, 16]\nns = [100000]"), 1,
                 {"run", "-", "--format", "jsonl"});
  const std::vector<json> lines = lines_of(run.out);
  REQUIRE(lines.size() == 7);  // two of the four points have a rank
  std::set<json> points;
  for (const json& line : std::vector<json>(lines.begin(), lines.end() - 1)) {
    CHECK(line.at("type") == "point");
    points.insert(line.at("row").at("point"));
  }
  CHECK(points.size() == 4);
  const json& summary = lines.back();
  CHECK(summary.at("format") == 4);
  CHECK(summary.at("type") == "summary");
  CHECK(summary.at("run") == exported().at("runs").at(0).at("id"));
  CHECK(summary.at("points") == json{{"ok", 2}, {"wrong", 2}});
  CHECK(summary.at("exit_code") == 1);
  CHECK_THAT(summary.at("meaning").get<std::string>(), ContainsSubstring("a point failed"));
  CHECK_THAT(run.err, ContainsSubstring("[4/4]"));
  // The file alone has the run.
  std::filesystem::copy_file(path() / "store.db", path() / "copy.db");
  CHECK_THAT(expect(0, {"runs", "--db", "copy.db"}).out, ContainsSubstring("fake"));
}

TEST_CASE_METHOD(Sandbox, "a stream tells each step once, with the first point that it is done for") {
  const Outcome run = with_input(*this, fake_config(list_of({"steady"}), "n = [8]\nns = [100000, 200000]"),
                                 0, {"run", "-", "--quiet", "--format", "jsonl"});
  const std::vector<json> steps = lines_of(run.out, true);
  const auto place_of = [&](const std::string& what) {
    return std::ranges::find(steps, what,
                             [](const json& step) { return step.at("doing").get<std::string>(); });
  };
  REQUIRE(place_of("sampling") != steps.end());
  CHECK(place_of("verifying") < place_of("sampling"));
  CHECK_THAT(place_of("sampling")->at("label").get<std::string>(),
             ContainsSubstring("matmul/steady @ fake:0"));
  CHECK(place_of("sampling")->at("done") == 0);
  CHECK(place_of("sampling")->at("total") == 2);
  const auto same_step = [](const json& a, const json& b) { return a.at("doing") == b.at("doing"); };
  CHECK(std::ranges::adjacent_find(steps, same_step) == steps.end());
}

TEST_CASE_METHOD(Sandbox, "points that are reused are in the stream, too") {
  const std::string config = fake_config(list_of({"steady"}), "n = [8]\nns = [100000]");
  with_input(*this, config, 0, {"run", "-"});
  const std::vector<json> lines =
      lines_of(with_input(*this, config, 0, {"run", "-", "--reuse", "--format", "jsonl"}).out);
  REQUIRE(lines.size() >= 2);
  CHECK(lines.front().at("row").at("reused") == true);
  CHECK(lines.front().at("row").at("median_ns") == 100000);
  CHECK(lines.back().at("exit_code") == 0);
}

TEST_CASE_METHOD(Sandbox, "points that a budget leaves out have their line, and the summary says so") {
  const std::vector<json> lines =
      lines_of(with_input(*this, fake_config(list_of({"steady"}), "n = [8, 12, 16]"), 6,
                          {"run", "-", "--budget", "0.001s", "--format", "jsonl"})
                   .out);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].at("row").at("status") == "ok");
  std::size_t left = 0;
  for (const json& line : lines) {
    if (line.at("type") != "point" || line.at("row").at("status") != "not_run") continue;
    ++left;
    CHECK(line.at("row").at("median_ns").is_null());
  }
  CHECK(left == 2);
  const json& summary = lines.back();
  CHECK(summary.at("points") == json{{"not_run", 2}, {"ok", 1}});
  CHECK(summary.at("out_of_budget") == true);
  CHECK(summary.at("exit_code") == 6);
  CHECK_THAT(summary.at("meaning").get<std::string>(), ContainsSubstring("2 points were not measured"));
}

TEST_CASE_METHOD(Sandbox, "a point has its verdict in its line, and a second line with its rank") {
  const Outcome run =
      with_input(*this,
                 fake_config(list_of({"noisy"}), "n = [8]\nns = [100000, 110000]\nnoise = [0.01]",
                             "max_seconds = 5\nmode = \"paired\"\n[compare]\nbaseline = { ns = 100000 }"),
                 0, {"run", "-", "--format", "jsonl"});
  std::vector<json> compared;
  for (const json& line : lines_of(run.out)) {
    if (line.at("type") == "point" && line.at("row").at("tunables").at("ns") == 110000)
      compared.push_back(line.at("row"));
  }
  REQUIRE(compared.size() == 2);
  CHECK(compared[0].at("point") == compared[1].at("point"));
  CHECK(compared[0].at("verdict") == "slower");
  CHECK(compared[1].at("verdict") == "slower");
  CHECK(compared[1].at("median_ns") == compared[0].at("median_ns"));
}

TEST_CASE("of a point that the budget refines the last line counts") {
  const std::string config =
      fake_config(list_of({"noisy"}), "n = [8, 9]\nnoise = [0.5]", "max_seconds = 60\ntarget = 0.0001");
  const auto was_refined = [](const auto& entry) {
    return entry.second.back().at("n_samples") > entry.second.front().at("n_samples");
  };
  // A slow machine needs more than 2 s before a second turn.
  std::map<json, std::vector<json>> rows;
  for (int seconds = 2; seconds <= 16; seconds *= 2) {
    Sandbox sandbox;
    sandbox.set("BENCHCTL_FAKE_SLEEP_US", "500");
    const Outcome run = with_input(
        sandbox, config, {}, {"run", "-", "--format", "jsonl", "--budget", std::to_string(seconds) + "s"});
    rows.clear();
    for (const json& line : lines_of(run.out)) {
      if (line.at("type") == "point") rows[line.at("row").at("point")].push_back(line.at("row"));
    }
    const json exported = sandbox.exported();
    for (const auto& [point, lines] : rows) {
      CHECK(lines.back().at("n_samples") ==
            exported.at("rows").at(point.get<std::size_t>()).at("n_samples"));
    }
    if (std::ranges::any_of(rows, was_refined)) break;
  }
  CHECK(std::ranges::any_of(rows, was_refined));
}

TEST_CASE_METHOD(Sandbox,
                 "a config from standard input that is wrong is refused by line, and nothing is streamed") {
  const Outcome run = with_input(*this, "[experiment]\nname = 3\n", 2, {"run", "-", "--format", "jsonl"});
  CHECK(run.out.empty());
  CHECK_THAT(run.err, ContainsSubstring("standard input:2"));
  CHECK_THAT(with_input(*this, "", 2, {"check", "-"}).err, ContainsSubstring("experiment"));
}

TEST_CASE("the example that ranks kernels finds the one that cheats", "[serial]") {
  const Sandbox sandbox(Plugins::all);
  const auto examples = tree_root() / "share/benchctl/examples";
  const std::string config = (examples / "user_kernels/opencl.toml").string();
  if (sandbox.call({"check", config, "--require", "opencl"}).exit_code != 0) SKIP("no OpenCL device");
  const Outcome run = sandbox.call_under({"python3", (examples / "rank_kernels.py").string()}, {});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.out, HasAll({"cheat      wrong: ", "by_rows", "by_columns", "(exit code 1)"}));
}
