// What a program gets of `benchctl run --format jsonl`.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <sstream>

using namespace benchctl::test;
using nlohmann::json;

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
    sandbox.write("c.toml", config);
    std::istringstream run(
        sandbox.call({"run", "c.toml", "--format", "jsonl", "--budget", std::to_string(seconds) + "s"})
            .out);
    rows.clear();
    for (std::string text; std::getline(run, text);) {
      const json line = json::parse(text);
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
