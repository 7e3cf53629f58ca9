// Every kernel variant compiles for every architecture that its table entry claims, without a GPU.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "expr/parsed.hpp"
#include "model/point.hpp"
#include "plugin_under_test.hpp"
#include "support/paths.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <map>
#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Every value that a tunable names, one tunable at a time, the others at their defaults.
std::vector<Parameters> representative_tunables(const VariantInfo& variant) {
  std::vector<Parameters> all{tunables_of(variant)};
  for (const TunableInfo& tunable : variant.tunables) {
    for (const Value& value : tunable.values) {
      if (value == tunable.default_value) continue;
      Parameters other = tunables_of(variant);
      other[tunable.name] = value;
      all.push_back(other);
    }
  }
  return all;
}

/// Every word that a problem parameter can be, but for what only the inputs hold, and every element type
/// that the variant takes.
std::vector<Parameters> representative_problems(const VariantInfo& variant, const Workload& workload) {
  std::vector<Parameters> all{{}};
  for (const ParameterInfo& parameter : workload.parameters()) {
    if (!parameter.is_text || parameter.name == "values") continue;
    std::vector<Parameters> next;
    for (const Parameters& problem : all) {
      for (const std::string& word : parameter.choices) {
        const auto dtype = parse_enum<DType>(word);
        if (parameter.name == "dtype" &&
            std::ranges::find(variant.dtypes, *dtype) == variant.dtypes.end()) {
          continue;
        }
        next.push_back(problem);
        next.back()[parameter.name] = word;
      }
    }
    all = std::move(next);
  }
  for (Parameters& problem : all) problem = complete_parameters(workload, problem);
  return all;
}

std::vector<std::string> representative_layouts(const VariantInfo& variant, const Workload& workload) {
  if (!variant.layouts.empty()) return variant.layouts;
  const auto layouts = workload.layouts();
  if (layouts.empty()) return {""};
  return {layouts.begin(), layouts.end()};
}

bool allowed(const VariantInfo& variant, const Parameters& values) {
  const auto hold = [&](const std::vector<std::string>& texts) {
    return std::ranges::all_of(
        texts, [&](const std::string& text) { return parsed_expression(text).holds(values); });
  };
  return hold(variant.require) && std::ranges::all_of(variant.tunables, [&](const TunableInfo& tunable) {
           return hold(tunable.require);
         });
}

const Parameters some_gpu{{"compute_units", std::int64_t{132}},
                          {"warp", std::int64_t{32}},
                          {"last_level_cache", std::int64_t{52428800}}};

std::string all_bytes_under(const std::filesystem::path& folder) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += file_bytes(entry.path());
  return bytes;
}

}  // namespace

TEST_CASE("the variant table names the three ways to multiply", "[cuda]") {
  Backend& backend = cuda_backend();
  CHECK(matmul_variant(backend, "naive").kernel.has_value());
  CHECK(matmul_variant(backend, "tiled").kernel.has_value());
  CHECK_FALSE(matmul_variant(backend, "vendor").kernel.has_value());
  CHECK(matmul_variant(backend, "vendor").vendor);
}

TEST_CASE("every source-file variant claims an architecture", "[cuda]") {
  for (const VariantInfo& variant : cuda_backend().variants()) {
    if (!variant.kernel) continue;
    INFO(variant.workload << "/" << variant.name);
    CHECK_FALSE(variant.architectures.empty());
  }
}

TEST_CASE("every variant compiles without spills for what it claims", "[cuda]") {
  const std::string architecture = GENERATE(as<std::string>{}, "sm_80", "sm_90a", "sm_100a", "sm_120");
  Backend& backend = compiling_backend();
  std::map<std::string, int> compiled;
  for (const VariantInfo& variant : backend.variants()) {
    const auto& claimed = variant.architectures;
    if (!variant.kernel || std::ranges::find(claimed, architecture) == claimed.end()) continue;
    const std::string name = variant.workload + "/" + variant.name;
    const Workload& workload = *find_workload(variant.workload);
    compiled[name] = 0;
    for (const Parameters& problem : representative_problems(variant, workload)) {
      for (const std::string& layout : representative_layouts(variant, workload)) {
        for (const Parameters& tunables : representative_tunables(variant)) {
          const Parameters values = kernel_values(problem, layout, tunables, some_gpu);
          if (!allowed(variant, values)) continue;
          INFO(name << ' ' << to_text(values) << " for " << architecture);
          const KernelPlan plan =
              plan_kernel(*variant.kernel, values, workload.problem(problem, layout), kernel_folder());
          try {
            const CompileResult result = backend.compile(plan, architecture, {});
            CHECK(result.resources.at("spill_bytes") == 0);
            CHECK(result.resources.at("registers") > 0);
            // The compiler's word for matrix instructions that wait for one another. (It says so of the
            // probes, too, which reach 94 % of the data sheet all the same.)
            if (variant.workload == "matmul") CHECK(result.log.find("serialized") == std::string::npos);
            // What rules points out before compiling must be what the compiler finds.
            std::uint64_t declared = 0;
            for (const PlannedLaunch& launch : plan.launches) {
              declared = std::max(declared,
                                  launch.local_bytes - std::min(launch.local_bytes, launch.shared_bytes));
            }
            CHECK(result.resources.at("static_shared_bytes") == static_cast<double>(declared));
            ++compiled[name];
          } catch (const Failure& failure) {
            // An NVRTC older than the architecture; sm_80 is known to all.
            if (failure.kind() != FailureKind::unsupported || architecture == "sm_80") throw;
            WARN(failure.what());
            return;
          }
        }
      }
    }
  }
  CHECK_FALSE(compiled.empty());
  for (const auto& [name, count] : compiled) {
    INFO(name);
    CHECK(count > 0);
  }
}

TEST_CASE("tensor products compile for rows that begin at odd places", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const DType dtype : {DType::f32, DType::bf16}) {
    const VariantInfo& variant =
        matmul_variant(backend, dtype == DType::f32 ? "tensor_tf32" : "tensor_bf16");
    for (const auto& [n, k, b_bytes] : {std::array<std::int64_t, 3>{33, 40, dtype == DType::f32 ? 4 : 2},
                                        {66, 63, dtype == DType::f32 ? 8 : 4}}) {
      const KernelPlan plan = plan_for(variant, matmul_problem({50, n, k, dtype}), tunables_of(variant));
      CHECK(plan.launches.at(0).defines.at("B_BYTES") == std::to_string(b_bytes));
      const CompileResult result = backend.compile(plan, "sm_80", {});
      CHECK(result.resources.at("spill_bytes") == 0);
    }
  }
}

TEST_CASE("register tiles compile for rows that begin at odd places", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "register_tiled");
  for (const auto& [dtype, n, b_bytes] :
       {std::tuple{DType::f32, 33, "4"}, std::tuple{DType::f32, 34, "8"}, std::tuple{DType::f32, 36, "16"},
        std::tuple{DType::f64, 33, "8"}, std::tuple{DType::f64, 34, "16"}}) {
    for (const std::int64_t splits : {1, 3}) {
      const KernelPlan plan =
          plan_for(variant, matmul_problem({50, n, 70, dtype}), tunables_of(variant, {{"splits", splits}}));
      CHECK(plan.launches.at(0).defines.at("B_BYTES") == b_bytes);
      CHECK(plan.launches.at(0).grid ==
            std::array<std::uint64_t, 3>{1, static_cast<std::uint64_t>(splits), 1});
      CHECK(backend.compile(plan, "sm_80", {}).resources.at("spill_bytes") == 0);
    }
  }
}

TEST_CASE("wgmma is claimed for Hopper alone, and wants rows that the copy engine takes", "[cuda]") {
  Backend& backend = cuda_backend();
  for (const char* name : {"wgmma_tf32", "wgmma_bf16", "wgmma_3xtf32"}) {
    const VariantInfo& variant = matmul_variant(backend, name);
    CHECK(variant.architectures == std::vector<std::string>{"sm_90a"});
    CHECK(variant.features == std::vector<std::string>{"wgmma"});
    CHECK(allowed(variant,
                  kernel_values({{"m", std::int64_t{7}}, {"n", std::int64_t{8}}, {"k", std::int64_t{16}}},
                                "", tunables_of(variant), some_gpu)));
    CHECK_FALSE(allowed(
        variant, kernel_values({{"m", std::int64_t{8}}, {"n", std::int64_t{6}}, {"k", std::int64_t{16}}},
                               "", tunables_of(variant), some_gpu)));
  }
}

TEST_CASE("a plan of a tiled product covers every element once", "[cuda]") {
  Backend& backend = cuda_backend();
  const VariantInfo& variant = matmul_variant(backend, "tiled");
  const KernelPlan plan =
      plan_for(variant, matmul_problem({33, 65, 129, DType::f64}), {{"tile", std::int64_t{16}}});
  REQUIRE(plan.launches.size() == 1);
  const PlannedLaunch& launch = plan.launches[0];
  CHECK(launch.grid == std::array<std::uint64_t, 3>{5, 3, 1});
  CHECK(launch.block == std::array<std::uint64_t, 3>{16, 16, 1});
  CHECK(launch.local_bytes == 2 * 16 * 16 * 8);
  CHECK(launch.defines.at("REAL") == "double");
  CHECK(launch.defines.at("TILE") == "16");
}

TEST_CASE("a rejected kernel is reported with file, line and the compiler's words", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source =
      folder.write("broken.cu", "extern \"C\" __global__ void f() {\n  undeclared_name = 1;\n}\n").string();
  launch.entry = "f";
  try {
    static_cast<void>(backend.compile(plan, "sm_80", {folder.path().string(), false}));
    FAIL("the kernel was accepted");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::compile_error);
    CHECK_FALSE(failure.sticky());
    const std::string text = failure.what();
    INFO(text);
    CHECK(text.find(launch.source + "(2)") != std::string::npos);
    CHECK(text.find("undeclared_name") != std::string::npos);
    CHECK(text.find("--gpu-architecture=sm_80") != std::string::npos);
  }
}

TEST_CASE("an entry that the source lacks is reported with those that it has", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = folder.write("one.cu", "extern \"C\" __global__ void present() {}\n").string();
  launch.entry = "absent";
  try {
    static_cast<void>(backend.compile(plan, "sm_80", {}));
    FAIL("the entry was found");
  } catch (const Failure& failure) {
    CHECK(failure.kind() == FailureKind::compile_error);
    CHECK(std::string(failure.what()).find("'absent'") != std::string::npos);
    CHECK(std::string(failure.what()).find("present") != std::string::npos);
  }
}

TEST_CASE("a missing kernel file and an unknown architecture are told apart", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = (folder.path() / "nowhere.cu").string();
  launch.entry = "f";
  const auto kind_of = [&](const std::string& architecture) {
    try {
      static_cast<void>(backend.compile(plan, architecture, {}));
    } catch (const Failure& failure) {
      INFO(failure.what());
      return failure.kind();
    }
    FAIL("it compiled");
    return FailureKind::no_device;
  };
  CHECK(kind_of("sm_80") == FailureKind::compile_error);
  launch.source = folder.write("empty.cu", "extern \"C\" __global__ void f() {}\n").string();
  CHECK(kind_of("sm_7") == FailureKind::unsupported);
}

TEST_CASE("device debug puts the kernel's absolute path into the code", "[cuda]") {
  Backend& backend = compiling_backend();
  const VariantInfo& variant = matmul_variant(backend, "tiled");
  const KernelPlan plan =
      plan_for(variant, matmul_problem({16, 16, 16, DType::f32}), {{"tile", std::int64_t{8}}});
  const std::string path = (kernel_folder() / "matmul_tiled.cu").string();
  const TemporaryDirectory plain;
  const TemporaryDirectory debug;
  static_cast<void>(backend.compile(plan, "sm_90a", {plain.path().string(), false}));
  const CompileResult result = backend.compile(plan, "sm_90a", {debug.path().string(), true});
  CHECK_FALSE(result.cached);
  CHECK(all_bytes_under(debug.path()).find(path) != std::string::npos);
  CHECK(all_bytes_under(plain.path()).find(path) == std::string::npos);
  CHECK(all_bytes_under(debug.path()).find(".debug_info") != std::string::npos);
}
