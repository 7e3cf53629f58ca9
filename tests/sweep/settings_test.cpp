// Measure settings, layouts and expectations of points; when two points are one.
#include "fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

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

TEST_CASE("layouts multiply every variant and have the variant's first as default") {
  CHECK(labels_of({"layout", "n"},
                  "variants = ['plain']\ndevices = ['gpu:0']\n"
                  "parameters = { layout = ['soa', 'aos'], n = [1, 2] }") ==
        Labels{"plain@gpu:0 soa n=1", "plain@gpu:0 soa n=2", "plain@gpu:0 aos n=1", "plain@gpu:0 aos n=2"});
  Catalogue tables = catalogue();
  tables.backends[0].variants[0].layouts = {"soa"};
  tables.backends[0].variants[1].layouts = {"soa", "aos"};
  CHECK(labels_of({"layout"}, "variants = ['plain', 'tiled', 'fancy']\ndevices = ['gpu:0']", lanes(),
                  tables) == Labels{"plain@gpu:0 soa", "tiled@gpu:0 aos", "fancy@gpu:0 aos"});
}

TEST_CASE("equal points are one point") {
  const std::string keys = "variants = ['plain']\ndevices = ['gpu:0']\n";
  // m = n by default, so that m = 4 is nothing new for n = 4.
  const auto points = points_of(keys +
                                "zip = [['n', 'm']]\nparameters = { n = [4, 8], m = [4, 9] }\n[[sweep]]\n"
                                "workload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n"
                                "parameters = { n = [4, 8] }");
  CHECK(short_labels(points, {"n", "m"}) ==
        Labels{"plain@gpu:0 n=4 m=4", "plain@gpu:0 n=8 m=9", "plain@gpu:0 n=8 m=8"});
  CHECK(points[0].sweep == 0);
  CHECK(points[2].sweep == 1);
}

TEST_CASE("points that are to be measured in another way are different points") {
  const std::string second = "\n[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n";
  const std::string first = "variants = ['plain']\ndevices = ['gpu:0']";
  CHECK(points_of(first + second).size() == 1);
  CHECK(points_of(first + second + "measure = { seed = 2 }").size() == 2);
  CHECK(points_of(first + second + "expect = 'wrong'").size() == 2);
  CHECK(points_of(first + second + "parameters = { layout = 'soa' }").size() == 2);
}

TEST_CASE("labels of points that differ in settings alone say in which") {
  const std::string keys = "variants = ['plain']\ndevices = ['gpu:0']\n";
  const std::string second = "[[sweep]]\nworkload = 'grid'\n" + keys;
  const auto ends = [&](const std::string& first_keys, const std::string& second_keys) {
    Labels labels;
    for (const Point& point : points_of(keys + first_keys + second + second_keys)) {
      CHECK(point.label().ends_with(' ' + point.apart));
      labels.push_back(point.apart);
    }
    return labels;
  };
  CHECK(ends("measure = { samples = 5, target = 0.5 }\n", "measure = { samples = 7, target = 0.5 }\n") ==
        Labels{"samples=5", "samples=7"});
  CHECK(ends("measure = { seed = 12345671 }\n", "measure = { seed = 12345672 }\n") ==
        Labels{"seed=12345671", "seed=12345672"});
  CHECK(ends("", "expect = 'wrong'\n") == Labels{"expect=right", "expect=wrong"});
  // The label itself tells these apart.
  const auto by_label = points_of(keys + second + "measure = { cache = 'cold', samples = 5 }\n");
  REQUIRE(by_label.size() == 2);
  CHECK((by_label[0].apart.empty() && by_label[1].apart.empty()));
}

TEST_CASE("of two equal points the one that can run stays") {
  const std::string keys = "variants = ['plain']\ndevices = ['gpu:0']\nparameters = { n = [4] }\n";
  const std::string second =
      "[[sweep]]\nworkload = 'grid'\nvariants = ['plain']\ndevices = ['gpu:0']\n"
      "parameters = { n = [4] }\n";
  for (const std::string& text :
       {keys + "where = ['n > 4']\n" + second, keys + second + "where = ['n > 4']\n"}) {
    const auto points = points_of(text);
    REQUIRE(points.size() == 1);
    CHECK(points[0].status == Status::not_run);
  }
}
