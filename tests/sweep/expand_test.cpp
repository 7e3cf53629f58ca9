// Points of sweeps that a text alone does not show (those are in tests/golden/expected/sweep_cases.txt).
#include "fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("points of one problem have its parameters in common") {
  const auto points = points_of(
      "devices = ['gpu:0']\nvariants = ['tiled']\n"
      "parameters = { n = [4, 8], tile = [1, 2] }");
  REQUIRE(points.size() == 4);
  CHECK(&points[0].problem.get() == &points[1].problem.get());
  CHECK(points[0].backend == "gpu");
  CHECK(points[0].label() == "grid/tiled @ gpu:0 dtype=f32 m=4 n=4 layout=aos tile=1");
}

TEST_CASE("a lesson in what goes wrong is meant by its name alone") {
  Catalogue tables = catalogue();
  tables.backends[0].variants[1].wrong_on_purpose = true;
  const std::string device = "devices = ['gpu:0']\n";
  CHECK(labels_of({}, device + "variants = ['*l*']", lanes(), tables) == Labels{"plain@gpu:0"});
  CHECK(labels_of({}, device + "variants = ['tiled']", lanes(), tables) == Labels{"tiled@gpu:0"});
}

TEST_CASE("an integer for a tunable whose default is a real is a real, an integer's stays one") {
  const std::vector<Point> points =
      expand(
          "devices = ['cpu:0']\nvariants = ['threads']\nparameters = { share = [1, 2.5], threads = 2 }\n")
          .points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].tunables.at("share") == Value{1.0});
  CHECK(points[1].tunables.at("share") == Value{2.5});
  CHECK(points[0].tunables.at("threads") == Value{std::int64_t{2}});
}

TEST_CASE("measure settings are laid over each other: config, sweep, overrides, axes") {
  const auto points = points_of(
      "variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\n"
      "parameters = { n = [4], cache = ['cold', 'hot'] }\n"
      "measure = { max_seconds = 7, seed = 5, cache = 'rotate' }\n[[sweep.override]]\n"
      "match = { backend = 'cpu' }\nmeasure = { max_seconds = 3 }\n[[sweep.override]]\n"
      "match = { device_type = 'cpu' }\nmeasure = { target = 0.5 }");
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

TEST_CASE("a layout that no axis names is the variant's first") {
  Catalogue tables = catalogue();
  tables.backends[0].variants[0].layouts = {"soa"};
  tables.backends[0].variants[1].layouts = {"soa", "aos"};
  CHECK(labels_of({"layout"}, "variants = ['plain', 'tiled', 'fancy']\ndevices = ['gpu:0']", lanes(),
                  tables) == Labels{"plain@gpu:0 soa", "tiled@gpu:0 aos", "fancy@gpu:0 aos"});
}

TEST_CASE("a value that no problem can have is a reason, too") {
  CHECK_THAT(points_of("variants = ['plain']\nparameters = { n = 2000000000000 }").at(0).reason,
             ContainsSubstring("parameter 'n' of workload 'grid'"));
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

TEST_CASE("a product of axes beyond every integer is refused") {
  const std::string all = "{ from = 1, to = 100000, step = 1 }";
  Catalogue tables = catalogue();
  tables.backends[0].variants = {
      variant("plain", {tunable("first", std::int64_t{1}), tunable("second", std::int64_t{1})})};
  CHECK_THROWS_WITH(
      expand("devices = ['gpu:0']\nparameters = { n = " + all + ", m = " + all + ", first = " + all +
                 ", second = " + all + " }",
             lanes(), tables),
      ContainsSubstring("sweep 'sweep-1' comes to 100000000000000000000 points on this machine"));
}

TEST_CASE("a hundred thousand combinations are the most for all sweeps together") {
  const std::string sweep = "[[sweep]]\nworkload = 'grid'\nvariants = ['tiled']\ndevices = ['gpu:0']\n";
  const std::string most =
      "parameters = { n = { from = 1, to = 1000, step = 1 }, tile = { from = 1, to = 100, step = 1 } }\n";
  CHECK_THROWS_WITH(
      benchctl::expand(parse_config("[experiment]\nname = 'x'\n" + sweep + sweep + most, "x.toml"),
                       catalogue(), lanes()),
      ContainsSubstring(
          "x.toml:7:1: error: sweep 'sweep-2' comes to 100000 points on this machine, after 1 of the "
          "sweeps before it; expected at most 100000"));
}

TEST_CASE("many sweeps with settings of their own in a long text become points in a moment") {
  std::string text = "[experiment]\nname = 'x'\n#" + std::string(5'000'000, '-') + '\n';
  constexpr std::size_t count = 1000;
  for (std::size_t i = 0; i < count; ++i) {
    text += "[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\nmeasure = { seed = " +
            std::to_string(i) + " }\n";
  }
  CHECK(benchctl::expand(parse_config(text, "x.toml"), catalogue(), lanes()).points.size() == count);
}

TEST_CASE("tied axes of many values become points in a moment") {
  constexpr std::size_t count = 60'000;
  std::string numbers = "1";
  std::string words = "'f32'";
  for (std::size_t i = 0; i < count; ++i) {
    numbers += ", " + std::to_string(i / 2 + 1);
    words += i % 2 == 0 ? ", 'f64'" : ", 'f32'";
  }
  numbers.replace(0, 1, "999999");
  const auto points =
      points_of("devices = ['gpu:0']\nvariants = ['plain']\nzip = [['n', 'dtype']]\nparameters = { n = [" +
                numbers + "], dtype = [" + words + "] }");
  CHECK(points.size() == count + 1);
}

TEST_CASE("conditions that take too long for many points are refused") {
  const std::string condition = "\"n > 0" + std::string(995, ' ') + "\"";
  CHECK_NOTHROW(expand("where = [" + condition + ", " + condition + "]\n"));
  CHECK_THROWS_WITH(
      expand("where = [" + condition + ", " + condition + ", 'n > 0']\n"),
      ContainsSubstring("x.toml:5:9: error: 'where' in [[sweep]] has 2005 bytes of conditions; "
                        "expected at most 2000"));
}
