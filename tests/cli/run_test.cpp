// `benchctl run` from end to end on the fake backend: statuses, workers that misbehave, exit codes.
#include "support/program.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>

using namespace benchctl::test;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using nlohmann::json;

namespace {

/// The row of a variant in an export.
json row_of(const json& document, const std::string& variant) {
  for (const json& row : document.at("rows")) {
    if (row.at("variant") == variant) return row;
  }
  return {{"status", "no such row"}};
}

}  // namespace

TEST_CASE("a run measures, verifies, stores and shows its points") {
  const Sandbox sandbox;
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8, 16]\nns = [100000, 250000]"));
  const Outcome outcome = sandbox.call({"run", config.string()});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("steady"));
  CHECK_THAT(outcome.out, ContainsSubstring("store.db"));
  CHECK_THAT(outcome.err, ContainsSubstring("[4/4]"));
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 4);
  for (const json& row : document.at("rows")) {
    CHECK(row.at("status") == "ok");
    CHECK(row.at("median_ns") == row.at("tunables").at("ns"));
    CHECK(row.at("n_samples").get<int>() >= 30);
    // No narrower than a step of the timer.
    CHECK(row.at("ci_low_ns").get<double>() ==
          Approx(row.at("tunables").at("ns").get<double>()).margin(0.5));
    CHECK(row.at("device") == "fake:0");
    CHECK(row.at("registers") == 42);
  }
  const double flops = 2.0 * 16 * 16 * 16;
  CHECK(document.at("rows").back().at("gflops").get<double>() == Approx(flops / 250000));
}

TEST_CASE("whatever a variant does, it is that point's status and the others are measured") {
  struct Case {
    std::string variant;
    std::string verb;
    std::string status;
    std::string reason;
  };
  const Case fault = GENERATE(values<Case>({
      {"wrong", "run", "wrong", "C[7, 7]"},
      {"silent", "run", "wrong", "never written"},
      {"overrun", "run", "wrong", "past the end"},
      {"clobber", "run", "wrong", "changed its input A"},
      {"lazy", "run", "wrong", "after timing"},
      {"throws", "prepare", "launch_error", "preparing: scripted failure"},
      {"throws", "run", "launch_error", "verifying: scripted failure"},
      {"throws", "sample", "launch_error", "scripted failure"},
      {"sticky", "run", "launch_error", "scripted sticky failure"},
      {"sticky", "sample", "launch_error", "scripted sticky failure"},
      {"foreign", "run", "launch_error", "scripted foreign exception"},
      {"memory", "run", "out_of_memory", "9 GiB"},
      {"source", "prepare", "compile_error", "kernel.cu:3"},
      {"unsupported", "prepare", "skipped", "not on this device"},
      {"crash", "prepare", "crashed", "Segmentation fault"},
      {"crash", "run", "crashed", "during 'check'"},
      {"crash", "sample", "crashed", "during 'sample'"},
      {"exit", "run", "crashed", "exit code 7"},
      {"hang", "prepare", "timeout", "'prepare' did not end within 1 s"},
      {"hang", "run", "timeout", "'check' did not end within 1 s"},
      {"hang", "sample", "timeout", "'sample' did not end"},
  }));
  CAPTURE(fault.variant, fault.verb);
  const Sandbox sandbox;
  const auto config = sandbox.write(
      "c.toml", fake_config(list_of({"noisy", fault.variant, "steady"}),
                            "n = [8]\nfault_verb = [\"" + fault.verb + "\"]", "max_seconds = 0.2"));
  const Outcome outcome = sandbox.call({"run", config.string(), "--timeout", "1"});
  INFO(outcome.err);
  const json document = sandbox.exported();
  const json row = row_of(document, fault.variant);
  CHECK(row.at("status") == fault.status);
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring(fault.reason));
  CHECK(row_of(document, "steady").at("status") == "ok");
  CHECK(row_of(document, "noisy").at("status") == "ok");
  CHECK(outcome.exit_code == (fault.status == "skipped" ? 0 : 1));
}

TEST_CASE("a run goes on where nobody reads its messages") {
  for (const char* shell : {"exec \"$0\" \"$@\" 2>&-", "exec \"$0\" \"$@\" 2>/dev/full",
                            "\"$0\" \"$@\" 2>&1 >out | true; exit ${PIPESTATUS[0]}"}) {
    const Sandbox sandbox;
    const auto config = sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 9]"));
    const Outcome outcome = sandbox.call_under({"bash", "-c", shell}, {"run", config.string()});
    CAPTURE(shell, outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(sandbox.exported().at("rows").size() == 4);
  }
}

TEST_CASE("a wrong result can be what the config is about") {
  const Sandbox sandbox;
  const auto wrong =
      sandbox.write("w.toml", fake_config(list_of({"wrong"}) + "\nexpect = \"wrong\"", "n = [8]"));
  CHECK(sandbox.call({"run", wrong.string()}).exit_code == 0);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("expect") == "wrong");
  CHECK(row.at("median_ns") == 100000);
  const auto right =
      sandbox.write("r.toml", fake_config(list_of({"steady"}) + "\nexpect = \"wrong\"", "n = [8]"));
  CHECK(sandbox.call({"run", right.string()}).exit_code == 1);
  CHECK(sandbox.exported().at("rows").at(0).at("status") == "wrong");
}

TEST_CASE("a time that scatters widely is unstable: a warning, and a failure under --strict") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"noisy"}), "n = [8]\nnoise = [0.5]",
                                                          "max_seconds = 0.3\ntarget = 0.0001"));
  CHECK(sandbox.call({"run", config.string()}).exit_code == 0);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "unstable");
  CHECK_THAT(row.at("reason").get<std::string>(),
             ContainsSubstring("half of the samples lie more than 25 % from"));
  CHECK(row.at("ci_low_ns").get<double>() < row.at("median_ns").get<double>());
  CHECK(row.at("ci_high_ns").get<double>() > row.at("median_ns").get<double>());
  CHECK(sandbox.call({"run", config.string(), "--strict"}).exit_code == 1);
}

TEST_CASE("a target that is missed is no failure, but for --strict") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"noisy"}), "n = [8]\nnoise = [0.05]",
                                                          "max_seconds = 0.3\ntarget = 0.0001"));
  CHECK(sandbox.call({"run", config.string()}).exit_code == 0);
  CHECK(sandbox.exported().at("rows").at(0).at("status") == "ok");
  const Outcome strict = sandbox.call({"run", config.string(), "--strict"});
  CHECK(strict.exit_code == 1);
}

TEST_CASE("everything in one process gives the same result") {
  const Sandbox sandbox;
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"steady", "wrong", "throws"}), "n = [8]"));
  const Outcome outcome = sandbox.call({"run", config.string(), "--in-process"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  const json document = sandbox.exported();
  CHECK(row_of(document, "steady").at("status") == "ok");
  CHECK(row_of(document, "wrong").at("status") == "wrong");
  CHECK(row_of(document, "throws").at("status") == "launch_error");
}

TEST_CASE("points of one problem are measured in turns") {
  const Sandbox sandbox;
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8]\nns = [2000000]"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  const json document = sandbox.exported({"--samples"});
  for (const json& row : document.at("rows")) CHECK(row.at("samples_ns").size() == row.at("n_samples"));
  int changes = 0;
  std::string last;
  for (const std::string& line : sandbox.log()) {
    if (!line.starts_with("sampled ")) continue;
    changes += line != last ? 1 : 0;
    last = line;
  }
  CHECK(changes >= 4);
}

TEST_CASE("the budget is shared by the points") {
  const Sandbox sandbox;
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"noisy"}), "n = [8, 9, 10, 11]\nnoise = [0.3]",
                                          "max_seconds = 30\ntarget = 0.00001"));
  // Were it not shared, the first point alone would take up to 30 s. A slow machine needs more than 2 s to
  // start.
  int measured = 0;
  for (int seconds = 2; seconds <= 16 && measured < 3; seconds *= 2) {
    const Outcome outcome =
        sandbox.call({"run", config.string(), "--fresh", "--budget", std::to_string(seconds) + "s"});
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    measured = 0;
    const json stored = sandbox.exported();
    for (const json& row : stored.at("rows")) measured += row.at("median_ns").is_null() ? 0 : 1;
  }
  CHECK(measured >= 3);
  CHECK(sandbox.call({"run", config.string(), "--budget", "soon"}).exit_code == 2);
}

TEST_CASE(
    "a budget that leaves points out is told in the last line; asking again brings one more each time") {
  Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [16, 8, 12]"));
  const std::vector<std::string> command{"run", config.string(), "--budget", "0.001s"};
  const Outcome first = sandbox.call(command);
  INFO(first.err);
  CHECK(first.exit_code == 6);
  CHECK_THAT(first.err, EndsWith("\nThe budget ran out: 2 points were not measured; the same command "
                                 "measures the rest (exit code 6).\n"));
  // The smallest problem comes first, wherever it stands in the config.
  const json rows = sandbox.exported().at("rows");
  CHECK(rows.at(1).at("status") == "ok");
  CHECK(sandbox.call(command).exit_code == 6);
  const Outcome last = sandbox.call(command);
  CHECK(last.exit_code == 0);
  CHECK(last.err.find("exit code") == std::string::npos);
  const json runs = json::parse(sandbox.call({"runs", "--format", "json"}).out);
  REQUIRE(runs.at("runs").size() == 1);
  CHECK(runs.at("runs").at(0).at("state") == "complete");
}

TEST_CASE("a point that failed counts more than a budget that ran out") {
  const Sandbox sandbox;
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"wrong"}), "n = [8, 16]\nfault_verb = [\"prepare\"]"));
  const Outcome outcome = sandbox.call({"run", config.string(), "--budget", "0.001s"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.err, ContainsSubstring("The budget ran out; everything measured so far is in"));
}

TEST_CASE("paired points are compared round by round with their baseline") {
  const Sandbox sandbox;
  const auto config = sandbox.write(
      "c.toml",
      fake_config(
          list_of({"noisy"}), "n = [8]\nns = [100000, 100400, 110000]\nnoise = [0.01]",
          "max_seconds = 5\nmode = \"paired\"\n[compare]\nbaseline = { ns = 100000 }\nthreshold = 0.03"));
  const Outcome outcome = sandbox.call({"run", config.string()});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("speed vs baseline"));
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 3);
  for (const json& row : document.at("rows")) {
    CHECK(row.at("status") == "ok");
    if (row.at("tunables").at("ns") == 100000) {
      CHECK(row.at("baseline").is_null());
      continue;
    }
    CHECK_THAT(row.at("baseline").get<std::string>(), ContainsSubstring("ns=100000"));
    CHECK(row.at("ratio_rounds").get<int>() >= 12);
    CHECK(row.at("ratio_ci_low").get<double>() <= row.at("time_ratio").get<double>());
    CHECK(row.at("verdict") == (row.at("tunables").at("ns") == 110000 ? "slower" : "same"));
  }
}

TEST_CASE("a baseline of an unknown name is refused") {
  const Sandbox sandbox;
  const auto config = sandbox.write(
      "c.toml",
      fake_config(list_of({"steady"}), "n = [8]", "[compare]\nbaseline = { varaint = \"steady\" }"));
  const Outcome outcome = sandbox.call({"check", config.string()});
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("variant"));
}

TEST_CASE("every replicate has worker processes of its own") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"noisy"}), "n = [8]\nnoise = [0.02]",
                                                          "max_seconds = 5\nreplicates = 3\nsamples = 20"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 60);
  CHECK(row.at("replicates") == 3);
  CHECK(row.at("between_spread").get<double>() >= 0);
  int opened = 0;
  for (const std::string& line : sandbox.log()) opened += line == "open 0" ? 1 : 0;
  CHECK(opened == 3);
}

TEST_CASE("a budget covers every point first and then refines what is not known well enough") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_SLEEP_US", "2000");
  const auto config =
      sandbox.write("c.toml", fake_config(list_of({"noisy", "steady"}), "n = [8, 9]\nnoise = [0.3]",
                                          "max_seconds = 60\ntarget = 0.05"));
  const Outcome outcome = sandbox.call({"run", config.string(), "--budget", "6s"});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const json document = sandbox.exported({"--samples"});
  CHECK(document.at("runs").at(0).at("state") == "complete");
  for (const json& row : document.at("rows")) {
    CHECK((row.at("status") == "ok" || row.at("status") == "unstable"));
    CHECK(row.at("samples_ns").size() == row.at("n_samples"));
  }
  // Both problems had their turn; tests/engine/budget_test.cpp looks at the order by a scripted clock.
  CHECK(sandbox.logged("problem") >= 2);
}

TEST_CASE("cold and rotating points execute on several sets of buffers and every set is verified") {
  const Sandbox sandbox;
  const auto config = sandbox.write(
      "c.toml", fake_config(list_of({"steady"}), "n = [8]\ncache = [\"hot\", \"rotate\", \"cold\"]"));
  const Outcome outcome = sandbox.call({"run", config.string()});
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  const json document = sandbox.exported();
  for (const json& row : document.at("rows")) {
    CHECK(row.at("status") == "ok");
    if (row.at("cache") == "hot") continue;
    CHECK(row.at("buffer_sets") == 16);
    if (row.at("cache") == "cold") CHECK(row.at("batch").get<int>() <= 16);
  }
}

TEST_CASE("debugging builds are verified and never timed") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  REQUIRE(sandbox.call({"run", config.string(), "--device-debug"}).exit_code == 0);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("median_ns").is_null());
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("never timed"));
}
