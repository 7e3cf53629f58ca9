// Tuning problems in T1 become configs of ours, and what cannot is told.
#include "config/import_t1.hpp"
#include "config/config.hpp"
#include "support/paths.hpp"
#include "workloads/workload.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <nlohmann/json.hpp>

using namespace benchctl;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
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
  CHECK(imported.left_out.size() == 2);
  CHECK_THAT(imported.left_out.at(0), ContainsSubstring("'Budget'"));
  CHECK_THAT(imported.left_out.at(1), ContainsSubstring("-cl-fast-relaxed-math"));
}

TEST_CASE("what T1 asks for and we have not is a clear error, and Python is not evaluated") {
  struct Case {
    std::string place;
    json value;
    std::string message;
  };
  const Case wrong = GENERATE(values<Case>({
      {"/ConfigurationSpace/TuningParameters/0/Values", "[2**i for i in range(4)]",
       "Python is not evaluated"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "__import__('os').system('x')",
       "Python is not evaluated"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(0, 1e12)",
       "range() of more than 100000 values"},
      {"/ConfigurationSpace/TuningParameters/0/Values", "range(len(x))", "in range()"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOCK // WORK > 1", "floor_div(a, b)"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOCK in [1, 2]", "not evaluated"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOCK ** 2 > 1", "write a product"},
      {"/ConfigurationSpace/Conditions/0/Expression", "BLOK > 1",
       "'BLOK', which is not a tuning parameter"},
      {"/KernelSpecification/Language", "Vulkan", "only CUDA and OpenCL"},
      {"/KernelSpecification/KernelName", "scale; rm", "not a name"},
      {"/KernelSpecification/KernelTypeNames", {"float"}, "template kernels"},
      {"/KernelSpecification/GlobalSize/X", "lambda p: 1", "not evaluated"},
      {"/KernelSpecification/Arguments/0/Type", "half", "element type 'half' is not supported"},
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
