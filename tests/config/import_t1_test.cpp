// Tuning problems in T1 become configs of ours, and what cannot is told.
#include "config/import_t1.hpp"
#include "config/config.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "workloads/workload.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;
using nlohmann::json;

namespace {

json document() {
  return json::parse(R"json({
    "General": { "BenchmarkName": "scale" },
    "Budget": [ { "Type": "ConfigurationCount", "BudgetValue": 10 } ],
    "ConfigurationSpace": {
      "TuningParameters": [
        { "Name": "BLOCK", "Type": "int", "Values": "list(range(32, 128 + 1, 32))", "Default": 64 },
        { "Name": "WORK", "Type": "int", "Values": "[1, 2, 4]" },
        { "Name": "WAY", "Type": "string", "Values": ["left", "right"] } ],
      "Conditions": [ { "Parameters": ["BLOCK", "WORK"], "Expression": "BLOCK * WORK <= 256 and WORK != 3" } ]
    },
    "KernelSpecification": {
      "Language": "OpenCL", "KernelName": "scale", "KernelFile": "scale.cl",
      "GlobalSize": { "X": "1024 / WORK" }, "LocalSize": { "X": "BLOCK" },
      "CompilerOptions": ["-cl-fast-relaxed-math"],
      "Arguments": [
        { "Name": "x", "Type": "float", "MemoryType": "Vector", "Size": 1024, "FillType": "Random", "AccessType": "ReadOnly" },
        { "Name": "y", "Type": "float", "MemoryType": "Vector", "Size": 1024, "AccessType": "WriteOnly" },
        { "Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 1024 } ]
    }
  })json");
}

json& at(json& root, const std::string& pointer) { return root[json::json_pointer(pointer)]; }

}  // namespace

TEST_CASE("a T1 file becomes a config with its kernel, space, conditions and buffers") {
  const ImportedConfig imported = import_t1(document().dump(), {});
  const test::TemporaryDirectory folder;
  static_cast<void>(folder.write("scale.cl", "kernel\n"));
  INFO(imported.toml);
  const Config config = parse_config(imported.toml, "x.toml", {folder.path(), false});
  REQUIRE(config.kernels.size() == 1);
  const VariantInfo& variant = config.kernels[0].variant;
  CHECK(variant.kernel->launches[0].grid[0] == "ceil_div(1024 / WORK, BLOCK)");
  CHECK(variant.kernel->launches[0].arguments == std::vector<ArgumentSpec>{"x", "y", "n"});
  CHECK(variant.tunables.at(0).default_value == Value(std::int64_t{64}));
  CHECK(variant.tunables.at(2).default_value == Value(std::string("left")));
  REQUIRE(config.sweeps.at(0).axes.size() == 3);
  CHECK(config.sweeps[0].axes[0].values.size() == 4);
  CHECK(config.sweeps[0].where.at(0).expression.text() == "BLOCK * WORK <= 256 and WORK != 3");
  const Workload* workload = config.workloads.find("scale_t1");
  REQUIRE(workload != nullptr);
  CHECK(workload->trusted_kernel() == "scale");
  const ProblemSpec spec = workload->problem(complete_parameters(*workload, {}), "");
  CHECK(spec.buffers.at(1).count == 1024);
  CHECK(spec.buffers.at(1).role == BufferRole::out);
  CHECK(variant.kernel->launches[0].options == std::vector<std::string>{"-cl-fast-relaxed-math"});
  REQUIRE(imported.left_out.size() == 1);
  CHECK_THAT(imported.left_out.at(0), ContainsSubstring("'Budget'"));
}

TEST_CASE("what T1 asks for and we have not is a clear error, and Python is not evaluated") {
  struct Case {
    std::string place;
    json value;
    std::string message;
  };
  const Case wrong = GENERATE(values<Case>({
      {"/ConfigurationSpace/TuningParameters/0/Values", "__import__('os').system('x')",
       "expected a list of values"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(0, 1e12)", "too many values"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(len(x))",
       "column 7: unknown function 'len'"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(1, 2, 0)", "step 0"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(0.5)", "range() takes integers"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "[1, ITEM]", "column 5: 'ITEM' has no value here"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "[i for i in range(3)",
       "expected a list of values"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "[i * j for i in [1] for j in [2]]", "found ']'"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "[2**i for i in range(100)]",
       "column 3: the result is beyond 2^53"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "[i for i of [1]]", "for NAME in LIST"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOCK // WORK >", "column 16: expected a number"},
      {"/ConfigurationSpace/Conditions/0/Expression", "math.log2(BLOCK) > 1", "is not evaluated"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOK > 1",
       "'BLOK', which is not a tuning parameter"},
      {"/KernelSpecification/Language", "Vulkan", "only CUDA and OpenCL"},
      {"/KernelSpecification/KernelName", "scale; rm", "not a name"},
      {"/KernelSpecification/KernelTypeNames", {"float"}, "only kernels in CUDA can be templates"},
      {"/KernelSpecification/GlobalSize/X", "lambda p: 1", "not evaluated"},
      {"/KernelSpecification/Arguments/0/Type", "complex2", "element type 'complex2' is not supported"},
      {"/KernelSpecification/Arguments/0/FillType", "Script", "fill type 'Script'"},
      {"/KernelSpecification/Arguments/0/MemoryType", "Symbol", "memory type 'Symbol'"},
      {"/KernelSpecification/Arguments/0/Size", -1, "not a positive integer"},
  }));
  CAPTURE(wrong.place, wrong.value.dump());
  json changed = document();
  at(changed, wrong.place) = wrong.value;
  CHECK_THROWS_MATCHES(import_t1(changed.dump(), {}), ImportError,
                       MessageMatches(ContainsSubstring(wrong.message)));
}

TEST_CASE("expressions and lists of a T1 file may have Python's operators") {
  json given = document();
  at(given, "/ConfigurationSpace/Conditions/0/Expression") =
      "1 <= BLOCK // WORK < 2**10 and WORK in [1, 2, 4]";
  at(given, "/KernelSpecification/GlobalSize/X") = "1024 // WORK";
  at(given, "/KernelSpecification/SharedMemory") = "BLOCK**2 % 4096";
  const test::TemporaryDirectory folder;
  static_cast<void>(folder.write("scale.cl", "kernel\n"));
  const Config config = parse_config(import_t1(given.dump(), {}).toml, "x.toml", {folder.path(), false});
  const LaunchSpec& launch = config.kernels.at(0).variant.kernel->launches.at(0);
  CHECK(launch.grid[0] == "ceil_div(1024 // WORK, BLOCK)");
  CHECK(launch.shared_bytes == "BLOCK**2 % 4096");
  const Expression& where = config.sweeps.at(0).where.at(0).expression;
  CHECK(where.holds({{"BLOCK", std::int64_t{64}}, {"WORK", std::int64_t{2}}}));
  CHECK_FALSE(where.holds({{"BLOCK", std::int64_t{64}}, {"WORK", std::int64_t{3}}}));

  struct Case {
    std::string text;
    std::vector<std::int64_t> values;
  };
  for (const Case& one :
       {Case{"[2**i for i in range(5, 9)]", {32, 64, 128, 256}},
        Case{"[32] + list(range(64, 128+1, 64)) + [i * 16 for i in [1, 3]]", {32, 64, 128, 16, 48}},
        Case{"[ i for i in range(1, 9) if 8 % i == 0 and i not in [2, 3] ]", {1, 4, 8}},
        Case{"range(3, 0, -1)", {3, 2, 1}}, Case{"[1, 16 // 3, max(2, 7),]", {1, 5, 7}}}) {
    CAPTURE(one.text);
    at(given, "/ConfigurationSpace/TuningParameters/0/Values") = one.text;
    const Config read = parse_config(import_t1(given.dump(), {}).toml, "x.toml", {folder.path(), false});
    std::vector<std::int64_t> values;
    for (const Value& value : read.sweeps.at(0).axes.at(0).values) {
      values.push_back(std::get<std::int64_t>(value));
    }
    CHECK(values == one.values);
  }
}

TEST_CASE("text of a T1 file cannot end a comment or a string of the config") {
  json hostile = document();
  hostile["x\n[[kernel]]\n"] = 1;
  at(hostile, "/KernelSpecification/KernelFile") = "a\"\nname = \"b";
  at(hostile, "/ConfigurationSpace/TuningParameters/2/Values") = {"left\"]\n[[kernel]]", "r\\"};
  const ImportedConfig imported = import_t1(hostile.dump(), {});
  INFO(imported.toml);
  std::size_t tables = 0;
  for (std::size_t found = imported.toml.find("\n[[kernel]]\n"); found != std::string::npos;
       found = imported.toml.find("\n[[kernel]]\n", found + 1)) {
    ++tables;
  }
  CHECK(tables == 1);
  CHECK_THROWS_AS(import_t1("no json", {}), ImportError);
  CHECK_THROWS_AS(import_t1("[]", {}), ImportError);
}
