// Every kernel variant compiles for every architecture that its table entry claims, without a GPU.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/paths.hpp"

#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Points of the tunables' space that are worth compiling; the defaults for a variant that is not named
/// here.
std::vector<Parameters> representative_tunables(const VariantInfo& variant) {
  if (variant.name == "tiled") {
    std::vector<Parameters> all;
    for (const std::int64_t tile : {2, 4, 8, 16, 32}) all.push_back({{"tile", tile}});
    return all;
  }
  return {tunables_of(variant)};
}

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
    CHECK_FALSE(variant.dtypes.empty());
  }
}

TEST_CASE("every claimed architecture compiles without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  int compiled = 0;
  for (const VariantInfo& variant : backend.variants()) {
    if (!variant.kernel) continue;
    for (const std::string& architecture : variant.architectures) {
      for (const DType dtype : variant.dtypes) {
        for (const Parameters& tunables : representative_tunables(variant)) {
          const ProblemSpec problem = matmul_problem({33, 65, 129, dtype});
          const KernelPlan plan = plan_for(variant, problem, tunables);
          INFO(variant.name << " for " << architecture << ", " << to_string(dtype) << ", local bytes "
                            << plan.launches[0].local_bytes);
          try {
            const CompileResult result = backend.compile(plan, architecture, {});
            CHECK(result.resources.at("spill_bytes") == 0);
            CHECK(result.resources.at("registers") > 0);
            // What rules points out before compiling must be what the compiler finds.
            CHECK(result.resources.at("static_shared_bytes") ==
                  static_cast<double>(plan.launches[0].local_bytes));
            CHECK_FALSE(result.cached);
            ++compiled;
          } catch (const Failure& failure) {
            // An NVRTC older than the architecture; sm_80 is known to all.
            if (failure.kind() != FailureKind::unsupported || architecture == "sm_80") throw;
            WARN(failure.what());
          }
        }
      }
    }
  }
  CHECK(compiled > 0);
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
