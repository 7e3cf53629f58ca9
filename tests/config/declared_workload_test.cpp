// `[workload.NAME]` tables: computations that a config describes itself.
#include "config/declared.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::test::declared;

TEST_CASE("a declared workload has the buffers, scalars, costs and checks of its table") {
  const TemporaryDirectory folder;
  const Config config = read(folder, scale + by_kernel);
  CHECK(Workloads::built_in().find("own_scale") == nullptr);
  CHECK(config.workloads.definitions().size() == 1);
  const Workload* workload = config.workloads.find("own_scale");
  REQUIRE(workload != nullptr);
  CHECK(workload->trusted_kernel() == "plain");
  const Parameters parameters = complete_parameters(*workload, {{"n", std::int64_t{4}}});
  const ProblemSpec spec = workload->problem(parameters, "");
  REQUIRE(spec.buffers.size() == 2);
  CHECK(spec.buffers[1].role == BufferRole::out);
  CHECK(spec.buffers[0].count == 4);
  CHECK(std::get<std::int64_t>(spec.scalars.at(0).value) == 4);
  CHECK(filled(*workload, spec, 0) == std::vector<float>{0, 1, 2, 3});
  const Cost cost = workload->cost(parameters);
  CHECK(cost.flops == 4);
  CHECK(cost.bytes_read == 16);
  CHECK(cost.bytes_written == 16);

  const std::vector<float> right{0, 2, 4, 6};
  const Reference reference = trusted(*workload, spec, right);
  CHECK(judged(*workload, spec, reference, right).ok);
  const Verification wrong = judged(*workload, spec, reference, {0, 2, 4, 6.001F});
  CHECK_FALSE(wrong.ok);
  CHECK_THAT(wrong.reason, ContainsSubstring("y[3]"));
}

TEST_CASE("the kernel that judges is part of what the workload is, and of that config's alone") {
  const TemporaryDirectory folder;
  const Config config = read(folder, scale + by_kernel);
  const std::string before = config.workloads.find("own_scale")->definition();
  static_cast<void>(folder.write("s.cu", "kernel // another\n"));
  const Config other = parse_config(scale + by_kernel + tail, "x.toml", {folder.path(), false});
  CHECK(other.workloads.find("own_scale")->definition() != before);
  CHECK(config.workloads.find("own_scale")->definition() == before);
}

TEST_CASE("configs whose workloads have one name do not disturb each other") {
  const TemporaryDirectory folder;
  std::string larger = scale;
  larger.replace(larger.find("n = 8"), 5, "n = 16");
  const Config config = read(folder, scale + by_kernel);
  const Config copy = config;
  const Config other = read(folder, larger + by_kernel);
  const auto size_of = [](const Config& of) {
    const Workload& workload = *of.workloads.find("own_scale");
    return workload.problem(complete_parameters(workload, {}), "").buffers.at(0).count;
  };
  CHECK(size_of(config) == 8);
  CHECK(size_of(copy) == 8);
  CHECK(size_of(other) == 16);
  const Config none = parse_config("[experiment]\nname = 'x'\n[[sweep]]\nworkload = 'matmul'\n", "x.toml");
  CHECK(none.workloads.find("own_scale") == nullptr);
}

TEST_CASE("sizes may name tunables, which each kernel of the workload has") {
  std::string text = scale + by_kernel;
  text.replace(text.rfind("count = \"n\""), 11, "count = \"n * COPIES\"");
  const std::string tunables = "tunables = { COPIES = 2 }\n";
  std::string two = tail.substr(tail.find("[[kernel]]")) + tunables;
  two.replace(two.find("plain"), 5, "two");
  CHECK_THAT(errors(text + two), ContainsSubstring("kernel 'plain' has no tunable 'COPIES', which a count "
                                                   "of [workload.own_scale] names"));
  const TemporaryDirectory folder;
  static_cast<void>(folder.write("s.cu", "kernel\n"));
  const Config config = parse_config(text + tail + tunables + two, "x.toml", {folder.path(), false});
  const auto workload = make_workload(config.workloads.find("own_scale")->definition());
  Point point;
  point.problem = complete_parameters(*workload, {});
  CHECK_THROWS_WITH(problem_of(*workload, point), ContainsSubstring("count of buffer y"));
  point.tunables = {{"COPIES", std::int64_t{3}}, {"TILE", std::int64_t{4}}};
  CHECK(problem_of(*workload, point).buffers.at(1).count == 24);
  CHECK(problem_values(*workload, point).size() == 3);  // n, dtype, COPIES
  CHECK(workload->cost(problem_values(*workload, point)).bytes_written == 96);
}

TEST_CASE("a workload of the program cannot be declared again") {
  std::string text = scale + by_kernel;
  for (std::size_t at = text.find("own_scale"); at != std::string::npos; at = text.find("own_scale")) {
    text.replace(at, 9, "matmul");
  }
  CHECK_THAT(errors(text), ContainsSubstring("a workload 'matmul' exists already"));
}
