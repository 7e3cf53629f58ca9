// What `benchctl tune` makes of sweeps: which variants are searched, over which values, and what comes
// first.
#include "sweep/tuning_sweeps.hpp"
#include "support/catch.hpp"
#include "sweep/fixtures.hpp"
#include "sweep/search.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::vector<Value> numbers(const std::vector<std::int64_t>& integers) {
  return {integers.begin(), integers.end()};
}

/// On `gpu`: `tiled` and `fancy` have values worth trying, `best` is a choice between them.
Catalogue tuned_catalogue() {
  Catalogue tables = catalogue();
  BackendEntry& gpu = tables.backends[0];
  gpu.variants[1].tunables[0].values = numbers({32, 8});
  gpu.variants[2].tunables[0].values = numbers({64});
  gpu.variants[2].tunables[1].values = {std::string("fast"), std::string("slow")};
  VariantInfo best = variant("best", choice_tunables());
  best.among = {"tiled", "fancy"};
  gpu.variants.push_back(best);
  return tables;
}

struct Tuned {
  explicit Tuned(const std::string& keys, const TuningLimits& limits = {},
                 Catalogue known = tuned_catalogue())
      : tables(std::move(known)), config(test::config(keys)) {
    make_tuning_sweeps(config, tables, limits);
  }
  Catalogue tables;
  Config config;
};

const Axis* axis_of(const Sweep& sweep, const std::string& name) {
  for (const Axis& axis : sweep.axes) {
    if (axis.name == name) return &axis;
  }
  return nullptr;
}

std::vector<std::string> tuned_names(const Config& config) {
  std::vector<std::string> names;
  for (const Sweep& sweep : config.sweeps) names.push_back(sweep.search->tuned);
  return names;
}

std::vector<std::string> first_tried(SearchTask& task) {
  std::vector<Point> points;
  for (const Coordinates& at : task.space().first) points.push_back(task.point(at));
  return short_labels(points, {"tile", "mode"});
}

}  // namespace

TEST_CASE("a choice is searched with all that it is among, which are not searched on their own") {
  const Tuned all("backends = ['gpu']\n");
  CHECK(tuned_names(all.config) == Labels{"best"});
  const Sweep& sweep = all.config.sweeps[0];
  CHECK(sweep.variants->at(0).text == "tiled");
  CHECK(sweep.variants->at(1).text == "fancy");
  REQUIRE(axis_of(sweep, "tile") != nullptr);
  CHECK(axis_of(sweep, "tile")->values == numbers({8, 16, 32, 64}));
  REQUIRE(axis_of(sweep, "mode") != nullptr);
  CHECK(axis_of(sweep, "mode")->values == std::vector<Value>{std::string("fast"), std::string("slow")});
}

TEST_CASE("kernels with values worth trying are searched, others and expected failures are not") {
  const Tuned two("backends = ['gpu', 'cpu']\nvariants = ['plain', 'tiled', 'fancy', 'threads']\n");
  CHECK(tuned_names(two.config) == Labels{"tiled", "fancy"});
  CHECK(two.config.sweeps[0].backends->at(0).text == "gpu");
  CHECK(axis_of(two.config.sweeps[0], "mode") == nullptr);
  const Tuned none("backends = ['cpu']\n");
  CHECK(none.config.sweeps.empty());
  const Tuned axis("backends = ['cpu']\nvariants = ['threads']\nparameters = { threads = [1, 2] }\n");
  CHECK(tuned_names(axis.config) == Labels{"threads"});
  CHECK(axis_of(axis.config.sweeps[0], "threads")->values == numbers({1, 2}));
  const Tuned wrong("backends = ['gpu']\nvariants = ['tiled', 'fancy']\nexpect = { tiled = 'wrong' }\n");
  CHECK(tuned_names(wrong.config) == Labels{"fancy"});
}

TEST_CASE("what is searched and how much comes from the command line, the config, or is usual") {
  const auto settings = [](const std::string& keys, const TuningLimits& limits = {}) {
    return *Tuned("backends = ['gpu']\n" + keys, limits).config.sweeps.at(0).search;
  };
  CHECK(settings("").strategy.text == "hill_climb");
  CHECK(settings("").max_points == 48);
  CHECK(settings("").seed == 1);
  const std::string own = "search = { strategy = 'random', max_points = 7, seed = 3 }\n";
  CHECK(settings(own).strategy.text == "random");
  CHECK(settings(own).max_points == 7);
  CHECK(settings(own).seed == 3);
  CHECK(settings(own, {9, 4}).max_points == 9);
  CHECK(settings(own, {9, 4}).seed == 4);
  CHECK(settings("search = { seed = 5 }\n").strategy.text == "hill_climb");
}

TEST_CASE("points of a search are measured singly and once, whatever the config says") {
  const Tuned all(
      "backends = ['gpu']\nvariants = ['tiled']\nmeasure = { mode = 'paired', replicates = 3 }\n"
      "[[sweep.override]]\nmatch = { device = 'gpu:1' }\nmeasure = { replicates = 2 }\n");
  const LaneTable table = lanes();
  const Searches searches = make_searches(all.config, all.tables, table);
  REQUIRE(searches.tasks.size() == 2);
  for (const auto& task : searches.tasks) {
    const Point point = task->point({0, {0}});
    CHECK(point.measure.mode == RoundMode::independent);
    CHECK(point.measure.replicates == 1);
  }
}

TEST_CASE("an objective that an observer reads is observed") {
  const auto observed = [](const std::string& objective, const std::string& measure) {
    const Tuned all(
        "backends = ['gpu']\ndevices = ['gpu:0']\nvariants = ['tiled']\nmeasure = { observe = " + measure +
        " }\nsearch = { objective = '" + objective + "' }\n");
    const LaneTable table = lanes();
    const Searches searches = make_searches(all.config, all.tables, table);
    return searches.tasks.at(0)->point({0, {0}}).measure.observe;
  };
  CHECK(observed("energy", "['power']") == Labels{"power", "energy"});
  CHECK(observed("energy", "['energy']") == Labels{"energy"});
  CHECK(observed("energy", "['none']") == Labels{"energy"});
  CHECK(observed("measured_sectors_per_request", "['none']") == Labels{"sectors_per_request"});
  CHECK(observed("gflops", "['none']") == Labels{"none"});
}

TEST_CASE("`all` tries every configuration") {
  const Tuned all("backends = ['gpu']\nvariants = ['tiled']\nsearch = { strategy = 'all' }\n");
  const LaneTable table = lanes();
  const Searches searches = make_searches(all.config, all.tables, table);
  REQUIRE(searches.tasks.size() == 2);
  CHECK(searches.tasks[0]->max_points() == 3);
}

TEST_CASE("defaults are tried first, then what a table has for the nearest problem") {
  Catalogue tables = tuned_catalogue();
  TuningTable known;
  known.workload = "grid";
  known.classes = {{"best",
                    {{"n", std::int64_t{64}}},
                    "aos",
                    {{"fancy", {{"tile", std::int64_t{48}}, {"mode", std::string("slow")}}, 1},
                     {"gone", {}, 1.1},
                     {"tiled", {{"tile", std::int64_t{8}}}, 1.2}}}};
  tables.backends[0].tunings.push_back(known);
  const Tuned all("backends = ['gpu']\ndevices = ['gpu:0']\n", {}, tables);
  // A value that only the table has is in the space, too.
  CHECK(axis_of(all.config.sweeps[0], "tile")->values == numbers({8, 16, 32, 48, 64}));
  const LaneTable table = lanes();
  const Searches searches = make_searches(all.config, all.tables, table);
  REQUIRE(searches.tasks.size() == 1);
  const Labels tried = first_tried(*searches.tasks[0]);
  REQUIRE(tried.size() >= 4);
  CHECK(Labels(tried.begin(), tried.begin() + 4) ==
        Labels{"tiled@gpu:0 tile=16", "fancy@gpu:0 tile=16 mode=fast", "fancy@gpu:0 tile=48 mode=slow",
               "tiled@gpu:0 tile=8"});
}
