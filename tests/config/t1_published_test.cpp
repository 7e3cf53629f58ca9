// T1 files in the style of those that Kernel Tuner, KTT and their benchmark suites publish.
#include "config/config.hpp"
#include "config/import_t1.hpp"
#include "model/values.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "workloads/workload.hpp"

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

using namespace benchctl;
using nlohmann::json;
using test::HasAll;

namespace {

/// An image filter: the problem's size over divisors, lists of defaults, sizes of buffers as Python.
json filter() {
  return json::parse(R"json({
    "General": { "BenchmarkName": "blur", "OutputFormat": "JSON" },
    "ConfigurationSpace": {
      "TuningParameters": [
        { "Name": "radius", "Type": "int", "Values": "[7]", "Default": [7] },
        { "Name": "block_size_x", "Type": "int", "Values": "[1, 2, 4, 8, 16] + [16*i for i in range(1, 17)]", "Default": "[64]" },
        { "Name": "block_size_y", "Type": "int", "Values": "[2**i for i in range(5)]", "Default": "16" },
        { "Name": "tile_size_x", "Type": "int", "Values": "[i for i in range(1, 9)]", "Default": 1 },
        { "Name": "edge", "Type": "string", "Values": "['near', 'far']", "Default": "far" } ],
      "Conditions": [
        { "Expression": "32 <= block_size_x*block_size_y <= 1024", "Parameters": ["block_size_x", "block_size_y"] },
        { "Expression": "(block_size_x*tile_size_x + radius*2) * block_size_y < 12*1024", "Parameters": [] } ]
    },
    "KernelSpecification": {
      "Language": "CUDA", "BenchmarkName": "blur", "KernelName": "blur_kernel", "KernelFile": "blur.cu",
      "GlobalSizeType": "CUDA", "CompilerOptions": null, "Stream": null, "SharedMemory": null,
      "LocalSize": { "X": "block_size_x", "Y": "block_size_y", "Z": "1" },
      "GlobalSize": { "X": "256", "Y": "128", "Z": "1" },
      "ProblemSize": [256, 128],
      "GridDivX": ["block_size_x", "tile_size_x"], "GridDivY": [],
      "Arguments": [
        { "Name": "output", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
          "Size": "ProblemSize[0] * ProblemSize[1]", "FillType": "Constant", "FillValue": 0.0 },
        { "Name": "input", "Type": "float2", "MemoryType": "Vector", "AccessType": "ReadOnly",
          "Size": "(ProblemSize[0] + max(tile_size_x)) * (ProblemSize[1] + 2 * radius)", "FillType": "Random", "FillValue": 40.0 },
        { "Name": "seeds", "Type": "int32", "MemoryType": "Vector", "AccessType": "ReadOnly",
          "Size": 16, "FillType": "Random", "FillValue": 99.5 },
        { "Name": "width", "Type": "int32", "MemoryType": "Scalar", "FillValue": "ProblemSize[0]" } ]
    }
  })json");
}

json& part(json& root, const std::string& pointer) { return root[json::json_pointer(pointer)]; }

struct Imported {
  std::string toml;
  std::vector<std::string> left_out;
  std::shared_ptr<const test::TemporaryDirectory> folder;
  Config config;
};

Imported imported(const json& document) {
  const ImportedConfig made = import_t1(document.dump(), {});
  INFO(made.toml);
  const auto folder = std::make_shared<const test::TemporaryDirectory>();
  for (const char* kernel : {"blur.cu", "blur.cl"}) static_cast<void>(folder->write(kernel, "kernel\n"));
  static_cast<void>(folder->write("blurred.raw", std::string(std::size_t{4} * 256 * 128, '\0')));
  static_cast<void>(
      folder->write("inputs.raw", std::string(std::size_t{8} * (256 + 8) * (128 + 14), '\0')));
  return {made.toml, made.left_out, folder, parse_config(made.toml, "x.toml", {folder->path(), false})};
}

ProblemSpec problem_of(const Config& config) {
  const Workload& workload = *config.workloads.find("blur_kernel_t1");
  return workload.problem(complete_parameters(workload, {}), "");
}

const LaunchSpec& launch_of(const Config& config) {
  return config.kernels.at(0).variant.kernel->launches.at(0);
}

/// The filter with a reference file for its output.
json referenced() {
  json document = filter();
  part(document, "/KernelSpecification/ReferenceArguments") = json::parse(R"json([
    { "Name": "truth", "TargetName": "output", "Type": "float", "FillType": "BinaryRaw", "DataSource": "blurred.raw",
      "ValidationMethod": "SideBySideComparison", "ValidationThreshold": 0.01 } ])json");
  return document;
}

}  // namespace

TEST_CASE("the grid of a T1 file is the problem's size over its divisors, rounded up") {
  json document = filter();
  const auto grid = [&] { return launch_of(imported(document).config).grid; };
  CHECK(grid() == std::array<std::string, 3>{"ceil_div(256, (block_size_x) * (tile_size_x))",
                                             "ceil_div(128, block_size_y)", "1"});
  const Imported made = imported(document);
  CHECK(launch_of(made.config).block == std::array<std::string, 3>{"block_size_x", "block_size_y", "1"});
  REQUIRE(made.left_out.size() == 1);
  CHECK_THAT(made.left_out[0], ContainsSubstring("'GlobalSize' was not imported"));

  part(document, "/KernelSpecification").erase("ProblemSize");
  part(document, "/KernelSpecification/Arguments/0/Size") = 64;
  part(document, "/KernelSpecification/Arguments/1/Size") = 64;
  part(document, "/KernelSpecification/Arguments/3/FillValue") = 256;
  CHECK(grid()[0] == "ceil_div(256, (block_size_x) * (tile_size_x))");  // GlobalSize is the problem's
  part(document, "/KernelSpecification/GridDivX") = nullptr;
  CHECK(grid() == std::array<std::string, 3>{"256", "128", "1"});
  part(document, "/KernelSpecification").erase("GlobalSize");
  CHECK_THROWS_MATCHES(import_t1(document.dump(), {}), ImportError,
                       MessageMatches(ContainsSubstring("neither 'GlobalSize' nor 'ProblemSize'")));
  part(document, "/KernelSpecification/ProblemSize") = "[256, 256]";
  part(document, "/KernelSpecification").erase("LocalSize");
  CHECK(grid() ==
        std::array<std::string, 3>{"ceil_div(256, block_size_x)", "ceil_div(256, block_size_y)", "1"});
  CHECK(launch_of(imported(document).config).block ==
        std::array<std::string, 3>{"block_size_x", "block_size_y", "1"});
}

TEST_CASE("defaults of a T1 file may be lists and texts, and values may be repeated") {
  const Imported made = imported(filter());
  std::vector<Value> defaults;
  for (const TunableInfo& tunable : made.config.kernels.at(0).variant.tunables)
    defaults.push_back(tunable.default_value);
  CHECK(defaults == std::vector<Value>{std::int64_t{7}, std::int64_t{64}, std::int64_t{16}, std::int64_t{1},
                                       std::string("far")});
  CHECK(made.config.sweeps.at(0).axes.at(1).values.size() == 20);  // 16 stands in both lists
}

TEST_CASE("buffers of a T1 file have its sizes, vectors and random values") {
  json document = filter();
  const Imported made = imported(document);
  const ProblemSpec problem = problem_of(made.config);
  CHECK(problem.buffers.at(0).count == 256 * 128);
  CHECK(problem.buffers.at(1).count == 2 * (256 + 8) * (128 + 14));
  CHECK(problem.buffers.at(1).type == DType::f32);
  CHECK(as_number(problem.scalars.at(0).value) == 256);
  CHECK_THAT(made.toml, HasAll({"fill = { uniform = [0, 40] }", "fill = { integers = [0, 99] }"}));

  part(document, "/KernelSpecification/Arguments/1/Type") = "float3";
  part(document, "/KernelSpecification/Arguments/1/Size") = 10;
  CHECK(problem_of(imported(document).config).buffers.at(1).count == 30);
  part(document, "/KernelSpecification/Language") = "OpenCL";
  part(document, "/KernelSpecification/KernelFile") = "blur.cl";
  CHECK(problem_of(imported(document).config).buffers.at(1).count == 40);
  part(document, "/KernelSpecification/Arguments/1/FillValue") = -3;
  part(document, "/KernelSpecification/Arguments/2").erase("FillValue");
  CHECK_THAT(imported(document).toml, HasAll({"fill = { uniform = [-3, 0] }", "fill = \"integers\""}));
}

TEST_CASE("reference files of a T1 file are the truth, if every output has one") {
  json document = referenced();
  const Imported made = imported(document);
  CHECK_THAT(made.toml, HasAll({"files = { output = \"blurred.raw\" }", "relative = 0\nabsolute = 0.01"}));
  REQUIRE(made.config.data_files.size() == 1);
  CHECK(made.config.data_files[0].name == "blurred.raw");
  CHECK(made.config.workloads.find("blur_kernel_t1")->trusted_kernel().empty());
  CHECK(std::ranges::any_of(made.left_out, [](const std::string& sentence) {
    return sentence.find("input is drawn at random") != std::string::npos;
  }));

  part(document, "/KernelSpecification/ReferenceArguments/0/ValidationMethod") =
      "SideBySideRelativeComparison";
  CHECK_THAT(imported(document).toml, ContainsSubstring("relative = 0.01\nabsolute = 0.0001"));
  CHECK_THAT(import_t1(document.dump(), "kernels").toml, ContainsSubstring("\"kernels/blurred.raw\""));

  const auto falls_back = [&](const std::string& reason) {
    const Imported without = imported(document);
    CHECK(without.config.workloads.find("blur_kernel_t1")->trusted_kernel() == "blur_kernel");
    CHECK(std::ranges::any_of(without.left_out, [&](const std::string& sentence) {
      return sentence.find(reason) != std::string::npos;
    }));
  };
  part(document, "/KernelSpecification/Arguments/2/AccessType") = "ReadWrite";
  falls_back("seeds has none");
  document = referenced();
  part(document, "/KernelSpecification/ReferenceArguments/0/FillType") = "Script";
  falls_back("FillType Script is not BinaryRaw");
}

TEST_CASE("options, templates, files, structures and constants of a T1 file are imported") {
  json document = filter();
  json& kernel = part(document, "/KernelSpecification");
  kernel["CompilerOptions"] = {"", "-use_fast_math -DDEPTH=3", "-DREAL=float", "-I../include",
                               "-arch=sm_70"};
  kernel["KernelTypeNames"] = {"float", "tile_size_x"};
  kernel["Arguments"][1]["FillType"] = "BinaryRaw";
  kernel["Arguments"][1]["DataSource"] = "inputs.raw";
  kernel["Arguments"][2] =
      json::parse(R"json({ "Name": "weights", "Type": "custom", "TypeSize": 12, "MemoryType": "Symbol",
    "AccessType": "ReadOnly", "Size": 49, "FillType": "Constant", "FillValue": 1 })json");
  const Imported made = imported(document);
  const LaunchSpec& launch = launch_of(made.config);
  CHECK(launch.entry == "blur_kernel<float, tile_size_x>");
  CHECK(launch.arguments == std::vector<ArgumentSpec>{"output", "input", "width"});
  CHECK(launch.defines.at("DEPTH") == "3");
  CHECK(launch.defines.at("REAL") == "'float'");
  CHECK(launch.options == std::vector<std::string>{"-use_fast_math"});
  const ProblemSpec problem = problem_of(made.config);
  CHECK(problem.buffers.at(2).count == 49 * 12);
  CHECK(problem.buffers.at(2).type == DType::u8);
  CHECK_THAT(made.toml,
             HasAll({"fill = { file = \"inputs.raw\" }", "constants = { weights = \"weights\" }"}));
  CHECK(std::ranges::count_if(made.left_out, [](const std::string& sentence) {
          return sentence.find("-I../include") != std::string::npos ||
                 sentence.find("-arch=sm_70") != std::string::npos;
        }) == 2);

  kernel["Language"] = "OpenCL";
  kernel["KernelFile"] = "blur.cl";
  kernel.erase("KernelTypeNames");
  kernel["Arguments"][2]["MemoryType"] = "Local";
  CHECK_THAT(imported(document).toml, ContainsSubstring("{ local_bytes = 588 }"));
}

TEST_CASE("a T1 space with more combinations than a sweep may have is searched") {
  json document = filter();
  CHECK(imported(document).config.search.strategy.text == "all");
  json& parameters = part(document, "/ConfigurationSpace/TuningParameters");
  for (const char* name : {"unroll", "vector"})
    parameters.push_back({{"Name", name}, {"Type", "int"}, {"Values", "list(range(1, 17))"}});
  CHECK(imported(document).config.search.strategy.text == "hill_climb");
}

TEST_CASE("what published T1 files have and we have not is refused by name") {
  struct Case {
    std::string place;
    json value;
    std::string message;
  };
  const Case wrong = GENERATE(values<Case>({
      {"/KernelSpecification/Arguments/1/FillType", "Generator", "fill type 'Generator' is not supported"},
      {"/KernelSpecification/Arguments/1/Type", "custom", "has no 'TypeSize'"},
      {"/KernelSpecification/Arguments/1/FillType", "BinaryRaw", "has no 'DataSource'"},
      {"/KernelSpecification/Arguments/1/MemoryType", "Local",
       "memory type 'Local' is not supported here, only Vector and Scalar, Symbol"},
      {"/KernelSpecification/CompilerOptions", json::array({"-DA=\"x\""}), "is not NAME=VALUE"},
      {"/KernelSpecification/CompilerOptions", json::array({"--maxrregcount={R}"}), "has braces"},
      {"/KernelSpecification/Arguments/3/Type", "float4", "a scalar of a vector type"},
      {"/KernelSpecification/Arguments/3/FillValue", "1\n[[kernel]]", "column"},
      {"/KernelSpecification/Arguments/1/FillValue", "open(0)", "unknown function 'open'"},
      {"/KernelSpecification/Arguments/1/Size", "2 * tile_size_x", "'tile_size_x' has no value here"},
      {"/KernelSpecification/Arguments/1/Size", "0.5 * ProblemSize[0] / 256", "not a positive integer"},
      {"/KernelSpecification/Arguments/1/Size", "ProblemSize[2]", "column"},
      {"/KernelSpecification/GridDivX",
       {"block_size_z"},
       "'block_size_z', which is not a tuning parameter"},
      {"/ConfigurationSpace/TuningParameters/3/Default", json::array(), "Default of parameter tile_size_x"},
      {"/ConfigurationSpace/TuningParameters/3/Default", "one", "Default of parameter tile_size_x"},
      {"/KernelSpecification/ReferenceArguments/0/TargetName", "input",
       "not a vector that the kernel writes"},
      {"/KernelSpecification/ReferenceArguments/0/ValidationThreshold", -1, "is negative"},
  }));
  CAPTURE(wrong.place, wrong.value.dump());
  json changed = referenced();
  part(changed, wrong.place) = wrong.value;
  CHECK_THROWS_MATCHES(import_t1(changed.dump(), {}), ImportError,
                       MessageMatches(ContainsSubstring(wrong.message)));
}
