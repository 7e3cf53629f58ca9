#include "sweep/configurations.hpp"
#include "support/catch.hpp"

#include "fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A choice among `tiled`, of tile × tile threads, and `plain`; a device of at most 256 threads in a block.
struct Choosing {
  BackendEntry backend{"gpu", {}, "/kernels", false};
  DeviceInfo device = lane("gpu", "0", DeviceType::gpu).device;
  Parameters problem{{"n", std::int64_t{1024}}, {"m", std::int64_t{1024}}, {"dtype", "f32"}};

  Choosing() {
    device.architecture = "here";
    device.limits.max_block_threads = 256;
    VariantInfo tiled = variant("tiled", {tunable("tile", std::int64_t{16}), tunable("way", "rows")});
    LaunchSpec launch;
    launch.entry = "tiled";
    launch.block = {"tile", "tile", "1"};
    tiled.kernel = KernelSpec{{launch}, {}};
    VariantInfo choice = variant("tuned", choice_tunables());
    choice.among = {"tiled", "plain"};
    backend.variants = {tiled, variant("plain"), choice};
    backend.tunings.emplace_back();
    backend.tunings[0].workload = "grid";
    backend.tunings[0].architecture = "here";
  }
  /// A class whose only configuration has that tile.
  void add(std::int64_t n, std::int64_t m, std::int64_t tile, const std::string& dtype = "f32") {
    backend.tunings[0].classes.push_back(
        {"tuned", {{"n", n}, {"m", m}, {"dtype", dtype}}, "aos", {{"tiled", {{"tile", tile}}, 1}}});
  }
  [[nodiscard]] FoundConfigurations found(std::size_t most = most_configurations) const {
    const Workload& grid = *Workloads::built_in().find("grid");
    return find_configurations(
        {grid, backend, backend.variants[2], device, grid.problem(problem, "aos"), {}}, most);
  }
  /// As texts.
  [[nodiscard]] std::vector<std::string> texts(std::size_t most = most_configurations) const {
    std::vector<std::string> result;
    for (const Configuration& one : found(most).configurations) result.push_back(to_text(one));
    return result;
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("without a table a choice tries the defaults of its variants, in their order") {
  const Choosing point;
  CHECK(point.texts() == Texts{"tiled tile=16 way=rows", "plain"});
  CHECK(point.texts(1) == Texts{"tiled tile=16 way=rows"});
}

TEST_CASE("the nearest classes come first, each once, and no more than are wanted") {
  Choosing point;
  point.add(256, 512, 2);
  point.add(2048, 1024, 8);
  point.add(1024, 1024, 4);
  point.add(1024, 1024, 4, "f64");
  point.add(1024, 2048, 8);
  CHECK(point.texts() == Texts{"tiled tile=4 way=rows", "tiled tile=8 way=rows", "tiled tile=2 way=rows",
                               "tiled tile=16 way=rows", "plain"});
  CHECK(point.texts(2) == Texts{"tiled tile=4 way=rows", "tiled tile=8 way=rows"});
  // Another choice's and another layout's say nothing here.
  point.backend.tunings[0].classes[2].choice = "other";
  CHECK(point.texts(1) == Texts{"tiled tile=8 way=rows"});
  point.backend.tunings[0].classes[1].layout = "soa";
  point.backend.tunings[0].classes[4].layout = "soa";
  CHECK(point.texts(1) == Texts{"tiled tile=2 way=rows"});
  // What was tuned without a choice is as good.
  point.backend.tunings[0].classes[2].choice = "tiled";
  CHECK(point.texts(1) == Texts{"tiled tile=4 way=rows"});
}

TEST_CASE("what the device or a requirement rules out is not tried, and told where nothing is left") {
  Choosing point;
  point.add(1024, 1024, 32);
  CHECK(point.texts() == Texts{"tiled tile=16 way=rows", "plain"});
  point.backend.variants[0].require = {"n < 10"};
  point.backend.variants[1].require = {"n < 20"};
  CHECK(point.texts().empty());
  CHECK(point.found().reason == "constraint: variant 'tiled' needs n < 10 (n=1024)");
}

TEST_CASE("what a table says of unknown variants and tunables is left out") {
  Choosing point;
  point.backend.tunings[0].classes.push_back({"tuned",
                                              {{"dtype", "f32"}},
                                              "aos",
                                              {{"gone", {}, 1},
                                               {"tuned", {}, 1},
                                               {"tiled", {{"tile", "many"}, {"old", std::int64_t{3}}}, 1},
                                               {"tiled", {{"way", "columns"}}, 1}}});
  CHECK(point.texts() == Texts{"tiled tile=16 way=rows", "tiled tile=16 way=columns", "plain"});
}

TEST_CASE("another architecture's classes count where its own has none nearer, however far") {
  Choosing point;
  point.add(1 << 20, 1 << 20, 8);
  point.backend.tunings.push_back(point.backend.tunings[0]);
  point.backend.tunings[1].architecture = "elsewhere";
  point.backend.tunings[1].classes[0].problem = point.problem;
  point.backend.tunings[1].classes[0].configurations[0].tunables["tile"] = std::int64_t{4};
  CHECK(point.texts(2) == Texts{"tiled tile=8 way=rows", "tiled tile=4 way=rows"});
}

TEST_CASE("where times are known, candidates come by what is expected of them") {
  Choosing point;
  // A wave of four compute units; tiles of 256 need one wave of their class and two of this problem.
  point.device.compute_units = 4;
  point.backend.variants[0].kernel->derived = {{"tiles", "ceil_div(n, tile * 64)"}};
  point.backend.variants[0].kernel->effort = "ceil_div(tiles, compute_units) * tile";
  point.problem["n"] = std::int64_t{1280};
  point.add(1024, 1024, 4);
  point.add(1024, 1024, 8);
  auto& classes = point.backend.tunings[0].classes;
  classes[0].configurations.push_back({"tiled", {{"tile", std::int64_t{8}}}, 1.1});
  classes.pop_back();
  classes[0].ns = 1000;
  // 4: 1000 ns, twice as many waves. 8: 1100 ns in one wave, here as there.
  CHECK(point.texts(2) == Texts{"tiled tile=8 way=rows", "tiled tile=4 way=rows"});
  // The nearest class's quickest is tried in any case, but where one alone is.
  classes[0].configurations.push_back({"tiled", {{"tile", std::int64_t{7}}}, 1.15});
  classes[0].configurations.push_back({"tiled", {{"tile", std::int64_t{6}}}, 1.2});
  CHECK(point.texts(2) == Texts{"tiled tile=8 way=rows", "tiled tile=4 way=rows"});
  CHECK(point.texts(1) == Texts{"tiled tile=8 way=rows"});
  classes[0].ns = 0;
  CHECK(point.texts(2) == Texts{"tiled tile=4 way=rows", "tiled tile=8 way=rows"});
  // Without an expression the workload's operations count, of which `grid` has none: nothing is expected.
  classes[0].ns = 1000;
  point.backend.variants[0].kernel->effort.clear();
  CHECK(point.texts(2) == Texts{"tiled tile=4 way=rows", "tiled tile=8 way=rows"});
}

TEST_CASE("what was measured for the very problem comes before what others promise") {
  Choosing point;
  point.backend.variants[0].kernel->effort = "n";
  point.add(2048, 1024, 8);
  point.add(1024, 1024, 4);
  auto& classes = point.backend.tunings[0].classes;
  classes[1].configurations.push_back({"tiled", {{"tile", std::int64_t{2}}}, 1.2});
  classes[0].ns = 100;  // 50 ns here, it says
  classes[1].ns = 1000;
  CHECK(point.texts(3) == Texts{"tiled tile=4 way=rows", "tiled tile=2 way=rows", "tiled tile=8 way=rows"});
  CHECK(point.texts(1) == Texts{"tiled tile=4 way=rows"});
  // The same configuration of another class changes nothing.
  classes[0].configurations.push_back({"tiled", {{"tile", std::int64_t{2}}}, 1});
  CHECK(point.texts(2) == Texts{"tiled tile=4 way=rows", "tiled tile=2 way=rows"});
  // On another card they are promises, too.
  point.device.architecture = "other";
  CHECK(point.texts(1) == Texts{"tiled tile=2 way=rows"});
}

TEST_CASE("a distance is that of logarithms, of alignment and of words") {
  TunedClass from;
  from.problem = {{"n", std::int64_t{1024}}, {"values", "normal"}, {"dtype", "f32"}};
  const auto away = [&](std::int64_t n, const char* values, const char* dtype) {
    return distance(from, {{"n", n}, {"values", values}, {"dtype", dtype}});
  };
  CHECK(away(1024, "normal", "f32") == 0.0);
  CHECK_THAT(away(4096, "normal", "f32").value(), WithinAbs(2, 1e-12));
  CHECK_THAT(away(256, "uniform", "f32").value(), WithinAbs(3, 1e-12));
  CHECK_FALSE(away(1024, "normal", "f64"));
  // 1000 is a multiple of 8, 1001 of nothing: one and four powers of two less than 16.
  CHECK_THAT(away(1000, "normal", "f32").value(), WithinAbs(0.0342 + 0.25, 1e-3));
  CHECK_THAT(away(1001, "normal", "f32").value(), WithinAbs(0.0328 + 1, 1e-3));
  from.problem["other"] = std::int64_t{1};
  CHECK_FALSE(away(1024, "normal", "f32"));
}

TEST_CASE("a configuration is read as it was written") {
  const Choosing point;
  const VariantInfo& choice = point.backend.variants[2];
  const auto read = [&](const std::string& text) {
    return configuration_from(text, choice, point.backend);
  };
  for (const std::string text : {"tiled tile=8 way=columns", "plain"}) {
    REQUIRE(read(text));
    CHECK(to_text(*read(text)) == text);
  }
  CHECK(std::get<std::int64_t>(read("tiled tile=8 way=columns")->tunables.at("tile")) == 8);
  for (const std::string text :
       {"", "gone", "tuned trial=1", "tiled", "tiled tile=8", "tiled tile=x way=rows"})
    CHECK_FALSE(read(text));
}

TEST_CASE("a tunable that depends on the size is also tried at the value that promises most") {
  Choosing point;
  VariantInfo& tiled = point.backend.variants[0];
  tiled.tunables.push_back(tunable("parts", std::int64_t{1}));
  tiled.tunables.back().by_size = true;
  // Parts of n, and joining them.
  tiled.kernel->effort = "n / parts + 10 * parts";
  tiled.require = {"parts % 2 == 0"};
  auto& classes = point.backend.tunings[0].classes;
  classes.push_back({"tuned",
                     {{"n", std::int64_t{160}}},
                     "aos",
                     {{"tiled", {{"tile", std::int64_t{8}}, {"parts", std::int64_t{4}}}, 1}}});
  classes[0].ns = 100;
  point.problem["n"] = std::int64_t{1000};
  CHECK(point.texts(3) ==
        Texts{"tiled parts=10 tile=8 way=rows", "tiled parts=4 tile=8 way=rows", "plain"});
  // 9 would promise most and is ruled out.
  point.problem["n"] = std::int64_t{811};
  CHECK(point.texts(1) == Texts{"tiled parts=10 tile=8 way=rows"});
  // No more than four times as many.
  point.problem["n"] = std::int64_t{100000};
  CHECK(point.texts(1) == Texts{"tiled parts=16 tile=8 way=rows"});
  // Nothing is promised here: the class's own value is the best.
  point.problem["n"] = std::int64_t{160};
  CHECK(point.texts(2) == Texts{"tiled parts=4 tile=8 way=rows", "plain"});
  tiled.tunables.back().by_size = false;
  point.problem["n"] = std::int64_t{1000};
  CHECK(point.texts(2) == Texts{"tiled parts=4 tile=8 way=rows", "plain"});
}
