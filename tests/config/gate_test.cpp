// Policies of `benchctl compare`: what they say, and what they may not.
#include "config/gate.hpp"

#include <catch2/catch_test_macros.hpp>

#include "errors.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string refused(const std::string& text) {
  try {
    static_cast<void>(parse_gate(text, "x.toml"));
  } catch (const ConfigErrors& errors) {
    return to_text(errors.diagnostics().front());
  }
  return {};
}

}  // namespace

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

TEST_CASE("what is no share is refused with its place") {
  for (const char* value : {"-0.1", "1.5", "'0.1'", "true", "[0.1]"}) {
    const std::string text = refused(std::string("[gate]\nthreshold = ") + value + "\n");
    INFO(value << ": " << text);
    CHECK(text.starts_with("x.toml:2:13: error"));
    CHECK(text.find("a share from 0 to 1") != std::string::npos);
  }
}
