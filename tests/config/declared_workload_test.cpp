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
  CHECK_THAT(errors(text), ContainsSubstring("[workload.own_scale]: nothing is called 'COPIES' here"));
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

TEST_CASE("what is wrong with a declared workload is told") {
  struct Case {
    std::string text;
    std::string message;
  };
  const auto with = [](const std::string& what, const std::string& by) {
    return replaced(scale + by_kernel, what, by);
  };
  const Case wrong = GENERATE_COPY(values<Case>({
      {with("kernel = \"plain\"", "kernel = \"plian\""), "did you mean 'plain'?"},
      {with("role = \"out\"", "role = \"in\""), "has no output"},
      {with("role = \"out\"", "role = \"outt\""), "did you mean 'out'?"},
      {with("\"index\"", "\"indexx\""), "did you mean 'index'?"},
      {with("\"index\"", "\"values\""), "{ values = [0.25, 0.5] }"},
      {with("\"index\"", "\"offsets\""), "{ offsets = [0, \"nnz\"] }"},
      {with("\"index\"", "{ offsets = 8 }"), "two in a list: the ends of a range"},
      {with("\"index\"", "{ permutation = 3 }"), "'permutation' does not take these numbers"},
      {with("\"index\"", "{ like = \"z\" }"), "buffer 'x' is filled like 'z', which must be an input"},
      {with("\"index\"", "{ like = \"y\" }"), "buffer 'x' is filled like 'y'"},
      {with("\"index\"", "{ like = \"x\" }"), "buffer 'x' is filled like 'x'"},
      {with("\"index\"", "{ like = \"x\", layout = \"j\" }"), "nothing is called 'j' here"},
      {with("\"index\"", "{ like = \"x\", layot = \"i\" }"), "did you mean 'layout'?"},
      {with("\"index\"", "{ values = [] }"), "a list of 1 to 4096"},
      {with("\"index\"", "{ file = \"../x.npy\" }"), "lies outside the config's folder"},
      {with("\"index\"", "{ file = 3 }"), "'file' in 'fill'"},
      {with("flops = \"n\"", "flops = \"m\""), "nothing is called 'm' here"},
      {with("2 * roundoff", "2 * epsilon"), "nothing is called 'epsilon' here"},
      {with("kernel = \"plain\"", ""), "has none of 'kernel', 'files' and 'program'"},
      {with("kernel = \"plain\"", "files = { y = \"../y.bin\" }"), "lies outside the config's folder"},
      {with("kernel = \"plain\"", "files = { x = \"s.cu\" }"), "unknown output 'x'"},
      {with("kernel = \"plain\"", "kernel = \"plain\"\nany_order = [\"x\"]"), "unknown output 'x'"},
      {with("[\"f32\", \"f64\"]", "[\"f61\"]"),
       "parameter 'dtype' of [workload.own_scale] cannot be 'f61'"},
      {with("[\"f32\", \"f64\"]", "[0, 1]"),
       "an element of parameter 'dtype' of [workload.own_scale] is an integer"},
      {with("name = \"y\"", "name = \"x\""), "two things called 'x'"},
      {with("n = 8", "n = { default = 8, minimum = 9, maximum = 3 }"), "no number lies from 9 to 3"},
  }));
  CAPTURE(wrong.text);
  const std::string told = errors(wrong.text);
  CHECK_THAT(told, ContainsSubstring(wrong.message));
  // Its kernels name a workload that is declared, if badly.
  CHECK_THAT(told, !ContainsSubstring("unknown workload"));
}

TEST_CASE("a workload of the program cannot be declared again") {
  std::string text = scale + by_kernel;
  for (std::size_t at = text.find("own_scale"); at != std::string::npos; at = text.find("own_scale")) {
    text.replace(at, 9, "matmul");
  }
  CHECK_THAT(errors(text), ContainsSubstring("a workload 'matmul' exists already"));
}

TEST_CASE("a problem that its expressions make impossible is refused with the place") {
  const Declared own(replaced(scale + by_kernel, "count = \"n\"", "count = \"n - 8\""));
  CHECK_THROWS_WITH(own.problem(8), ContainsSubstring("no elements"));
  CHECK_THROWS_WITH(own.problem(4), ContainsSubstring("count of buffer x"));
}

TEST_CASE("tolerances, costs and fills that cannot be rule a problem out before anything is measured") {
  struct Case {
    std::string what;
    std::string by;
    std::string place;
    std::string reason;
  };
  const Case wrong = GENERATE(values<Case>({
      {"2 * roundoff", "roundoff - 1", "check: relative", "is negative"},
      {"relative = \"2 * roundoff\"", "share = \"0.5 - n\"", "check: share", "is negative"},
      {"relative = \"2 * roundoff\"", "max_abs = -1", "check: max_abs", "is negative"},
      {"relative = \"2 * roundoff\"", "rel_l2 = \"1 / (n - 8)\"", "check: rel_l2", "division by zero"},
      {"flops = \"n\"", "flops = \"n * n * n * 100000000000000\"", "cost: flops", "beyond 2^53"},
      {"flops = \"n\"", "flops = \"n - 9\"", "cost: flops", "is negative"},
      {"flops = \"n\"", "bytes_read = \"n / (n - 8)\"", "cost: bytes_read", "division by zero"},
      {"flops = \"n\"", "bytes_written = \"1e308 * n\"", "cost: bytes_written", "not a finite number"},
      {"\"index\"", "{ constant = \"n / (n - 8)\" }", "fill of buffer x", "division by zero"},
      {"\"index\"", "{ sorted = [\"n\", 7] }", "fill of buffer x", "goes from 8 to 7, which is less"},
      {"\"index\"", "{ uniform = [1, 0] }", "fill of buffer x", "goes from 1 to 0, which is less"},
      {"\"index\"", "{ offsets = [0, 0.5] }", "fill of buffer x", "whole numbers from 0 on"},
      {"\"index\"", "{ offsets = [\"n - 9\", 3] }", "fill of buffer x", "whole numbers from 0 on"},
      {"\"index\"", "{ offsets = [4, 3] }", "fill of buffer x", "from 4 to 3"},
      {"\"index\"", "{ offsets = [0, 20000000] }", "fill of buffer x", "which f32 does not hold"},
  }));
  const Declared own(replaced(scale + by_kernel, wrong.what, wrong.by));
  CHECK_THROWS_WITH(own.problem(8), ContainsSubstring(wrong.place) && ContainsSubstring(wrong.reason));
}
