// The seed of a run: drawn anew, fixed by the config, kept by what goes on with the run.
#include "support/program.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::test;
using nlohmann::json;

namespace {

/// One of two points fails.
const std::string seeded = fake_config("variants = ['steady', 'throws']", "n = 8", "max_seconds = 0.05");

std::uint64_t seed_of_newest(const Sandbox& sandbox) {
  return sandbox.exported().at("runs").at(0).at("seed").get<std::uint64_t>();
}

}  // namespace

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
    const json row = exported().at("rows").at(0);
    REQUIRE(row.at("reused") == true);
    CHECK(row.at("notes").get<std::string>().find("seed=" + std::to_string(measured)) != std::string::npos);
    CHECK(seed_of_newest(*this) != measured);
  }
  // A fixed seed is a part of the key.
  run(seeded, 1, {"--reuse", "--set", "measure.seed=7"});
  CHECK(exported().at("rows").at(0).at("reused") == false);
}
