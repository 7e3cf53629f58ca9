// What is wrong with a description of kernels. Right ones: tests/golden.
#include "sweep/kernel_plan.hpp"
#include "support/catch.hpp"

#include "fixtures.hpp"

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

TEST_CASE("a template's arguments and options of the compiler have values") {
  Description description;
  LaunchSpec& launch = description.spec.launches[0];
  launch.entry = "tile::k<float, tile, (tile + m), TILE, types>";
  launch.options = {"-O2", "--maxrregcount={tile * 2}"};
  description.values["types"] = "half";
  const PlannedLaunch planned = description.plan().launches.at(0);
  CHECK(planned.entry == "tile::k<float, 16, (16 + 3), TILE, half>");  // TILE is a definition
  CHECK(planned.options == std::vector<std::string>{"-O2", "--maxrregcount=32"});

  const auto refused = [&](const std::string& option) {
    launch.options = {option};
    CHECK_THROWS_WITH(description.plan(), ContainsSubstring("an option begins with '-'"));
  };
  for (const char* option : {"-I/etc", "-include x", "x", "-{types}/y", "-o\ny"}) refused(option);
  launch.options = {"-{tiel}"};
  CHECK_THROWS_WITH(description.plan(), ContainsSubstring("'tiel' has no value here"));
}

TEST_CASE("constant memory is a copy of a buffer or of scratch memory") {
  Description description;
  LaunchSpec& launch = description.spec.launches[0];
  launch.constants = {{"A", "in"}, {"B", "partial"}};
  const auto constants = description.plan().launches.at(0).constants;
  CHECK(constants.at("A").kind == PlannedArgument::Kind::buffer);
  CHECK(constants.at("A").index == description.problem.buffer_index("in"));
  CHECK(constants.at("B").kind == PlannedArgument::Kind::scratch);
  CHECK(constants.at("B").index == 1);
  CHECK(description.plan().launches[0].arguments.size() == 4);
  launch.constants = {{"A", "count"}};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("constants of kernel 'k': 'count' is not a buffer or scratch buffer"));
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

TEST_CASE("arguments are names, values of any name, and expressions with a type") {
  Description description;
  LaunchSpec& launch = description.spec.launches[0];
  description.spec.derived = {{"rows", "m * 2"}};
  launch.arguments = {"count", "tile", "rows",         "1.0",
                      "n / 8", "in",   {"n", "dtype"}, {"4 * tile", "local_bytes"}};
  const KernelPlan plan = description.plan();
  const auto& arguments = plan.launches.at(0).arguments;
  REQUIRE(arguments.size() == 8);
  const auto scalar = [&](std::size_t at, DType type, const Value& value) {
    CHECK(arguments.at(at).kind == PlannedArgument::Kind::scalar);
    CHECK(plan.scalars.at(arguments[at].index).type == type);
    CHECK(plan.scalars.at(arguments[at].index).value == value);
  };
  scalar(0, DType::i32, std::int64_t{100});
  scalar(1, DType::i32, std::int64_t{16});
  scalar(2, DType::i32, std::int64_t{6});
  scalar(3, DType::f32, 1.0);
  scalar(4, DType::f32, 12.5);
  CHECK(arguments[5].kind == PlannedArgument::Kind::buffer);
  scalar(6, DType::f64, 100.0);
  CHECK(arguments[7].kind == PlannedArgument::Kind::local);
  CHECK(arguments[7].index == 64);
  CHECK(plan.launches[0].local_bytes == 64);

  launch.arguments = {{"0 - 1", "u32"}};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("kernel k, argument \"0 - 1\" gives -1, which u32 cannot hold"));
  launch.arguments = {"n * 1e8"};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("kernel k, argument \"n * 1e8\" gives 10000000000, which i32 "
                           "cannot hold"));
  launch.arguments = {{"n * 1e8", "i64"}, {"0 - 3", "i8"}, {"n", "u16"}, {"0.5", "f16"}};
  const KernelPlan typed = description.plan();
  CHECK(typed.scalars.at(typed.launches[0].arguments[0].index).value ==
        Value(std::int64_t{10'000'000'000}));
  CHECK(typed.scalars.at(typed.launches[0].arguments[1].index).value == Value(std::int64_t{-3}));
  CHECK(typed.scalars.at(typed.launches[0].arguments[2].index).type == DType::u16);
  CHECK(typed.scalars.at(typed.launches[0].arguments[3].index).value == Value(0.5));
  launch.arguments = {{"n * 3", "u8"}};
  CHECK_THROWS_WITH(description.plan(), ContainsSubstring("gives 300, which u8 cannot hold"));
  launch.arguments = {{"dtype", "f32"}};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("kernel k, argument \"dtype\" gives f64, which is not a number"));
}

TEST_CASE("steps and substeps count, and pairs change places after each") {
  Description description;
  KernelSpec& spec = description.spec;
  spec.scratch = {
      {"p", DType::f32, "n", false}, {"q", DType::f32, "n", false}, {"r", DType::f32, "n", false}};
  spec.repeat = "m";
  spec.swap = {"p", "q"};
  LaunchSpec launch = spec.launches[0];
  launch.arguments = {"p", "r", "step * 10 + substep"};
  launch.repeat = "step + 1";
  launch.swap = {"p", "r"};
  spec.launches = {launch};
  std::vector<std::string> seen;
  const KernelPlan plan = description.plan();
  for (const PlannedLaunch& one : plan.launches) {
    const auto& arguments = one.arguments;
    seen.push_back(plan.scratch.at(arguments[0].index).name + plan.scratch.at(arguments[1].index).name +
                   std::to_string(std::get<std::int64_t>(plan.scalars.at(arguments[2].index).value)));
  }
  CHECK(seen == std::vector<std::string>{"pr0", "qr10", "rq11", "pr20", "rp21", "pr22"});

  std::size_t shapes = 0;
  const auto count = [&](const Occurrence& /*one*/) { ++shapes; };
  visit_launches(spec, description.values, true, count);
  CHECK(shapes == 1);
  spec.launches[0].grid[0] = "substep + 1";
  shapes = 0;
  visit_launches(spec, description.values, true, count);
  CHECK(shapes == 6);
  CHECK(timed_launches(spec, description.values) == 6);
  spec.repeat = "10000";
  CHECK_THROWS_WITH(description.plan(),
                    Equals("more than 10000 launches; a loop in the kernel needs only one"));
}

TEST_CASE("inputs and memory of another size never change places") {
  Description description;
  KernelSpec& spec = description.spec;
  spec.scratch = {{"p", DType::f32, "n", false}, {"q", DType::f32, "n + 1", false}};
  spec.repeat = "2";
  spec.launches[0].arguments = {"p", "q"};
  spec.swap = {"p", "q"};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("swap of kernel 'k': 'p' and 'q' differ in type or number of elements"));
  spec.swap = {"p", "in"};
  CHECK_THROWS_WITH(
      description.plan(),
      Equals("swap of kernel 'k': 'in' is an input of the workload, which no kernel may write"));
}

TEST_CASE("a launch that prepares comes first and never takes the workload's buffers") {
  Description description;
  KernelSpec& spec = description.spec;
  spec.scratch = {{"table", DType::f32, "n", false}};
  spec.launches[0].arguments = {"out", "table"};
  spec.launches.push_back(spec.launches[0]);
  spec.launches[1].prepare = true;
  spec.launches[1].arguments = {"table", "n"};
  const KernelPlan plan = description.plan();
  CHECK(plan.launches.at(0).prepare);
  CHECK_FALSE(plan.launches.at(1).prepare);
  CHECK(timed_launches(spec, description.values) == 1);

  spec.launches[1].arguments = {all_arguments};
  CHECK_THROWS_WITH(description.plan(),
                    Equals("launch of kernel 'k' prepares, so it cannot take buffer 'in' of "
                           "the workload: its time would be missing"));
  spec.launches[1].arguments = {"table"};
  spec.launches.erase(spec.launches.begin());
  CHECK_THROWS_WITH(description.plan(), Equals("no launch remains to be timed"));
  spec.launches.push_back(spec.launches[0]);
  spec.launches[1].prepare = false;
  spec.scratch[0].zeroed = true;
  CHECK_THROWS_WITH(description.plan(),
                    Equals("launch of kernel 'k' prepares scratch 'table', which is zeroed "
                           "before every execution"));
}
