// Kernels from files: messages of the compiler, the program cache.
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/gpu_plugin.hpp"
#include "support/paths.hpp"

#include <sys/stat.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

constexpr const char* product =
    "__kernel void product(__global const REAL* A, __global const REAL* B, __global REAL* C, int m, int n, "
    "int k) {\n"
    "  const size_t column = get_global_id(0), row = get_global_id(1);\n"
    "  REAL sum = 0;\n"
    "  for (size_t i = 0; i < (size_t)k; ++i) sum += A[row * k + i] * B[i * n + column];\n"
    "  C[row * n + column] = FINISH(sum);\n"
    "}\n";

std::string compile_failure(MatmulProblem& problem, const std::filesystem::path& file,
                            const std::string& entry) {
  const Failure failure = failure_of([&] { static_cast<void>(problem.prepare_file(file, entry)); });
  CHECK(failure.kind() == FailureKind::compile_error);
  return failure.what();
}

/// With their numbers, which change when they are written anew.
std::map<std::filesystem::path, ino_t> entries(const std::filesystem::path& folder) {
  std::map<std::filesystem::path, ino_t> found;
  for (const std::filesystem::path& file : files_under(folder)) {
    struct stat facts {};
    REQUIRE(stat(file.c_str(), &facts) == 0);
    found[file] = facts.st_ino;
  }
  return found;
}

/// Runs `product` from the file and returns what is wrong with the result.
std::string run_product(const GpuLane& lane, const std::filesystem::path& file,
                        const std::filesystem::path& cache) {
  const auto session = lane.open({cache.string(), false});
  MatmulProblem problem(*session, {5, 6, 7});
  problem.prepare_file(file, "product")->run(0);
  return problem.fault(0);
}

}  // namespace

TEST_CASE("a compile error carries file, line and the compiler's words") {
  const TemporaryDirectory folder;
  folder.write("with space/part.h", "// one\n// two\nfloat broken(float x) { return x + no_such_name; }\n");
  const auto file = folder.write("with space/wrong.cl", "#include \"part.h\"\n__kernel void wrong() {}\n");
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const auto session = lane.open();
    MatmulProblem problem(*session, {2, 2, 2});
    const std::string text = compile_failure(problem, file, "wrong");
    INFO(text);
    CHECK_THAT(text, HasAll({lane.device.name, "wrong.cl", "no_such_name"}));
    // NVIDIA's compiler ignores #line and counts the lines of the whole text.
    CHECK((text.find("part.h:3:") != std::string::npos ||
           (lane.device.vendor.find("NVIDIA") != std::string::npos &&
            text.find("<kernel>:") != std::string::npos)));
  }
}

TEST_CASE("a missing file, a missing kernel and a wrong parameter list are compile errors") {
  const TemporaryDirectory folder;
  const auto file = folder.write("other.cl", "__kernel void other(__global float* A) { A[0] = 1; }\n");
  const GpuLane lane = gpu_lanes({"opencl"}).front();
  const auto session = lane.open();
  MatmulProblem problem(*session, {2, 2, 2});
  CHECK_THAT(compile_failure(problem, folder.path() / "none.cl", "x"), ContainsSubstring("none.cl"));
  CHECK_THAT(compile_failure(problem, file, "absent"), ContainsSubstring("no kernel named 'absent'"));
  CHECK_THAT(compile_failure(problem, file, "other"), HasAll({"has 1 parameters", "lists 6"}));
}

TEST_CASE("compiled programs are kept, and a changed include is noticed") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const TemporaryDirectory folder;
    const auto cache = folder.path() / "cache";
    const auto file = folder.write("product.cl", std::string("#include \"finish.h\"\n") + product);
    folder.write("finish.h", "#define FINISH(x) (x)\n");
    CHECK(run_product(lane, file, cache).empty());
    const auto first = entries(cache / "kernels");  // the kernel, and what a GPU's queue is held back with
    REQUIRE_FALSE(first.empty());

    CHECK(run_product(lane, file, cache).empty());
    CHECK(entries(cache / "kernels") == first);

    folder.write("finish.h", "#define FINISH(x) ((x) + 1)\n");
    CHECK(run_product(lane, file, cache).starts_with("C[0, 0]"));
    CHECK(entries(cache / "kernels").size() == first.size() + 1);
  }
}

TEST_CASE("a cache that cannot be written costs a note, not the result") {
  const TemporaryDirectory folder;
  const auto blocked = folder.write("cache", "a file where the folder should be");
  const auto file = folder.write("product.cl", std::string("#define FINISH(x) (x)\n") + product);
  const GpuLane lane = gpu_lanes({"opencl"}).front();
  const auto session = lane.open({blocked.string(), false});
  MatmulProblem problem(*session, {5, 6, 7});
  const auto prepared = problem.prepare_file(file, "product");
  CHECK_THAT(prepared->notes().at("program_cache"), ContainsSubstring("cannot write"));
  prepared->run(0);
  CHECK(problem.fault(0).empty());
}

TEST_CASE("kernels compiled for a debugger compute the same") {
  for (const GpuLane& lane : gpu_lanes({"opencl"})) {
    INFO(lane.device.id);
    const auto session = lane.open({"", true});
    MatmulProblem problem(*session, {9, 10, 11});
    problem.prepare(lane, "tiled", {{"tile", std::int64_t{4}}})->run(0);
    CHECK(problem.fault(0).empty());
  }
}
