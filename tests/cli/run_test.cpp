// `benchctl run` from end to end on the fake backend: devices, statuses, workers that misbehave, exit
// codes, seeds.
#include "support/catch.hpp"
#include "support/program.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <csignal>

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// The row of a variant in an export.
json row_of(const json& document, const std::string& variant) {
  for (const json& row : document.at("rows")) {
    if (row.at("variant") == variant) return row;
  }
  return {{"status", "no such row"}};
}

/// One of two points fails.
const std::string seeded = fake_config("variants = ['steady', 'throws']", "n = 8", "max_seconds = 0.05");

std::uint64_t seed_of_newest(const Sandbox& sandbox) {
  return sandbox.exported().at("runs").at(0).at("seed").get<std::uint64_t>();
}

const std::string two_problems =
    fake_config(list_of({"steady"}), "n = [8, 9]\nns = [1000000]", "max_seconds = 5");

}  // namespace

TEST_CASE_METHOD(Sandbox, "a run measures, verifies, stores and shows its points") {
  const Outcome outcome = run(fake_config(list_of({"steady"}), "n = [8, 16]\nns = [100000, 250000]"));
  CHECK_THAT(outcome.out, HasAll({"steady", "store.db"}));
  CHECK_THAT(outcome.err, ContainsSubstring("[4/4]"));
  const json rows = this->rows();
  REQUIRE(rows.size() == 4);
  for (const json& row : rows) {
    CHECK(row.at("status") == "ok");
    CHECK(row.at("median_ns") == row.at("tunables").at("ns"));
    CHECK(row.at("n_samples").get<int>() >= 30);
    CHECK(row.at("registers") == 42);
  }
  CHECK(rows.back().at("gflops").get<double>() == Approx(2.0 * 16 * 16 * 16 / 250000));
}

TEST_CASE_METHOD(Sandbox,
                 "progress counts the points that are measured, and not those that are ruled out") {
  const std::string config = fake_config(list_of({"steady"}), "n = [8, 16]\nblock = [1, 2048]");
  CHECK_THAT(run(config).err, ContainsSubstring("[2/2]  matmul/steady"));
  CHECK(rows().size() == 4);
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
    CHECK(sandbox.rows().size() == 4);
  }
}

TEST_CASE_METHOD(Sandbox, "a wrong result can be what the config is about") {
  write("w.toml", fake_config(list_of({"wrong"}) + "\nexpect = \"wrong\"", "n = [8]"));
  expect(0, {"run", "w.toml"});
  const json row = rows().at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("expect") == "wrong");
  CHECK(row.at("median_ns") == 100000);
  write("r.toml", fake_config(list_of({"steady"}) + "\nexpect = \"wrong\"", "n = [8]"));
  expect(1, {"run", "r.toml"});
  CHECK(rows().at(0).at("status") == "wrong");
}

TEST_CASE("a time that scatters is a failure under --strict alone, unstable or not") {
  const auto [noise, status] =
      GENERATE(table<std::string, std::string>({{"0.5", "unstable"}, {"0.05", "ok"}}));
  const Sandbox sandbox;
  const std::string config = fake_config(list_of({"noisy"}), "n = [8]\nnoise = [" + noise + "]",
                                         "max_seconds = 0.3\ntarget = 0.0001");
  sandbox.run(config);
  const json row = sandbox.rows().at(0);
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
  for (const json& row : rows({"--samples"})) CHECK(row.at("samples_ns").size() == row.at("n_samples"));
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
  CHECK_THAT(first.err, EndsWith("The budget ran out: 2 points were not measured; the same command "
                                 "measures the rest (exit code 6).\n"));
  // The smallest problem comes first, wherever it stands in the config.
  const json rows = this->rows();
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
  const json row = rows().at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("n_samples") == 60);
  CHECK(row.at("replicates") == 3);
  CHECK(row.at("between_spread").get<double>() >= 0);
  CHECK(logged("open 0") == 3);
}

TEST_CASE_METHOD(Sandbox,
                 "cold and rotating points execute on several sets of buffers and every set is verified") {
  run(fake_config(list_of({"steady"}), "n = [8]\ncache = [\"hot\", \"rotate\", \"cold\"]"));
  for (const json& row : rows()) {
    CHECK(row.at("status") == "ok");
    if (row.at("cache") == "hot") continue;
    CHECK(row.at("buffer_sets") == 16);
    if (row.at("cache") == "cold") CHECK(row.at("batch").get<int>() <= 16);
  }
}

TEST_CASE_METHOD(Sandbox, "debugging builds are verified and never timed") {
  run(fake_config(list_of({"steady"}), "n = [8]"), 0, {"--device-debug"});
  const json row = rows().at(0);
  CHECK(row.at("status") == "ok");
  CHECK(row.at("median_ns").is_null());
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("never timed"));
}

TEST_CASE_METHOD(Sandbox, "a device that cannot be opened gives its reason to every point") {
  set("BENCHCTL_FAKE_FAIL_OPEN", "1");
  CHECK_THAT(run(fake_config(list_of({"steady"}), "n = [8, 16]"), 6).err,
             EndsWith("\nNothing was measured: all 2 points were ruled out, each with its "
                      "reason (exit code 6).\n"));
  for (const json& row : rows()) {
    CHECK(row.at("status") == "skipped");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("the device is gone"));
  }
}

TEST_CASE_METHOD(Sandbox,
                 "no device: points are skipped with the reason, and --require makes that a failure") {
  set("BENCHCTL_FAKE_DEVICES", "0");
  run(fake_config(list_of({"steady"}), "n = [8]"), 6);
  const json row = rows().at(0);
  CHECK(row.at("status") == "skipped");
  CHECK(row.at("reason") == "no device: no fake hardware");
  CHECK_THAT(expect(1, {"run", "c.toml", "--require", "fake"}).err, ContainsSubstring("no fake hardware"));
}

TEST_CASE_METHOD(Sandbox,
                 "a probe that crashes is no missing device: the backend's points fail with the reason") {
  set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  CHECK_THAT(expect(1, {"list", "--devices"}).out, HasAll({"cannot be listed", "Segmentation fault"}));
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (const char* command : {"plan", "check", "run"}) {
    CHECK_THAT(expect(1, {command, "c.toml"}).err, ContainsSubstring("cannot be listed"));
  }
  const json row = rows().at(0);
  CHECK(row.at("status") == "crashed");
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("Segmentation fault"));
  // Its points were never looked at: the run is not complete.
  CHECK(parsed({"runs"}).at("runs").at(0).at("state") == "interrupted");
}

TEST_CASE_METHOD(Sandbox, "where no worker can be started there is an error, and nothing is stored") {
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome outcome = call_under({"sh", "-c", "ulimit -n 8 && exec \"$0\" \"$@\""}, {"run", "c.toml"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code != 0);
  CHECK_FALSE(outcome.err.empty());
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
}

TEST_CASE_METHOD(Sandbox, "requirements name backends, device types and devices") {
  set("BENCHCTL_FAKE_DEVICES", "2");
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const auto code = [&](const std::string& requirement) {
    return call({"check", "c.toml", "--require", requirement}).exit_code;
  };
  CHECK(code("fake") == 0);
  CHECK(code("fake:gpu") == 0);
  CHECK(code("fake:cpu,fake:1") == 0);
  CHECK(code("fake:accelerator") == 1);
  CHECK(code("fake:2") == 1);
  CHECK(code("nothing") == 1);
}

TEST_CASE_METHOD(Sandbox, "several devices are lanes of their own, chosen by --device") {
  set("BENCHCTL_FAKE_DEVICES", "3");
  run(fake_config(list_of({"steady"}), "n = [8]"));
  CHECK(rows().size() == 3);
  expect(0, {"run", "c.toml", "--device", "fake:2"});
  const json rows = this->rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(0).at("device") == "fake:2");
  CHECK_THAT(expect(2, {"run", "c.toml", "--device", "fake:9"}).err,
             ContainsSubstring("fake:0, fake:1, fake:2"));
}

TEST_CASE_METHOD(Sandbox, "each run draws its seed, and a config can fix it") {
  run(seeded, 1);
  const std::uint64_t first = seed_of_newest(*this);
  run(seeded, 1);
  CHECK(first != 0);
  CHECK(seed_of_newest(*this) != first);
  run(seeded, 1, {"--set", "measure.seed=7"});
  CHECK(seed_of_newest(*this) == 7);
}

TEST_CASE_METHOD(
    Sandbox, "a reused point says which seed it was verified with, and is found whatever seed was drawn") {
  run(seeded, 1);
  const std::uint64_t measured = seed_of_newest(*this);
  // Through a chain of reuse, too.
  for (int again = 0; again < 2; ++again) {
    run(seeded, 1, {"--reuse"});
    const json row = rows().at(0);
    REQUIRE(row.at("reused") == true);
    CHECK(row.at("notes").at("seed") == std::to_string(measured));
    CHECK(seed_of_newest(*this) != measured);
  }
  // A fixed seed is a part of the key.
  run(seeded, 1, {"--reuse", "--set", "measure.seed=7"});
  CHECK(rows().at(0).at("reused") == false);
}

TEST_CASE_METHOD(
    Sandbox, "short points in pairs have equally long batches on all devices, a long one keeps its own") {
  set("BENCHCTL_FAKE_DEVICES", "2");
  // 20 executions of 1 µs, 7 of 3 µs and one of 100 µs make the shortest sample.
  run(fake_config("variants = [\"steady\"]", "n = [8]\nns = [1000, 100000]",
                  "max_seconds = 5\nmode = \"paired\"\n[compare]\nbaseline = { ns = 1000 }") +
      "[[sweep.override]]\nmatch = { device_type = \"gpu\" }\nparameters = { ns = [3000] }\n");
  const json rows = this->rows();
  REQUIRE(rows.size() == 3);
  for (const json& row : rows) {
    INFO(row.at("label"));
    CHECK(row.at("batch") == (row.at("tunables").at("ns") == 100000 ? 1 : 20));
  }
}

TEST_CASE_METHOD(Sandbox, "a run that is refused because another measures leaves nothing") {
  const auto lock = (path() / "machine.lock").string();
  write("c.toml", two_problems);
  const auto refused = [&] {
    const Outcome outcome = call_under({"flock", lock}, {"run", "c.toml"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, HasAll({"another benchctl", "--wait"}));
  };
  refused();
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
  // Nor does it begin to resume what was interrupted.
  set("BENCHCTL_FAKE_SLEEP_US", "5000");
  const pid_t process = start({"run", "c.toml"});
  wait_for(*this, "problem", 2);
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  const std::string before = call({"runs", "--format", "json"}).out;
  refused();
  CHECK(call({"runs", "--format", "json"}).out == before);
  // What only rules points out measures nothing, and need not wait.
  write("out.toml", fake_config("variants = [\"steady\"]", "n = [8]\nblock = [2048]"));
  CHECK(call_under({"flock", lock}, {"run", "out.toml"}).exit_code == 6);
}

TEST_CASE_METHOD(Sandbox, "Ctrl-C ends waiting for another benchctl") {
  write("c.toml", two_problems);
  const int lock = open((path() / "machine.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  REQUIRE(flock(lock, LOCK_EX) == 0);
  const pid_t process = start({"run", "c.toml", "--wait"});
  for (int i = 0; i < 10'000 && read("background.err").empty(); ++i) usleep(1'000);
  CHECK_THAT(read("background.err"), ContainsSubstring("waiting for another benchctl"));
  kill(process, SIGINT);
  CHECK(Sandbox::wait(process) == 130);
  CHECK_FALSE(std::filesystem::exists(path() / "store.db"));
  close(lock);
}
