#include "fixtures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::string> warnings_of(const Expansion& expansion) {
  std::vector<std::string> texts;
  for (const Diagnostic& warning : expansion.warnings) {
    CHECK(warning.severity == Severity::warning);
    const std::string text = to_text(warning);
    texts.push_back(text.substr(0, text.find('\n')));
  }
  return texts;
}

std::size_t runnable(const Expansion& expansion) {
  return static_cast<std::size_t>(std::ranges::count(expansion.points, Status::not_run, &Point::status));
}

}  // namespace

TEST_CASE("axes multiply what a variant has, in a fixed order") {
  const auto points = expand(
                          "backends = ['gpu']\ndevices = ['gpu:0']\nvariants = ['tiled', 'plain']\n"
                          "parameters = { n = [4, 8], tile = [1, 2] }")
                          .points;
  // Problems outermost, then the variants in the order of the sweep, then tunables. `plain` has no tile:
  // one point a problem.
  CHECK(short_labels(points, {"n", "tile"}) == Labels{"tiled@gpu:0 n=4 tile=1", "tiled@gpu:0 n=4 tile=2",
                                                      "plain@gpu:0 n=4", "tiled@gpu:0 n=8 tile=1",
                                                      "tiled@gpu:0 n=8 tile=2", "plain@gpu:0 n=8"});
  CHECK(points[0].sweep == 0);
  CHECK(points[0].workload == "grid");
  CHECK(points[0].backend == "gpu");
  CHECK(points[0].status == Status::not_run);
  CHECK(points[0].reason.empty());
  CHECK(points[0].label() == "grid/tiled @ gpu:0 dtype=f32 m=4 n=4 layout=aos tile=1");
}

TEST_CASE("points of one problem are together, lane by lane in the order of the backends") {
  const std::string keys = "variants = ['plain']\nparameters = { n = [8, 4], tile = [1, 2] }\n";
  CHECK(short_labels(expand(keys).points, {"n"}) == Labels{"plain@gpu:0 n=8", "plain@gpu:1 n=8",
                                                           "plain@cpu:0 n=8", "plain@gpu:0 n=4",
                                                           "plain@gpu:1 n=4", "plain@cpu:0 n=4"});
  CHECK(short_labels(expand(keys + "backends = ['cpu', 'gpu']").points, {}) ==
        Labels{"plain@cpu:0", "plain@gpu:0", "plain@gpu:1", "plain@cpu:0", "plain@gpu:0", "plain@gpu:1"});
}

TEST_CASE("the first problem axis is outermost wherever tunables stand") {
  const auto points = expand(
                          "devices = ['gpu:0']\nvariants = ['tiled']\n"
                          "parameters = { m = [2, 1], tile = [3, 4], n = [5, 6] }")
                          .points;
  CHECK(short_labels(points, {"m", "n", "tile"}) ==
        Labels{"tiled@gpu:0 m=2 n=5 tile=3", "tiled@gpu:0 m=2 n=5 tile=4", "tiled@gpu:0 m=2 n=6 tile=3",
               "tiled@gpu:0 m=2 n=6 tile=4", "tiled@gpu:0 m=1 n=5 tile=3", "tiled@gpu:0 m=1 n=5 tile=4",
               "tiled@gpu:0 m=1 n=6 tile=3", "tiled@gpu:0 m=1 n=6 tile=4"});
}

TEST_CASE("without a list every variant of every backend that the backend has") {
  CHECK(short_labels(expand("devices = ['gpu:0', 'cpu:0']").points, {}) ==
        Labels{"plain@gpu:0", "tiled@gpu:0", "fancy@gpu:0", "plain@cpu:0", "tiled@cpu:0", "threads@cpu:0"});
  // cpu has no `fancy` and gpu no `threads`: they are no points there.
  CHECK(short_labels(expand("variants = ['fancy', 'threads']").points, {}) ==
        Labels{"fancy@gpu:0", "fancy@gpu:1", "threads@cpu:0"});
}

TEST_CASE("defaults are filled in") {
  const Point point =
      expand("devices = ['gpu:0']\nvariants = ['fancy']\nparameters = { n = 32 }").points.at(0);
  CHECK(point.problem == Parameters{{"n", std::int64_t{32}}, {"m", std::int64_t{32}}, {"dtype", "f32"}});
  CHECK(point.tunables == Parameters{{"tile", std::int64_t{16}}, {"mode", "fast"}});
  CHECK(point.layout == "aos");
}

TEST_CASE("zip walks through its axes together") {
  const std::string keys = "devices = ['gpu:0']\nvariants = ['tiled', 'plain']\n";
  CHECK(short_labels(
            expand(keys + "zip = [['m', 'n']]\nparameters = { m = [1, 2], dtype = ['f32', 'f64'], n = "
                          "[3, 4] }\n")
                .points,
            {"m", "n", "dtype"}) == Labels{"tiled@gpu:0 m=1 n=3 dtype=f32", "plain@gpu:0 m=1 n=3 dtype=f32",
                                           "tiled@gpu:0 m=1 n=3 dtype=f64", "plain@gpu:0 m=1 n=3 dtype=f64",
                                           "tiled@gpu:0 m=2 n=4 dtype=f32", "plain@gpu:0 m=2 n=4 dtype=f32",
                                           "tiled@gpu:0 m=2 n=4 dtype=f64",
                                           "plain@gpu:0 m=2 n=4 dtype=f64"});
  // Tied to a tunable that a variant lacks, the rest of the group still counts, each problem once.
  CHECK(short_labels(
            expand(keys + "zip = [['n', 'tile']]\nparameters = { n = [4, 8], tile = [1, 2] }\n").points,
            {"n", "tile"}) ==
        Labels{"tiled@gpu:0 n=4 tile=1", "plain@gpu:0 n=4", "tiled@gpu:0 n=8 tile=2", "plain@gpu:0 n=8"});
}

TEST_CASE("overrides replace axes for the lanes that match, later ones win") {
  const std::string keys = "variants = ['tiled']\nparameters = { n = [1, 2] }\n";
  const std::string over = "[[sweep.override]]\n";
  const auto labels = [&](const std::string& more) {
    return short_labels(expand(keys + more).points, {"n", "tile"});
  };
  CHECK(labels(over + "match = { backend = 'gpu' }\nparameters = { n = [7] }") ==
        Labels{"tiled@cpu:0 n=1 tile=16", "tiled@cpu:0 n=2 tile=16", "tiled@gpu:0 n=7 tile=16",
               "tiled@gpu:1 n=7 tile=16"});
  CHECK(labels(over + "match = { device_type = 'gpu' }\nparameters = { n = [7] }\n" + over +
               "match = { device = '*:1' }\nparameters = { n = [2] }") ==
        Labels{"tiled@cpu:0 n=1 tile=16", "tiled@gpu:1 n=2 tile=16", "tiled@cpu:0 n=2 tile=16",
               "tiled@gpu:0 n=7 tile=16"});
  // The other way round the broader override comes last and wins everywhere.
  CHECK(labels(over + "match = { device = '*:1' }\nparameters = { n = [2] }\n" + over +
               "match = { device_type = 'gpu' }\nparameters = { n = [7] }") ==
        Labels{"tiled@cpu:0 n=1 tile=16", "tiled@cpu:0 n=2 tile=16", "tiled@gpu:0 n=7 tile=16",
               "tiled@gpu:1 n=7 tile=16"});
  // An axis that the sweep does not have is added.
  CHECK(labels(over + "match = { backend = 'cpu' }\nparameters = { tile = [3, 4] }") ==
        Labels{"tiled@gpu:0 n=1 tile=16", "tiled@gpu:1 n=1 tile=16", "tiled@cpu:0 n=1 tile=3",
               "tiled@cpu:0 n=1 tile=4", "tiled@gpu:0 n=2 tile=16", "tiled@gpu:1 n=2 tile=16",
               "tiled@cpu:0 n=2 tile=3", "tiled@cpu:0 n=2 tile=4"});
  // All that a match names must agree.
  CHECK(labels(over + "match = { backend = 'cpu', device_type = 'gpu' }\nparameters = { n = [7] }") ==
        labels(""));
  CHECK(labels(over + "match = { backend = 'gpu', device = 'cpu:0' }\nparameters = { n = [7] }") ==
        labels(""));
}

TEST_CASE("sizes that only some lanes have stand in their place among the others") {
  const auto points = expand(
                          "variants = ['plain']\nbackends = ['gpu', 'cpu']\ndevices = ['gpu:0', 'cpu:0']\n"
                          "parameters = { n = [512, 1024] }\n[[sweep.override]]\n"
                          "match = { backend = 'cpu' }\nparameters = { n = [256, 512] }")
                          .points;
  CHECK(short_labels(points, {"n"}) ==
        Labels{"plain@cpu:0 n=256", "plain@gpu:0 n=512", "plain@cpu:0 n=512", "plain@gpu:0 n=1024"});
}

TEST_CASE("words, and numbers in an order of their own, keep that order") {
  const std::string keys =
      "variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\nbackends = ['gpu', 'cpu']\n";
  const std::string over = "[[sweep.override]]\nmatch = { backend = 'cpu' }\n";
  CHECK(short_labels(
            expand(keys + "parameters = { n = [4, 2] }\n" + over + "parameters = { n = [3] }").points,
            {"n"}) == Labels{"plain@gpu:0 n=4", "plain@gpu:0 n=2", "plain@cpu:0 n=3"});
  CHECK(short_labels(expand(keys + "parameters = { dtype = ['f64', 'f32'] }\n" + over +
                            "parameters = { dtype = 'f16' }")
                         .points,
                     {"dtype"}) ==
        Labels{"plain@gpu:0 dtype=f64", "plain@gpu:0 dtype=f32", "plain@cpu:0 dtype=f16"});
}

TEST_CASE("measure settings are laid over each other: config, sweep, overrides, axes") {
  const auto points = expand(
                          "variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\n"
                          "parameters = { n = [4], cache = ['cold', 'hot'] }\n"
                          "measure = { max_seconds = 7, seed = 5, cache = 'rotate' }\n[[sweep.override]]\n"
                          "match = { backend = 'cpu' }\nmeasure = { max_seconds = 3 }\n[[sweep.override]]\n"
                          "match = { device_type = 'cpu' }\nmeasure = { target = 0.5 }")
                          .points;
  REQUIRE(short_labels(points, {"cache"}) ==
          Labels{"plain@gpu:0 cold", "plain@cpu:0 cold", "plain@gpu:0 hot", "plain@cpu:0 hot"});
  MeasureSettings gpu;
  gpu.max_seconds = 7;
  gpu.seed = 5;
  gpu.cache = CacheMode::cold;
  CHECK(points[0].measure == gpu);
  MeasureSettings cpu = gpu;
  cpu.max_seconds = 3;
  cpu.target = 0.5;
  CHECK(points[1].measure == cpu);
}

TEST_CASE("launch and basis are axes as well") {
  const auto points = expand(
                          "variants = ['plain']\ndevices = ['gpu:0']\n"
                          "parameters = { launch = ['graph'], basis = ['device', 'end_to_end'] }")
                          .points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].measure.launch == LaunchMode::graph);
  CHECK(points[0].measure.basis == Basis::device);
  CHECK(points[1].measure.basis == Basis::end_to_end);
}

TEST_CASE("layouts multiply every variant and have the variant's first as default") {
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['gpu:0']\n"
                            "parameters = { layout = ['soa', 'aos'], n = [1, 2] }")
                         .points,
                     {"layout", "n"}) ==
        Labels{"plain@gpu:0 soa n=1", "plain@gpu:0 soa n=2", "plain@gpu:0 aos n=1", "plain@gpu:0 aos n=2"});
  Catalogue tables = catalogue();
  tables.backends[0].variants[0].layouts = {"soa"};
  tables.backends[0].variants[1].layouts = {"soa", "aos"};
  CHECK(short_labels(
            expand("variants = ['plain', 'tiled', 'fancy']\ndevices = ['gpu:0']", lanes(), tables).points,
            {"layout"}) == Labels{"plain@gpu:0 soa", "tiled@gpu:0 aos", "fancy@gpu:0 aos"});
}

TEST_CASE("equal points are one point") {
  const std::string keys = "variants = ['plain']\ndevices = ['gpu:0']\n";
  // m = n by default, so that m = 4 is nothing new for n = 4.
  const auto points = expand(keys +
                             "zip = [['n', 'm']]\nparameters = { n = [4, 8], m = [4, 9] }\n[[sweep]]\n"
                             "workload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n"
                             "parameters = { n = [4, 8] }")
                          .points;
  CHECK(short_labels(points, {"n", "m"}) ==
        Labels{"plain@gpu:0 n=4 m=4", "plain@gpu:0 n=8 m=9", "plain@gpu:0 n=8 m=8"});
  CHECK(points[0].sweep == 0);
  CHECK(points[2].sweep == 1);
}

TEST_CASE("points that are to be measured in another way are different points") {
  const std::string second = "\n[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n";
  const std::string first = "variants = ['plain']\ndevices = ['gpu:0']";
  CHECK(expand(first + second).points.size() == 1);
  CHECK(expand(first + second + "measure = { seed = 2 }").points.size() == 2);
  CHECK(expand(first + second + "expect = 'wrong'").points.size() == 2);
  CHECK(expand(first + second + "parameters = { layout = 'soa' }").points.size() == 2);
}

TEST_CASE("of two equal points the one that can run stays") {
  const std::string keys = "variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = [4] }\n";
  const std::string second =
      "[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n"
      "parameters = { n = [4] }\n";
  for (const std::string& text :
       {keys + "where = ['n > 4']\n" + second, keys + second + "where = ['n > 4']\n"}) {
    const auto points = expand(text).points;
    REQUIRE(points.size() == 1);
    CHECK(points[0].status == Status::not_run);
  }
}

TEST_CASE("conditions skip points and say with which values") {
  const auto points = expand(
                          "variants = ['tiled', 'plain']\ndevices = ['gpu:0']\n"
                          "parameters = { n = [4, 8], tile = [2, 8] }\n"
                          "where = ['m * n <= 32', 'tile < n']")
                          .points;
  REQUIRE(short_labels(points, {"n", "tile"}) == Labels{"tiled@gpu:0 n=4 tile=2", "tiled@gpu:0 n=4 tile=8",
                                                        "plain@gpu:0 n=4", "tiled@gpu:0 n=8 tile=2",
                                                        "tiled@gpu:0 n=8 tile=8", "plain@gpu:0 n=8"});
  CHECK(points[0].status == Status::not_run);
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "where: \"tile < n\" is false (n=4 tile=8)");
  // `plain` has no tile: that condition does not apply.
  CHECK(points[2].status == Status::not_run);
  CHECK(points[3].reason == "where: \"m * n <= 32\" is false (m=8 n=8)");
  CHECK(points[5].reason == "where: \"m * n <= 32\" is false (m=8 n=8)");
}

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
      expand("variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = [12, 13, 14] }").points;
  REQUIRE(points.size() == 3);
  CHECK(points[0].status == Status::not_run);
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "grid: n = 13 brings bad luck");
  CHECK(points[2].status == Status::not_run);
  const auto layouts =
      expand("variants = ['plain']\ndevices = ['gpu:0']\nparameters = { m = 13, layout = ['soa', 'aos'] }")
          .points;
  REQUIRE(layouts.size() == 2);
  CHECK(layouts[0].reason == "grid: m = 13 has no soa");
  CHECK(layouts[1].status == Status::not_run);
  const auto large =
      expand("variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = 2000000000000 }").points;
  CHECK_THAT(large.at(0).reason, ContainsSubstring("parameter 'n' of workload 'grid'"));
}

TEST_CASE("one layout's failure is not held against another's variants") {
  Catalogue tables = catalogue();
  tables.backends[0].variants[0].layouts = {"soa"};
  const auto points =
      expand("variants = ['plain', 'tiled']\ndevices = ['gpu:0']\nparameters = { m = 13 }", lanes(), tables)
          .points;
  REQUIRE(short_labels(points, {"layout"}) == Labels{"plain@gpu:0 soa", "tiled@gpu:0 aos"});
  CHECK(points[0].status == Status::skipped);
  CHECK(points[1].status == Status::not_run);
}

TEST_CASE("a backend without device gives skipped points with the reason") {
  LaneTable table = lanes();
  table[0].lanes.clear();
  table[0].unavailable = "no driver";
  const auto points =
      expand(
          "variants = ['tiled']\nparameters = { tile = [1, 2] }\n[[sweep.override]]\n"
          "match = { device_type = 'gpu' }\nparameters = { tile = [9] }\n[[sweep.override]]\n"
          "match = { device = '*' }\nparameters = { tile = [3] }\n[[sweep.override]]\n"
          "match = { backend = 'gpu' }\nparameters = { n = [5] }",
          table)
          .points;
  REQUIRE(short_labels(points, {"n", "tile"}) ==
          Labels{"tiled@cpu:0 n=64 tile=3", "tiled@gpu n=5 tile=1", "tiled@gpu n=5 tile=2"});
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "no device: no driver");
  CHECK(points[1].backend == "gpu");
}

TEST_CASE("conditions on the device type do not apply where there is no device") {
  LaneTable table = lanes();
  table[0] = {"gpu", {}, "no driver"};
  const auto points =
      expand("variants = ['plain']\nbackends = ['gpu']\nwhere = [\"device_type == 'cpu'\"]", table).points;
  REQUIRE(points.size() == 1);
  CHECK(points[0].reason == "no device: no driver");
}

TEST_CASE("a backend that is not there is one row with the reason, if it is asked for") {
  const auto points = expand("backends = ['gone', 'cpu']\nvariants = ['plain']").points;
  REQUIRE(short_labels(points, {}) == Labels{"plain@cpu:0", "*@gone"});
  CHECK(points[1].status == Status::skipped);
  CHECK(points[1].reason == "no device: its toolkit was not found");
  CHECK(points[1].workload == "grid");
  for (const Point& point : expand("variants = ['plain']").points) CHECK(point.backend != "gone");
}

TEST_CASE("lanes that were filtered out before leave nothing behind") {
  LaneTable table = lanes();
  table.erase(table.begin());
  CHECK(short_labels(expand("backends = ['gpu', 'cpu']\nvariants = ['plain']", table).points, {}) ==
        Labels{"plain@cpu:0"});
}

TEST_CASE("devices choose lanes by name") {
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['*:0']").points, {}) ==
        Labels{"plain@gpu:0", "plain@cpu:0"});
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['gpu:1']").points, {}) ==
        Labels{"plain@gpu:1"});
  const auto expansion = expand("variants = ['plain']\ndevices = ['cpu:0', 'gpu:7']");
  CHECK(short_labels(expansion.points, {}) == Labels{"plain@cpu:0"});
  CHECK(warnings_of(expansion) ==
        Labels{"x.toml:6:21: warning: no device matches 'gpu:7'; there are gpu:0, "
               "gpu:1, cpu:0; did you mean 'gpu:0'?"});
}

TEST_CASE("a device pattern also decides whether a backend without device is mentioned") {
  LaneTable table = lanes();
  table[0] = {"gpu", {}, "no driver"};
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['cpu:0']", table).points, {}) ==
        Labels{"plain@cpu:0"});
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['gpu:0']", table).points, {}) ==
        Labels{"plain@gpu"});
  CHECK(short_labels(expand("variants = ['plain']\ndevices = ['*']", table).points, {}) ==
        Labels{"plain@gpu", "plain@cpu:0"});
}

TEST_CASE("simulators run only when a pattern names them") {
  LaneTable table = lanes();
  table[0].lanes.push_back(lane("gpu", "sim", DeviceType::simulator));
  CHECK(short_labels(expand("variants = ['fancy']", table).points, {}) ==
        Labels{"fancy@gpu:0", "fancy@gpu:1"});
  CHECK(short_labels(expand("variants = ['fancy']\ndevices = ['gpu:sim']", table).points, {}) ==
        Labels{"fancy@gpu:sim"});
  table[0].lanes.erase(table[0].lanes.begin(), table[0].lanes.begin() + 2);
  const auto points = expand("variants = ['fancy']", table).points;
  REQUIRE(short_labels(points, {}) == Labels{"fancy@gpu"});
  CHECK(points[0].reason == "no device: only simulators, which run when 'devices' names them");
}

TEST_CASE("expectations mark variants") {
  const auto points =
      expand("devices = ['gpu:0']\nvariants = ['plain', 'tiled']\nexpect = { tiled = 'wrong' }").points;
  CHECK(points[0].expect == Expect::right);
  CHECK(points[1].expect == Expect::wrong);
  for (const Point& point : expand("expect = 'wrong'").points) CHECK(point.expect == Expect::wrong);
}

TEST_CASE("lanes without a common problem are warned of, with the place of the sweep") {
  const std::string keys =
      "variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\nparameters = { n = [4, 8] }\n"
      "[[sweep.override]]\nmatch = { backend = 'cpu' }\n";
  const auto apart = expand(keys + "parameters = { n = [2] }");
  CHECK(warnings_of(apart) == Labels{"x.toml:3:1: warning: the lanes cpu:0, gpu:0 of sweep 'sweep-1' share "
                                     "no problem, so no table can "
                                     "compare them; give them one in common"});
  CHECK(expand(keys + "parameters = { n = [2, 8] }").warnings.empty());
  // The same problem written in another way is the same problem.
  CHECK(expand(keys + "parameters = { n = [4], m = [4] }").warnings.empty());
  CHECK(expand(keys + "parameters = { n = [4], m = [5] }").warnings.size() == 1);
  // In common on paper, but ruled out on one of them.
  CHECK(expand(keys + "parameters = { n = [2, 8] }\n[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\n"
                      "devices = ['gpu:0', 'cpu:0']\nwhere = [\"backend == 'cpu' or dtype == 'f64'\"]\n"
                      "parameters = { dtype = ['f32', 'f64'] }")
            .warnings.empty());
  CHECK(warnings_of(expand("variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\n"
                           "parameters = { dtype = ['f32', 'f64'] }\n"
                           "where = [\"(backend == 'cpu') == (dtype == 'f64')\"]"))
            .size() == 1);
  // Pairs in common are not enough for one table of all.
  CHECK(warnings_of(expand("variants = ['plain']\nparameters = { n = [1, 2] }\n[[sweep.override]]\n"
                           "match = { device = 'gpu:1' }\nparameters = { n = [2, 3] }\n[[sweep.override]]\n"
                           "match = { device = 'cpu:0' }\nparameters = { n = [1, 3] }"))
            .size() == 1);
  // One lane alone has nobody to share with.
  CHECK(expand("variants = ['fancy']\ndevices = ['gpu:0']").warnings.empty());
}

TEST_CASE("tied axes that overrides together make unequal are an error") {
  const std::string keys =
      "variants = ['plain']\nzip = [['m', 'n']]\nparameters = { m = [1, 2], n = [3, 4] }\n"
      "[[sweep.override]]\nmatch = { backend = 'cpu' }\nparameters = { m = [1], n = [1] }\n"
      "[[sweep.override]]\nmatch = { device_type = 'cpu' }\nparameters = { m = [5, 6] }\n";
  CHECK_THROWS_WITH(
      expand(keys),
      ContainsSubstring("x.toml:6:8: error: the overrides for cpu:0 together leave tied axes of "
                        "different lengths: m has 2, n has 1"));
}

TEST_CASE("a million combinations are the most") {
  const std::string keys = "variants = ['tiled']\ndevices = ['gpu:0']\n";
  CHECK_THROWS_WITH(
      expand(keys + "parameters = { n = { from = 1, to = 1000, step = 1 }, tile = { from = 1, to = 1001, "
                    "step = 1 } }"),
      ContainsSubstring(
          "x.toml:3:1: error: sweep 'sweep-1' comes to 1001000 points on this machine; expected "
          "at most 1000000"));
  // Two lanes of half a million and a bit each.
  CHECK_THROWS_AS(
      expand("variants = ['tiled']\ndevices = ['gpu:*']\n"
             "parameters = { n = { from = 1, to = 501, step = 1 }, tile = { from = 1, to = 1000, step = 1 "
             "} }"),
      ConfigErrors);
}
