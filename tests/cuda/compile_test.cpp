// Compiling without a GPU: how it fails, and the disk cache. spills_test.cpp compiles all kernels,
// plans_test.cpp what was counted; damaged entries of the cache: tests/gpu/text_test.cpp.
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"

#include <cstdlib>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string all_bytes_under(const std::filesystem::path& folder) {
  std::string bytes;
  for (const std::filesystem::path& file : files_under(folder)) bytes += contents_of(file);
  return bytes;
}

KernelPlan plan_of(const std::filesystem::path& source, const std::string& entry = "f") {
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source = source.string();
  launch.entry = entry;
  return plan;
}

Failure refusal(const KernelPlan& plan, const std::string& architecture = "sm_80") {
  Backend& backend = compiling_backend();
  return failure_of([&] { static_cast<void>(backend.compile(plan, architecture, {})); });
}

}  // namespace

TEST_CASE("every source-file variant claims an architecture", "[cuda]") {
  for (const VariantInfo& variant : variants_of(built_backend("cuda"))) {
    INFO(variant.workload << "/" << variant.name);
    CHECK((!variant.kernel || !variant.architectures.empty()));
  }
}

TEST_CASE("a rejected kernel is reported with file, line and the compiler's words", "[cuda]") {
  const TemporaryDirectory folder;
  const auto file =
      folder.write("broken.cu", "extern \"C\" __global__ void f() {\n  undeclared_name = 1;\n}\n");
  const Failure failure = refusal(plan_of(file));
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK_FALSE(failure.sticky());
  CHECK_THAT(failure.what(), ContainsSubstring(file.string() + "(2)"));
  CHECK_THAT(failure.what(), ContainsSubstring("undeclared_name"));
  CHECK_THAT(failure.what(), ContainsSubstring("--gpu-architecture=sm_80"));
}

TEST_CASE("a definition may have any name, and lines are still those of the file", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  KernelPlan plan = plan_of(folder.write("tile.cu",
                                         "extern \"C\" __global__ void f(float* out) {\n"
                                         "  out[threadIdx.x] = T * U + B;\n}\n"));
  // NVRTC's built-in header has templates over names such as these.
  for (const char* name : {"T", "U", "size_t_", "B"}) plan.launches[0].defines[name] = "16";
  CHECK(backend.compile(plan, "sm_80", {}).resources.at("registers") > 0);
  plan.launches[0].source = folder
                                .write("broken_tile.cu",
                                       "extern \"C\" __global__ void f(float* out) {\n\n"
                                       "  out[threadIdx.x] = T * undeclared_name;\n}\n")
                                .string();
  CHECK_THAT(refusal(plan).what(), ContainsSubstring(plan.launches[0].source + "(3)"));
}

TEST_CASE("a missing entry, a missing kernel file and an unknown architecture are told apart", "[cuda]") {
  const TemporaryDirectory folder;
  const auto file = folder.write("one.cu", "extern \"C\" __global__ void present() {}\n");
  const Failure failure = refusal(plan_of(file, "absent"));
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK_THAT(failure.what(), ContainsSubstring("'absent'") && ContainsSubstring("present"));
  CHECK(refusal(plan_of(folder.path() / "nowhere.cu")).kind() == FailureKind::compile_error);
  CHECK(refusal(plan_of(file, "present"), "sm_7").kind() == FailureKind::unsupported);
}

TEST_CASE("device debug puts the kernel's absolute path into the code", "[cuda]") {
  Backend& backend = compiling_backend();
  const KernelPlan plan = small_product(backend);
  const std::string path = (kernel_folder() / "matmul_tiled.cu").string();
  const TemporaryDirectory plain;
  const TemporaryDirectory debug;
  static_cast<void>(backend.compile(plan, "sm_90a", {plain.path().string(), false}));
  static_cast<void>(backend.compile(plan, "sm_90a", {debug.path().string(), true}));
  CHECK_THAT(all_bytes_under(debug.path() / "kernels"),
             ContainsSubstring(path) && ContainsSubstring(".debug_info"));
  CHECK_THAT(all_bytes_under(plain.path() / "kernels"), !ContainsSubstring(path));
}

TEST_CASE("the cache is hit until something changes that the code depends on", "[cuda][cache]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory sources;
  const TemporaryDirectory cache;
  const auto write_kernel = [&](const std::string& operation) {
    return sources.write(
        "kernel.cu", "#include \"shallow.h\"\nextern \"C\" __global__ void add(int* p) { p[threadIdx.x] " +
                         operation + " OFFSET + STEP; }\n");
  };
  sources.write("deep.h", "#define OFFSET 1\n");
  sources.write("shallow.h", "  #  include \"deep.h\"\n");
  KernelPlan plan = plan_of(write_kernel("+="), "add");
  auto& defines = plan.launches[0].defines;
  defines = {{"STEP", "1"}};
  std::string architecture = "sm_80";
  bool debug = false;
  std::size_t entries = 0;
  const auto is_new = [&](const char* what) {
    INFO(what);
    const CompileResult first = backend.compile(plan, architecture, {cache.path().string(), debug});
    const CompileResult second = backend.compile(plan, architecture, {cache.path().string(), debug});
    CHECK_FALSE(first.cached);
    CHECK(second.cached);
    CHECK(second.resources == first.resources);
    CHECK(second.log == first.log);
    CHECK(files_under(cache.path() / "kernels").size() == ++entries);
  };
  is_new("the first");
  defines["STEP"] = "2";
  is_new("a definition");
  defines["OTHER"] = "2";
  is_new("one definition more");
  write_kernel("-=");
  is_new("the source");
  sources.write("deep.h", "#define OFFSET 2\n");
  is_new("a file that is included by an included one");
  architecture = "sm_90a";
  is_new("the architecture");
  REQUIRE(setenv("NVRTC_BENCHCTL_TEST", "1", 1) == 0);
  is_new("a variable of the compiler");
  unsetenv("NVRTC_BENCHCTL_TEST");
  debug = true;
  is_new("code for debuggers");
}

TEST_CASE("no cache folder means no cache, and one that cannot be written is no failure", "[cuda][cache]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  const KernelPlan plan = plan_of(folder.write("one.cu", "extern \"C\" __global__ void f() {}\n"));
  for (int i = 0; i < 2; ++i) CHECK_FALSE(backend.compile(plan, "sm_80", {}).cached);
  const CompileResult result =
      backend.compile(plan, "sm_80", {(folder.path() / "one.cu" / "cache").string(), false});
  CHECK_FALSE(result.cached);
  CHECK_THAT(result.log, ContainsSubstring("not kept in the cache"));
}

TEST_CASE("kernels without extern C and templates are found by their names in the source", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  const auto file =
      folder.write("many.cu",
                   "template <class T, int N> __global__ void many(T* p) { p[N] = N; }\n"
                   "namespace inside { __global__ void one(int* p) { *p = 1; } }\n"
                   "__global__ void plain(int* p) { *p = 2; }\n"
                   "namespace inside { extern \"C\" __global__ void c_in_space(int* p) { *p = 3; } }\n");
  for (const char* entry : {"many<float, 4>", "many<REAL, COUNT>", "inside::one", "plain", "c_in_space"}) {
    INFO(entry);
    KernelPlan plan = plan_of(file, entry);
    plan.launches[0].defines = {{"REAL", "double"}, {"COUNT", "3"}};
    const TemporaryDirectory cache;
    const SessionOptions options{cache.path().string(), false};
    const CompileResult first = backend.compile(plan, "sm_80", options);
    CHECK(first.resources.at("registers") > 0);
    const CompileResult second = backend.compile(plan, "sm_80", options);
    CHECK(second.cached);
    CHECK(second.resources == first.resources);
  }
  const Failure failure = refusal(plan_of(file, "many<float, UNKNOWN>"));
  CHECK(failure.kind() == FailureKind::compile_error);
  CHECK_THAT(failure.what(), HasAll({"'many<float, UNKNOWN>'", "plain(int*)", "\"UNKNOWN\" is undefined"}));
}

TEST_CASE("options change the code and its key; those that name files are refused", "[cuda][cache]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  const TemporaryDirectory cache;
  KernelPlan plan = plan_of(folder.write("fast.cu",
                                         "extern \"C\" __global__ void f(float* p) {\n"
                                         "  const auto of = []<class T>(T x) { return 1 / x; };\n"
                                         "  p[threadIdx.x] = of(p[threadIdx.x]);\n}\n"));
  plan.launches[0].options = {"--std=c++20"};
  const auto registers = [&] {
    const CompileResult result = backend.compile(plan, "sm_80", {cache.path().string(), false});
    CHECK_FALSE(result.cached);
    return result.resources.at("registers");
  };
  const double plain = registers();
  plan.launches[0].options.emplace_back("--use_fast_math");
  CHECK(registers() < plain);
  for (const char* option : {"-I..", "--pre-include=x.h", "--time=x", "--ptxas-options=--output-file=x"}) {
    plan.launches[0].options = {option};
    CHECK_THAT(refusal(plan).what(),
               HasAll({std::string("the option ") + option, "--maxrregcount=*", "'defines'"}));
  }
}

TEST_CASE("the toolkit's headers are there where a toolkit is", "[cuda]") {
  Backend& backend = compiling_backend();
  const TemporaryDirectory folder;
  const KernelPlan plan = plan_of(folder.write(
      "half.cu", "#include <cuda_fp16.h>\n__global__ void f(__half* p) { *p = __float2half(1.0f); }\n"));
  try {
    CHECK(backend.compile(plan, "sm_80", {}).resources.at("registers") > 0);
  } catch (const Failure& failure) {
    CHECK_THAT(failure.what(), HasAll({"cuda_fp16.h", "CUDA_HOME"}));  // no toolkit here
  }
  const auto missing = folder.write("missing.cu", "#include <of_nobody.h>\n__global__ void f() {}\n");
  CHECK_THAT(refusal(plan_of(missing)).what(), HasAll({"of_nobody.h", "beside the kernel", "CUDA_HOME"}));
}

TEST_CASE("code for the host and textures are told with what to do", "[cuda]") {
  const TemporaryDirectory folder;
  const auto host = folder.write("host.cu",
                                 "// main(\n__global__ void f(int* p) { *p = 1; }\n"
                                 "/* <<< */ const char* s = \"<<<\";\n"
                                 "int main() { f<<<1, 1>>>(nullptr); }\n");
  CHECK_THAT(refusal(plan_of(host)).what(),
             HasAll({"line 4 has code for the host (main)", "__CUDACC_RTC__"}));
  const auto texture =
      folder.write("texture.cu",
                   "// cudaTextureObject_t\n__global__ void g(float* p) { *p = 1; }\n"
                   "__global__ void f(cudaTextureObject_t t, float* p) { *p = tex2D<float>(t, 1, 2); }\n");
  const Failure failure = refusal(plan_of(texture));
  CHECK(failure.kind() == FailureKind::unsupported);
  CHECK_THAT(failure.what(), ContainsSubstring("read a buffer instead"));
  CHECK_NOTHROW(compiling_backend().compile(plan_of(texture, "g"), "sm_80", {}));
}
