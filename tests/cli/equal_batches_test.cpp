// What is compared in pairs holds equally many executions in a sample, across devices, too.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::test;
using nlohmann::json;

TEST_CASE_METHOD(
    Sandbox, "short points in pairs have equally long batches on all devices, a long one keeps its own") {
  set("BENCHCTL_FAKE_DEVICES", "2");
  // 20 executions of 1 µs, 7 of 3 µs and one of 100 µs make the shortest sample.
  run(fake_config("variants = [\"steady\"]", "n = [8]\nns = [1000, 100000]",
                  "max_seconds = 5\nmode = \"paired\"\n[compare]\nbaseline = { ns = 1000 }") +
      "[[sweep.override]]\nmatch = { device_type = \"gpu\" }\nparameters = { ns = [3000] }\n");
  const json document = exported();
  REQUIRE(document.at("rows").size() == 3);
  for (const json& row : document.at("rows")) {
    INFO(row.at("label"));
    CHECK(row.at("batch") == (row.at("tunables").at("ns") == 100000 ? 1 : 20));
  }
}
