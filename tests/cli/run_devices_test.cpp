// Devices of a run: none, several, some that cannot be used.
#include "support/has_all.hpp"
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using nlohmann::json;

TEST_CASE_METHOD(Sandbox, "a device that cannot be opened gives its reason to every point") {
  set("BENCHCTL_FAKE_FAIL_OPEN", "1");
  CHECK_THAT(run(fake_config(list_of({"steady"}), "n = [8, 16]"), 6).err,
             EndsWith("\nNothing was measured: all 2 points were ruled out, each with its "
                      "reason (exit code 6).\n"));
  const json stored = exported();
  for (const json& row : stored.at("rows")) {
    CHECK(row.at("status") == "skipped");
    CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("the device is gone"));
  }
}

TEST_CASE_METHOD(Sandbox,
                 "no device: points are skipped with the reason, and --require makes that a failure") {
  set("BENCHCTL_FAKE_DEVICES", "0");
  run(fake_config(list_of({"steady"}), "n = [8]"), 6);
  const json row = exported().at("rows").at(0);
  CHECK(row.at("status") == "skipped");
  CHECK(row.at("reason") == "no device: no fake hardware");
  CHECK_THAT(expect(1, {"run", "c.toml", "--require", "fake"}).err, ContainsSubstring("no fake hardware"));
}

TEST_CASE_METHOD(Sandbox,
                 "a probe that crashes is no missing device: the backend's points fail with the reason") {
  set("BENCHCTL_FAKE_CRASH_PROBE", "1");
  CHECK_THAT(expect(1, {"devices"}).out, HasAll({"cannot be listed", "Segmentation fault"}));
  write("c.toml", fake_config(list_of({"steady"}), "n = [8]"));
  for (const char* command : {"plan", "check", "run"}) {
    CHECK_THAT(expect(1, {command, "c.toml"}).err, ContainsSubstring("cannot be listed"));
  }
  const json row = exported().at("rows").at(0);
  CHECK(row.at("status") == "crashed");
  CHECK_THAT(row.at("reason").get<std::string>(), ContainsSubstring("Segmentation fault"));
  // Its points were never looked at: the run is not complete.
  const json runs = parsed({"runs"});
  CHECK(runs.at("runs").at(0).at("state") == "interrupted");
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
  CHECK(exported().at("rows").size() == 3);
  expect(0, {"run", "c.toml", "--device", "fake:2"});
  const json document = exported();
  REQUIRE(document.at("rows").size() == 1);
  CHECK(document.at("rows").at(0).at("device") == "fake:2");
  CHECK_THAT(expect(2, {"run", "c.toml", "--device", "fake:9"}).err,
             ContainsSubstring("fake:0, fake:1, fake:2"));
}
