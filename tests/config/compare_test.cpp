// What results are compared with: [compare], [[published]], and policies of `benchctl compare`.
#include "config/errors.hpp"
#include "config/gate.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string one = "[experiment]\nname = \"x\"\n[[sweep]]\nworkload = \"matmul\"\n[[published]]\n";

}  // namespace

TEST_CASE("published figures are read with their axis, match and base") {
  const Config config =
      parse_config(one +
                       "source = \"article\"\nhardware = \"old card\"\nunit = \"ms\"\n"
                       "match = { workload = \"matmul\", variant = \"tiled\", n = 64 }\n"
                       "axis = \"tile\"\nvalues = [[2, 3464], [16, 52.5]]\nrelative_to = 16\n",
                   "x.toml");
  REQUIRE(config.published.size() == 1);
  const Published& published = config.published[0].figures;
  CHECK(published.source == "article");
  CHECK(published.hardware == "old card");
  CHECK(published.metric == "median_ns");
  CHECK(published.unit == "ms");
  CHECK(published.match == Parameters{{"workload", std::string("matmul")},
                                      {"variant", std::string("tiled")},
                                      {"n", std::int64_t{64}}});
  CHECK(published.axis == "tile");
  REQUIRE(published.values.size() == 2);
  CHECK(published.values[0] == std::pair<Value, double>{std::int64_t{2}, 3464});
  CHECK(published.base() == std::pair<Value, double>{std::int64_t{16}, 52.5});
}

TEST_CASE("what to compare with is read strictly") {
  const std::string rest = "[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'w'\n[compare]\n";
  const Config config =
      parse_config(rest + "baseline = { variant = 'vendor', threads = 2 }\nthreshold = 0.02\n", "c.toml");
  CHECK(config.compare.baseline ==
        Parameters{{"variant", std::string("vendor")}, {"threads", std::int64_t{2}}});
  CHECK(config.compare.threshold == 0.02);
  CHECK(parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'w'\n", "c.toml").compare ==
        CompareSettings{});
}

TEST_CASE("a policy's thresholds are shares, whole numbers or not") {
  CHECK_FALSE(parse_gate("", "x.toml").threshold.has_value());
  CHECK(parse_gate("[gate]\nthreshold = 0.02\n", "x.toml").threshold == 0.02);
  CHECK(parse_gate("\xEF\xBB\xBF[gate]\nthreshold = 0.02\n", "x.toml").threshold == 0.02);
  CHECK(parse_gate("[gate]\nthreshold = 0\n", "x.toml").threshold == 0.0);
  CHECK(parse_gate("[gate]\nthreshold = 1\n", "x.toml").threshold == 1.0);
  const GatePolicy policy = parse_gate("[[rule]]\nmetric = 'power'\nthreshold = 0.1\n", "x.toml");
  CHECK_FALSE(policy.threshold.has_value());
  REQUIRE(policy.rules.size() == 1);
  CHECK(policy.rules[0].threshold == 0.1);
}
