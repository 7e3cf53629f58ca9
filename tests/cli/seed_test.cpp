// The seed of a run: drawn anew, fixed by the config, kept by what goes on with the run.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::test;
using nlohmann::json;

namespace {

std::string config(const Sandbox& sandbox, const std::string& measure = "max_seconds = 0.05") {
  return sandbox.write("c.toml", fake_config("variants = ['steady', 'throws']", "n = 8", measure)).string();
}

std::uint64_t seed_of_newest(const Sandbox& sandbox) {
  return sandbox.exported().at("runs").at(0).at("seed").get<std::uint64_t>();
}

}  // namespace

TEST_CASE("each run draws its seed, and a config can fix it") {
  const Sandbox sandbox;
  const std::string file = config(sandbox);
  static_cast<void>(sandbox.call({"run", file}));
  const std::uint64_t first = seed_of_newest(sandbox);
  static_cast<void>(sandbox.call({"run", file}));
  CHECK(first != 0);
  CHECK(seed_of_newest(sandbox) != first);
  static_cast<void>(sandbox.call({"run", file, "--set", "measure.seed=7"}));
  CHECK(seed_of_newest(sandbox) == 7);
}

TEST_CASE("a reused point says which seed it was verified with, and is found whatever seed was drawn") {
  const Sandbox sandbox;
  const std::string file = config(sandbox);
  static_cast<void>(sandbox.call({"run", file}));
  const std::uint64_t measured = seed_of_newest(sandbox);
  // Through a chain of reuse, too.
  for (int again = 0; again < 2; ++again) {
    static_cast<void>(sandbox.call({"run", file, "--reuse"}));
    const json row = sandbox.exported().at("rows").at(0);
    REQUIRE(row.at("reused") == true);
    CHECK(row.at("notes").get<std::string>().find("seed=" + std::to_string(measured)) != std::string::npos);
    CHECK(seed_of_newest(sandbox) != measured);
  }
  // A fixed seed is a part of the key.
  static_cast<void>(sandbox.call({"run", file, "--reuse", "--set", "measure.seed=7"}));
  CHECK(sandbox.exported().at("rows").at(0).at("reused") == false);
}
