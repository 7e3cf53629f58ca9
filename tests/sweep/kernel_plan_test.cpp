// What is wrong with a description of kernels. Right ones: tests/golden.
#include "sweep/kernel_plan.hpp"

#include "fixtures.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::Equals;

namespace {

struct Description {
  KernelSpec spec;
  Parameters values{
      {"n", std::int64_t{100}}, {"m", std::int64_t{3}}, {"dtype", "f64"}, {"tile", std::int64_t{16}}};
  ProblemSpec problem;

  Description() {
    LaunchSpec launch;
    launch.source = "k.cu";
    launch.entry = "k";
    launch.defines = {{"TILE", "tile * 2"}};
    launch.block = {"tile", "m", "1"};
    launch.grid = {"ceil_div(n, tile)", "2", "m"};
    launch.arguments = {"out", "partial", "in", "count"};
    spec = {{launch}, {{"other", DType::u8, "1", false}, {"partial", DType::f32, "n + m", true}}};
    problem = Workloads::built_in().find("grid")->problem(
        {{"n", std::int64_t{100}}, {"m", std::int64_t{3}}, {"dtype", "f64"}}, "aos");
    problem.scalars = {{"count", DType::i32, std::int64_t{100}}};
  }
  [[nodiscard]] KernelPlan plan() const { return plan_kernel(spec, values, problem, "/kernels"); }
};

}  // namespace

TEST_CASE("faults of a description are reported with their place in it") {
  Description bad;
  bad.spec.launches[0].defines["TILE"] = "tiel";
  CHECK_THROWS_WITH(bad.plan(), Equals("kernel k, define TILE = \"tiel\": 'tiel' has no value here"));
  bad = {};
  bad.spec.launches[0].grid[2] = "m - 3";
  CHECK_THROWS_WITH(bad.plan(), Equals("kernel k, block and grid must be at least 1 in every direction"));
  bad = {};
  bad.spec.scratch[1].count = "0 - 1";
  CHECK_THROWS_WITH(
      bad.plan(),
      Equals("scratch partial, count = \"0 - 1\": '0 - 1' gives -1, but a count cannot be negative"));
  bad = {};
  bad.spec.launches[0].arguments[2] = "inn";
  CHECK_THROWS_WITH(
      bad.plan(),
      Equals("argument 'inn' of kernel 'k' is not a buffer, scratch buffer or scalar of workload 'grid'"));
  bad = {};
  bad.spec.launches[0].arguments[2] = "inn|x";
  CHECK_THROWS_WITH(
      bad.plan(),
      Equals(
          "argument 'inn|x' of kernel 'k' is not a buffer, scratch buffer or scalar of workload 'grid'"));
}

TEST_CASE("a real stays a floating-point literal in a definition, an integer an integer") {
  Description description;
  description.spec.launches[0].defines = {{"REAL", "scale"},         {"HALF", "scale / 4"},
                                          {"LARGE", "scale * 1e30"}, {"MINUS", "0 - scale"},
                                          {"TILE", "tile"},          {"EVEN", "tile / 2"}};
  description.values["scale"] = 2.0;
  const auto defines = description.plan().launches.at(0).defines;
  CHECK(defines.at("REAL") == "2.0");
  CHECK(defines.at("HALF") == "0.5");
  CHECK(defines.at("LARGE") == "2e+30");
  CHECK(defines.at("MINUS") == "-2.0");
  CHECK(defines.at("TILE") == "16");
  CHECK(defines.at("EVEN") == "8");
}

TEST_CASE("what a description derives may be named by all that follows") {
  Description description;
  description.spec.derived = {{"tiles", "ceil_div(n, tile)"}, {"blocks", "tiles * m"}};
  LaunchSpec& launch = description.spec.launches[0];
  launch.grid = {"blocks", "1", "1"};
  launch.defines = {{"TILES", "tiles"}};
  description.spec.scratch[1].count = "blocks * 2";
  const KernelPlan plan = description.plan();
  CHECK(plan.launches.at(0).grid[0] == 21);
  CHECK(plan.launches.at(0).defines.at("TILES") == "7");
  CHECK(plan.scratch.at(1).count == 42);

  description.spec.derived = {{"blocks", "tiles * m"}, {"tiles", "ceil_div(n, tile)"}};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("derived value blocks = \"tiles * m\": 'tiles' has no value here"));
}
