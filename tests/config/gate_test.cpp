// Policies of `benchctl compare`: what they say, and what they may not.
#include "config/gate.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;

TEST_CASE("a policy's thresholds are shares, whole numbers or not") {
  CHECK_FALSE(parse_gate("", "x.toml").threshold.has_value());
  CHECK(parse_gate("[gate]\nthreshold = 0.02\n", "x.toml").threshold == 0.02);
  CHECK(parse_gate("[gate]\nthreshold = 0\n", "x.toml").threshold == 0.0);
  CHECK(parse_gate("[gate]\nthreshold = 1\n", "x.toml").threshold == 1.0);
  const GatePolicy policy = parse_gate("[[rule]]\nmetric = 'power'\nthreshold = 0.1\n", "x.toml");
  CHECK_FALSE(policy.threshold.has_value());
  REQUIRE(policy.rules.size() == 1);
  CHECK(policy.rules[0].threshold == 0.1);
}
