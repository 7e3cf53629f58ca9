// The disk cache of compiled kernels: hit only when nothing changed. What becomes of damaged entries:
// tests/gpu/text_test.cpp.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "support/paths.hpp"

#include <vector>

using namespace benchctl;
using namespace benchctl::test;

namespace {

class CachedKernel {
 public:
  explicit CachedKernel(Backend& backend) : backend_(backend) {
    sources_.write("deep.h", "#define OFFSET 1\n");
    sources_.write("shallow.h", "  #  include \"deep.h\"\n");
    PlannedLaunch& launch = plan.launches.emplace_back();
    launch.source =
        sources_
            .write("kernel.cu",
                   "#include \"shallow.h\"\n"
                   "extern \"C\" __global__ void add(int* p) { p[threadIdx.x] += OFFSET + STEP; }\n")
            .string();
    launch.entry = "add";
    launch.defines = {{"STEP", "1"}};
  }

  CompileResult compile(const std::string& architecture = "sm_80", bool debug = false) const {
    return backend_.compile(plan, architecture, {cache.path().string(), debug});
  }
  [[nodiscard]] bool hits() const { return compile().cached; }
  void rewrite(const std::string& name, const std::string& text) const { sources_.write(name, text); }

  [[nodiscard]] std::vector<std::filesystem::path> entries() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(cache.path()))
      files.push_back(entry.path());
    return files;
  }

  KernelPlan plan;
  TemporaryDirectory cache;

 private:
  Backend& backend_;
  TemporaryDirectory sources_;
};

}  // namespace

TEST_CASE("the second compilation is read from the cache, resources and log included", "[cuda][cache]") {
  const CachedKernel kernel(compiling_backend());
  const CompileResult first = kernel.compile();
  const CompileResult second = kernel.compile();
  CHECK_FALSE(first.cached);
  CHECK(second.cached);
  CHECK(second.resources == first.resources);
  CHECK(second.log == first.log);
  CHECK(kernel.entries().size() == 1);
}

TEST_CASE("a change of anything that the code depends on misses the cache", "[cuda][cache]") {
  CachedKernel kernel(compiling_backend());
  static_cast<void>(kernel.compile());
  REQUIRE(kernel.hits());
  SECTION("definition") { kernel.plan.launches[0].defines["STEP"] = "2"; }
  SECTION("new definition") { kernel.plan.launches[0].defines["OTHER"] = "2"; }
  SECTION("source") {
    kernel.rewrite("kernel.cu",
                   "#include \"shallow.h\"\n"
                   "extern \"C\" __global__ void add(int* p) { p[threadIdx.x] -= OFFSET + STEP; }\n");
  }
  SECTION("file included by an included file") { kernel.rewrite("deep.h", "#define OFFSET 2\n"); }
  CHECK_FALSE(kernel.hits());
  CHECK(kernel.hits());
  CHECK(kernel.entries().size() == 2);
}

TEST_CASE("architectures and debug code have entries of their own", "[cuda][cache]") {
  const CachedKernel kernel(compiling_backend());
  CHECK_FALSE(kernel.compile("sm_80").cached);
  CHECK_FALSE(kernel.compile("sm_90a").cached);
  CHECK_FALSE(kernel.compile("sm_80", true).cached);
  CHECK(kernel.compile("sm_90a").cached);
  CHECK(kernel.compile("sm_80", true).cached);
}

TEST_CASE("no cache folder means no cache, and one that cannot be written is no failure", "[cuda][cache]") {
  Backend& backend = compiling_backend();
  const CachedKernel kernel(backend);
  CHECK_FALSE(backend.compile(kernel.plan, "sm_80", {}).cached);
  CHECK_FALSE(backend.compile(kernel.plan, "sm_80", {}).cached);
  const TemporaryDirectory folder;
  const std::string blocked = (folder.write("file", "") / "cache").string();
  const CompileResult result = backend.compile(kernel.plan, "sm_80", {blocked, false});
  CHECK_FALSE(result.cached);
  CHECK(result.log.find("not kept in the cache") != std::string::npos);
}
