// How compiling fails, without a GPU. spills_test.cpp compiles all kernels, plans_test.cpp what was
// counted.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string all_bytes_under(const std::filesystem::path& folder) {
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += file_bytes(entry.path());
  return bytes;
}

}  // namespace

TEST_CASE("every source-file variant claims an architecture", "[cuda]") {
  for (const VariantInfo& variant : cuda_backend().variants()) {
    if (!variant.kernel) continue;
    INFO(variant.workload << "/" << variant.name);
    CHECK_FALSE(variant.architectures.empty());
  }
}

TEST_CASE("a rejected kernel is reported with file, line and the compiler's words", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source =
      folder.write("broken.cu", "extern \"C\" __global__ void f() {\n  undeclared_name = 1;\n}\n").string();
  launch.entry = "f";
  const Failure failure = failure_of([&] {
    static_cast<void>(backend.compile(plan, "sm_80", {folder.path().string(), false}));
  });
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK_FALSE(failure.sticky());
  const std::string text = failure.what();
  INFO(text);
  CHECK(text.find(launch.source + "(2)") != std::string::npos);
  CHECK(text.find("undeclared_name") != std::string::npos);
  CHECK(text.find("--gpu-architecture=sm_80") != std::string::npos);
}

TEST_CASE("a definition may have any name, and lines are still those of the file", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.entry = "f";
  // NVRTC's built-in header has templates over names such as these.
  for (const char* name : {"T", "U", "size_t_", "B"}) launch.defines[name] = "16";
  launch.source = folder
                      .write("tile.cu",
                             "extern \"C\" __global__ void f(float* out) {\n"
                             "  out[threadIdx.x] = T * U + B;\n}\n")
                      .string();
  CHECK(backend.compile(plan, "sm_80", {}).resources.at("registers") > 0);
  launch.source = folder
                      .write("broken_tile.cu",
                             "extern \"C\" __global__ void f(float* out) {\n\n"
                             "  out[threadIdx.x] = T * undeclared_name;\n}\n")
                      .string();
  const Failure failure = failure_of([&] { static_cast<void>(backend.compile(plan, "sm_80", {})); });
  const std::string text = failure.what();
  INFO(text);
  CHECK(text.find(launch.source + "(3)") != std::string::npos);
}

TEST_CASE("an entry that the source lacks is reported with those that it has", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = folder.write("one.cu", "extern \"C\" __global__ void present() {}\n").string();
  launch.entry = "absent";
  const Failure failure = failure_of([&] { static_cast<void>(backend.compile(plan, "sm_80", {})); });
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK(std::string(failure.what()).find("'absent'") != std::string::npos);
  CHECK(std::string(failure.what()).find("present") != std::string::npos);
}

TEST_CASE("a missing kernel file and an unknown architecture are told apart", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = (folder.path() / "nowhere.cu").string();
  launch.entry = "f";
  const auto kind_of = [&](const std::string& architecture) {
    return failure_of([&] { static_cast<void>(backend.compile(plan, architecture, {})); }).kind();
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
