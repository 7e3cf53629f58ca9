// Axes, ties and overrides: which points a sweep comes to, and in which order.
#include "fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("axes multiply what a variant has, in a fixed order") {
  const auto points = points_of(
      "backends = ['gpu']\ndevices = ['gpu:0']\nvariants = ['tiled', 'plain']\n"
      "parameters = { n = [4, 8], tile = [1, 2] }");
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

TEST_CASE("points of one problem have its parameters in common") {
  const auto points = points_of(
      "devices = ['gpu:0']\nvariants = ['tiled']\n"
      "parameters = { n = [4, 8], tile = [1, 2] }");
  REQUIRE(points.size() == 4);
  CHECK(&points[0].problem.get() == &points[1].problem.get());
}

TEST_CASE("points of one problem are together, lane by lane in the order of the backends") {
  const std::string keys = "variants = ['plain']\nparameters = { n = [8, 4], tile = [1, 2] }\n";
  CHECK(labels_of({"n"}, keys) == Labels{"plain@gpu:0 n=8", "plain@gpu:1 n=8", "plain@cpu:0 n=8",
                                         "plain@gpu:0 n=4", "plain@gpu:1 n=4", "plain@cpu:0 n=4"});
  CHECK(labels_of({}, keys + "backends = ['cpu', 'gpu']") ==
        Labels{"plain@cpu:0", "plain@gpu:0", "plain@gpu:1", "plain@cpu:0", "plain@gpu:0", "plain@gpu:1"});
}

TEST_CASE("the first problem axis is outermost wherever tunables stand") {
  const auto points = points_of(
      "devices = ['gpu:0']\nvariants = ['tiled']\n"
      "parameters = { m = [2, 1], tile = [3, 4], n = [5, 6] }");
  CHECK(short_labels(points, {"m", "n", "tile"}) ==
        Labels{"tiled@gpu:0 m=2 n=5 tile=3", "tiled@gpu:0 m=2 n=5 tile=4", "tiled@gpu:0 m=2 n=6 tile=3",
               "tiled@gpu:0 m=2 n=6 tile=4", "tiled@gpu:0 m=1 n=5 tile=3", "tiled@gpu:0 m=1 n=5 tile=4",
               "tiled@gpu:0 m=1 n=6 tile=3", "tiled@gpu:0 m=1 n=6 tile=4"});
}

TEST_CASE("variants are chosen by patterns, each once, in the order of the patterns") {
  const std::string device = "devices = ['gpu:0']\n";
  CHECK(labels_of({}, device + "variants = ['f*', '*l*']") ==
        Labels{"fancy@gpu:0", "plain@gpu:0", "tiled@gpu:0"});
  CHECK(labels_of({}, device + "variants = ['tiled', '*']") ==
        Labels{"tiled@gpu:0", "plain@gpu:0", "fancy@gpu:0"});
  // A lesson in what goes wrong is meant by its name alone.
  Catalogue tables = catalogue();
  tables.backends[0].variants[1].wrong_on_purpose = true;
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

TEST_CASE("zip walks through its axes together") {
  const std::string keys = "devices = ['gpu:0']\nvariants = ['tiled', 'plain']\n";
  CHECK(labels_of({"m", "n", "dtype"},
                  keys + "zip = [['m', 'n']]\nparameters = { m = [1, 2], dtype = ['f32', 'f64'], n = "
                         "[3, 4] }\n") ==
        Labels{"tiled@gpu:0 m=1 n=3 dtype=f32", "plain@gpu:0 m=1 n=3 dtype=f32",
               "tiled@gpu:0 m=1 n=3 dtype=f64", "plain@gpu:0 m=1 n=3 dtype=f64",
               "tiled@gpu:0 m=2 n=4 dtype=f32", "plain@gpu:0 m=2 n=4 dtype=f32",
               "tiled@gpu:0 m=2 n=4 dtype=f64", "plain@gpu:0 m=2 n=4 dtype=f64"});
  // Tied to a tunable that a variant lacks, the rest of the group still counts, each problem once.
  CHECK(labels_of({"n", "tile"},
                  keys + "zip = [['n', 'tile']]\nparameters = { n = [4, 8], tile = [1, 2] }\n") ==
        Labels{"tiled@gpu:0 n=4 tile=1", "plain@gpu:0 n=4", "tiled@gpu:0 n=8 tile=2", "plain@gpu:0 n=8"});
  CHECK(labels_of({"n", "tile"},
                  keys + "zip = [['n', 'tile']]\nparameters = { n = [4, 4, 8], tile = [1, 2, 2] }\n") ==
        Labels{"tiled@gpu:0 n=4 tile=1", "tiled@gpu:0 n=4 tile=2", "plain@gpu:0 n=4",
               "tiled@gpu:0 n=8 tile=2", "plain@gpu:0 n=8"});
}

TEST_CASE("overrides replace axes for the lanes that match, later ones win") {
  const std::string keys = "variants = ['tiled']\nparameters = { n = [1, 2] }\n";
  const std::string over = "[[sweep.override]]\n";
  const auto labels = [&](const std::string& more) { return labels_of({"n", "tile"}, keys + more); };
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

TEST_CASE("words, and numbers in an order of their own, keep that order") {
  const std::string keys =
      "variants = ['plain']\ndevices = ['gpu:0', 'cpu:0']\nbackends = ['gpu', 'cpu']\n";
  const std::string over = "[[sweep.override]]\nmatch = { backend = 'cpu' }\n";
  CHECK(labels_of({"n"}, keys + "parameters = { n = [4, 2] }\n" + over + "parameters = { n = [3] }") ==
        Labels{"plain@gpu:0 n=4", "plain@gpu:0 n=2", "plain@cpu:0 n=3"});
  CHECK(labels_of({"dtype"}, keys + "parameters = { dtype = ['f64', 'f32'] }\n" + over +
                                 "parameters = { dtype = 'f16' }") ==
        Labels{"plain@gpu:0 dtype=f64", "plain@gpu:0 dtype=f32", "plain@cpu:0 dtype=f16"});
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

TEST_CASE("a hundred thousand combinations are the most") {
  const std::string keys = "variants = ['tiled']\ndevices = ['gpu:0']\n";
  CHECK_THROWS_WITH(
      expand(keys + "parameters = { n = { from = 1, to = 1000, step = 1 }, tile = { from = 1, to = 101, "
                    "step = 1 } }"),
      ContainsSubstring(
          "x.toml:3:1: error: sweep 'sweep-1' comes to 101000 points on this machine; expected "
          "at most 100000; narrow the axes, tie some with zip, or let a search draw points: [search] "
          "strategy = \"random\""));
  // Two lanes of half of them and a bit each; what a condition rules out counts, too.
  CHECK_THROWS_AS(
      expand("variants = ['tiled']\ndevices = ['gpu:*']\nwhere = ['n == 1']\n"
             "parameters = { n = { from = 1, to = 501, step = 1 }, tile = { from = 1, to = 100, step = 1 "
             "} }"),
      ConfigErrors);
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

TEST_CASE("conditions that take too long for so many points are refused") {
  const std::string condition = "\"n > 0" + std::string(995, ' ') + "\"";
  const std::string keys = "variants = ['tiled']\ndevices = ['gpu:0']\nwhere = [" + condition + ", " +
                           condition + ", " + condition + "]\n";
  CHECK_THROWS_WITH(
      expand(keys + "parameters = { n = { from = 1, to = 1000, step = 1 }, tile = { from = 1, to = 67, "
                    "step = 1 } }"),
      ContainsSubstring(
          "x.toml:7:10: error: sweep 'sweep-1' has 3000 bytes of conditions for 67000 points, "
          "which takes too long; expected a product of at most 200000000 for all sweeps; "
          "fewer points, or shorter conditions"));
}
