// `benchctl run` from end to end on the fake backend: statuses, workers that misbehave, exit codes.
#include "support/has_all.hpp"
#include "support/program.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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

TEST_CASE_METHOD(Sandbox, "a run measures, verifies, stores and shows its points") {
  const Outcome outcome = run(fake_config(list_of({"steady"}), "n = [8, 16]\nns = [100000, 250000]"));
  CHECK_THAT(outcome.out, HasAll({"steady", "store.db"}));
  CHECK_THAT(outcome.err, ContainsSubstring("[4/4]"));
  const json document = exported();
  REQUIRE(document.at("rows").size() == 4);
  for (const json& row : document.at("rows")) {
    CHECK(row.at("status") == "ok");
    CHECK(row.at("median_ns") == row.at("tunables").at("ns"));
    CHECK(row.at("n_samples").get<int>() >= 30);
    CHECK(row.at("registers") == 42);
  }
  CHECK(document.at("rows").back().at("gflops").get<double>() == Approx(2.0 * 16 * 16 * 16 / 250000));
}

TEST_CASE_METHOD(Sandbox,
                 "whatever a variant does, it is that point's status and the others are measured") {
  struct Case {
    std::string variant;
    std::string verb;
    std::string status;
    std::string reason;
  };
  const Case fault = GENERATE(values<Case>({
      {"overrun", "run", "wrong", "past the end"},
      {"lazy", "run", "wrong", "after timing"},
      {"throws", "prepare", "launch_error", "preparing: scripted failure"},
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
  run(fake_config(list_of({"noisy", fault.variant, "steady"}),
                  "n = [8]\nfault_verb = [\"" + fault.verb + "\"]", "max_seconds = 0.2"),
      fault.status == "skipped" ? 0 : 1, {"--timeout", "1"});
  const json document = exported();
  const json row = row_of(document, fault.variant);
  CHECK(row.at("status") == fault.status);
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring(fault.reason));
  CHECK(row_of(document, "steady").at("status") == "ok");
  CHECK(row_of(document, "noisy").at("status") == "ok");
}

TEST_CASE("a run goes on where nobody reads its messages") {
  for (const char* shell : {"exec \"$0\" \"$@\" 2>&-", "exec \"$0\" \"$@\" 2>/dev/full",
                            "\"$0\" \"$@\" 2>&1 >out | true; exit ${PIPESTATUS[0]}"}) {
    const Sandbox sandbox;
    sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 9]"));
    const Outcome outcome = sandbox.call_under({"bash", "-c", shell}, {"run", "c.toml"});
    CAPTURE(shell, outcome.out, outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(sandbox.exported().at("rows").size() == 4);
  }
}

TEST_CASE_METHOD(Sandbox, "a wrong result can be what the config is about") {
  write("w.toml", fake_config(list_of({"wrong"}) + "\nexpect = \"wrong\"", "n = [8]"));
  expect(0, {"run", "w.toml"});
  const json row = exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("expect") == "wrong");
  CHECK(row.at("median_ns") == 100000);
  write("r.toml", fake_config(list_of({"steady"}) + "\nexpect = \"wrong\"", "n = [8]"));
  expect(1, {"run", "r.toml"});
  CHECK(exported().at("rows").at(0).at("status") == "wrong");
}

TEST_CASE("a time that scatters is a failure under --strict alone, unstable or not") {
  const auto [noise, status] =
      GENERATE(table<std::string, std::string>({{"0.5", "unstable"}, {"0.05", "ok"}}));
  const Sandbox sandbox;
  const std::string config = fake_config(list_of({"noisy"}), "n = [8]\nnoise = [" + noise + "]",
                                         "max_seconds = 0.3\ntarget = 0.0001");
  sandbox.run(config);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == status);
  CHECK((row.at("reason").get<std::string>().find("half of the samples lie more than 25 % from") !=
         std::string::npos) == (status == "unstable"));
  CHECK(row.at("ci_low_ns").get<double>() < row.at("median_ns").get<double>());
  CHECK(row.at("ci_high_ns").get<double>() > row.at("median_ns").get<double>());
  sandbox.run(config, 1, {"--strict"});
}

TEST_CASE_METHOD(Sandbox, "everything in one process gives the same result") {
  run(fake_config(list_of({"steady", "wrong", "throws"}), "n = [8]"), 1, {"--in-process"});
  const json document = exported();
  CHECK(row_of(document, "steady").at("status") == "ok");
  CHECK(row_of(document, "wrong").at("status") == "wrong");
  CHECK(row_of(document, "throws").at("status") == "launch_error");
}

TEST_CASE_METHOD(Sandbox, "points of one problem are measured in turns") {
  run(fake_config(list_of({"steady", "noisy"}), "n = [8]\nns = [2000000]"));
  const json document = exported({"--samples"});
  for (const json& row : document.at("rows")) CHECK(row.at("samples_ns").size() == row.at("n_samples"));
  int changes = 0;
  std::string last;
  for (const std::string& line : log()) {
    if (!line.starts_with("sampled ")) continue;
    changes += line != last ? 1 : 0;
    last = line;
  }
  CHECK(changes >= 4);
}

TEST_CASE_METHOD(
    Sandbox,
    "a budget that leaves points out is told in the last line; asking again brings one more each time") {
  const auto config = write("c.toml", fake_config(list_of({"steady"}), "n = [16, 8, 12]"));
  const std::vector<std::string> command{"run", config.string(), "--budget", "0.001s"};
  const Outcome first = expect(6, command);
  CHECK_THAT(first.err, EndsWith("\nThe budget ran out: 2 points were not measured; the same command "
                                 "measures the rest (exit code 6).\n"));
  // The smallest problem comes first, wherever it stands in the config.
  const json rows = exported().at("rows");
  CHECK(rows.at(1).at("status") == "ok");
  expect(6, command);
  const Outcome last = expect(0, command);
  CHECK(last.err.find("exit code") == std::string::npos);
  const json runs = parsed({"runs"});
  REQUIRE(runs.at("runs").size() == 1);
  CHECK(runs.at("runs").at(0).at("state") == "complete");
}

TEST_CASE_METHOD(Sandbox, "a point that failed counts more than a budget that ran out") {
  CHECK_THAT(run(fake_config(list_of({"wrong"}), "n = [8, 16]\nfault_verb = [\"prepare\"]"), 1,
                 {"--budget", "0.001s"})
                 .err,
             ContainsSubstring("The budget ran out; everything measured so far is in"));
}

TEST_CASE_METHOD(Sandbox, "every replicate has worker processes of its own") {
  run(fake_config(list_of({"noisy"}), "n = [8]\nnoise = [0.02]",
                  "max_seconds = 5\nreplicates = 3\nsamples = 20"));
  const json row = exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 60);
  CHECK(row.at("replicates") == 3);
  CHECK(row.at("between_spread").get<double>() >= 0);
  int opened = 0;
  for (const std::string& line : log()) opened += line == "open 0" ? 1 : 0;
  CHECK(opened == 3);
}

TEST_CASE_METHOD(Sandbox,
                 "cold and rotating points execute on several sets of buffers and every set is verified") {
  run(fake_config(list_of({"steady"}), "n = [8]\ncache = [\"hot\", \"rotate\", \"cold\"]"));
  const json document = exported();
  for (const json& row : document.at("rows")) {
    CHECK(row.at("status") == "ok");
    if (row.at("cache") == "hot") continue;
    CHECK(row.at("buffer_sets") == 16);
    if (row.at("cache") == "cold") CHECK(row.at("batch").get<int>() <= 16);
  }
}

TEST_CASE_METHOD(Sandbox, "debugging builds are verified and never timed") {
  run(fake_config(list_of({"steady"}), "n = [8]"), 0, {"--device-debug"});
  const json row = exported().at("rows").at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("median_ns").is_null());
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("never timed"));
}
