// Points that a condition or their own problem rules out, with the reason.
#include "fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::size_t runnable(const Expansion& expansion) {
  return static_cast<std::size_t>(std::ranges::count(expansion.points, Status::not_run, &Point::status));
}

}  // namespace

TEST_CASE("conditions know backend, device type, variant, layout, measure parameters and words") {
  const auto left = [](const std::string& condition) {
    const auto expansion = expand(
        "parameters = { layout = ['aos', 'soa'], dtype = ['f32', 'f64'], cache = "
        "['hot', 'cold'] }\nvariants = ['plain', 'fancy']\nwhere = [\"" +
        condition + "\"]");
    CHECK(expansion.warnings.empty());
    return runnable(expansion);
  };
  // plain on three lanes, fancy on two, 8 combinations each.
  CHECK(left("true") == 40);
  CHECK(left("backend == 'cpu'") == 8);
  CHECK(left("device_type == 'gpu'") == 32);
  CHECK(left("variant != 'plain'") == 16);
  CHECK(left("layout == 'soa'") == 20);
  CHECK(left("cache == 'cold' and dtype == 'f64'") == 10);
  CHECK(left("launch == 'stream'") == 40);
  CHECK(left("basis == 'device'") == 40);
  CHECK(left("basis == 'host_sync'") == 0);
  // Only fancy has a mode.
  CHECK(left("mode == 'slow'") == 24);
}

TEST_CASE("a condition that cannot be evaluated skips with a reason, and warns once") {
  const auto expansion = expand(
      "variants = ['plain']\nparameters = { n = [1, 2] }\n"
      "where = ['n > 0', \"dtype > 3\"]");
  CHECK(runnable(expansion) == 0);
  CHECK_THAT(expansion.points[0].reason, ContainsSubstring("where: \"dtype > 3\" cannot be evaluated: ") &&
                                             ContainsSubstring("(dtype=f32)"));
  const auto warnings = warnings_of(expansion);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], ContainsSubstring("x.toml:7:26: warning: where: "));
}

TEST_CASE("a problem that cannot be had is skipped with the workload's words") {
  const auto points =
      points_of("variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = [12, 13, 14] }");
  REQUIRE(points.size() == 3);
  CHECK(points[0].status == Status::not_run);
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "grid: n = 13 brings bad luck");
  CHECK(points[2].status == Status::not_run);
  const auto layouts = points_of(
      "variants = ['plain']\ndevices = ['gpu:0']\nparameters = { m = 13, layout = ['soa', 'aos'] }");
  REQUIRE(layouts.size() == 2);
  CHECK(layouts[0].reason == "grid: m = 13 has no soa");
  CHECK(layouts[1].status == Status::not_run);
  const auto large =
      points_of("variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = 2000000000000 }");
  CHECK_THAT(large.at(0).reason, ContainsSubstring("parameter 'n' of workload 'grid'"));
}

TEST_CASE("one layout's failure is not held against another's variants") {
  Catalogue tables = catalogue();
  tables.backends[0].variants[0].layouts = {"soa"};
  const auto points = points_of(
      "variants = ['plain', 'tiled']\ndevices = ['gpu:0']\nparameters = { m = 13 }", lanes(), tables);
  REQUIRE(short_labels(points, {"layout"}) == Labels{"plain@gpu:0 soa", "tiled@gpu:0 aos"});
  CHECK(points[0].status == Status::skipped);
  CHECK(points[1].status == Status::not_run);
}

TEST_CASE("conditions on the device type do not apply where there is no device") {
  LaneTable table = lanes();
  table[0] = {"gpu", {}, "no driver"};
  const auto points =
      points_of("variants = ['plain']\nbackends = ['gpu']\nwhere = [\"device_type == 'cpu'\"]", table);
  REQUIRE(points.size() == 1);
  CHECK(points[0].reason == "no device: no driver");
}
