// `benchctl plan --to-resolve`: how many processes it takes, by what earlier runs scattered.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/program.hpp"

using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Twenty samples of a scripted variant, whose processes differ by 1 %.
std::string config_of(const std::string& replicates) {
  return fake_config("variants = [\"noisy\"]",
                     "n = [8]\nnoise = [0.002]\nprocess = [0.01]\nnoise_seed = [0]",
                     "samples = 20\nwarmup_seconds = 0\nreplicates = " + replicates);
}

}  // namespace

TEST_CASE("earlier processes tell how many it takes to find a difference") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", config_of("8"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  const Outcome fine = sandbox.call({"plan", config.string(), "--to-resolve", "2%"});
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK_THAT(fine.out, ContainsSubstring("To find a difference of 2.0 %"));
  CHECK_THAT(fine.out, ContainsSubstring("between processes"));
  CHECK_THAT(fine.out, ContainsSubstring("measure.replicates="));
  const auto needed = [](const std::string& text) {
    const std::size_t place = text.find("measure.replicates=");
    return place == std::string::npos ? -1 : std::stoi(text.substr(place + 19));
  };
  // With a spread of 1 %: 7 or so; chance moves the spread of eight processes.
  CHECK(needed(fine.out) >= 2);
  CHECK(needed(fine.out) <= 40);
  const Outcome coarse = sandbox.call({"plan", config.string(), "--to-resolve", "0.2"});
  CHECK(needed(coarse.out) <= needed(fine.out));
}

TEST_CASE("without earlier processes nothing is known, and a difference must be one") {
  const Sandbox sandbox;
  const auto config = sandbox.write("c.toml", config_of("1"));
  REQUIRE(sandbox.call({"run", config.string()}).exit_code == 0);
  const Outcome unknown = sandbox.call({"plan", config.string(), "--to-resolve", "2%"});
  CHECK(unknown.exit_code == 5);
  CHECK_THAT(unknown.out, ContainsSubstring("1 of 1 points are unknown"));
  for (const char* wrong : {"2x", "0", "-1%", "200%", "nan"}) {
    const Outcome refused = sandbox.call({"plan", config.string(), "--to-resolve", wrong});
    INFO(wrong << ": " << refused.err);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("such as 2% or 0.02"));
  }
}
