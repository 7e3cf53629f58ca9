// Devices of a run: none, several, some that cannot be used.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using nlohmann::json;

TEST_CASE("a problem that cannot be set up costs the points of that problem only") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady", "noisy"}), "n = [8, 13, 16]"));
  const Outcome outcome = sandbox.call({"run", config.string()});
  CHECK(outcome.exit_code == 1);
  int good = 0;
  const json stored = sandbox.exported();
  for (const json& row : stored.at("rows")) {
    if (row.at("problem").at("n") != 13) {
      good += row.at("status") == "ok" ? 1 : 0;
      continue;
    }
    CHECK(row.at("status") == "out_of_memory");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("setting up the problem"));
  }
  CHECK(good == 4);
}

TEST_CASE("a device that cannot be opened gives its reason to every point") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_FAIL_OPEN", "1");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8, 16]"));
  const Outcome outcome = sandbox.call({"run", config.string()});
  CHECK(outcome.exit_code == 6);
  CHECK_THAT(outcome.err, EndsWith("\nNothing was measured: all 2 points were ruled out, each with its "
                                   "reason (exit code 6).\n"));
  const json stored = sandbox.exported();
  for (const json& row : stored.at("rows")) {
    CHECK(row.at("status") == "skipped");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("the device is gone"));
  }
}

TEST_CASE("no device: points are skipped with the reason, and --require makes that a failure") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_DEVICES", "0");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  CHECK(sandbox.call({"run", config.string()}).exit_code == 6);
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "skipped");
  CHECK(row.at("reason") == "no device: no fake hardware");
  const Outcome required = sandbox.call({"run", config.string(), "--require", "fake"});
  CHECK(required.exit_code == 1);
  CHECK_THAT(required.err, ContainsSubstring("no fake hardware"));
}

TEST_CASE("a probe that crashes is no missing device: the backend's points fail with the reason") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  const Outcome devices = sandbox.call({"devices"});
  CHECK(devices.exit_code == 1);
  CHECK_THAT(devices.out, ContainsSubstring("cannot be listed") && ContainsSubstring("Segmentation fault"));
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (const char* command : {"plan", "check", "run"}) {
    const Outcome outcome = sandbox.call({command, config.string()});
    CAPTURE(command, outcome.out, outcome.err);
    CHECK(outcome.exit_code == 1);
    CHECK_THAT(outcome.err, ContainsSubstring("cannot be listed"));
  }
  const json row = sandbox.exported().at("rows").at(0);
  CHECK(row.at("status") == "crashed");
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("Segmentation fault"));
  // Its points were never looked at: the run is not complete.
  const json runs = json::parse(sandbox.call({"runs", "--format", "json"}).out);
  CHECK(runs.at("runs").at(0).at("state") == "interrupted");
}

TEST_CASE("where no worker can be started there is an error, and nothing is stored") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const Outcome outcome =
      sandbox.call_under({"sh", "-c", "ulimit -n 8 && exec \"$0\" \"$@\""}, {"run", config.string()});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code != 0);
  CHECK_FALSE(outcome.err.empty());
  CHECK_FALSE(std::filesystem::exists(sandbox.path() / "store.db"));
}

TEST_CASE("requirements name backends, device types and devices") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_DEVICES", "2");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  const auto code = [&](const std::string& requirement) {
    return sandbox.call({"check", config.string(), "--require", requirement}).exit_code;
  };
  CHECK(code("fake") == 0);
  CHECK(code("fake:gpu") == 0);
  CHECK(code("fake:cpu,fake:1") == 0);
  CHECK(code("fake:accelerator") == 1);
  CHECK(code("fake:2") == 1);
  CHECK(code("nothing") == 1);
}

TEST_CASE("several devices are lanes of their own, chosen by --device") {
  Sandbox sandbox;
  sandbox.set("BENCHCTL_FAKE_DEVICES", "3");
  const auto config = sandbox.write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  CHECK(sandbox.call({"run", config.string()}).exit_code == 0);
  CHECK(sandbox.exported().at("rows").size() == 3);
  CHECK(sandbox.call({"run", config.string(), "--device", "fake:2"}).exit_code == 0);
  const json document = sandbox.exported();
  REQUIRE(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("device") == "fake:2");
  const Outcome none = sandbox.call({"run", config.string(), "--device", "fake:9"});
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, ContainsSubstring("fake:0, fake:1, fake:2"));
}
