// What is made for processors alone: the number of groups, memory in large pages, threads that are awake.
#include "fixture.hpp"

#include <benchctl/failure.hpp>

#include "cpu_tunables.hpp"
#include "expr/expression.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::int64_t groups(std::int64_t compute_units, std::int64_t streams, std::int64_t n) {
  const Expression expression = Expression::parse(opencl::cpu_stream_groups("n * 4"));
  return std::get<std::int64_t>(
      expression.evaluate({{"compute_units", compute_units}, {"streams", streams}, {"n", n}}));
}

/// The elements of C, after a run of a file's kernel.
std::vector<float> results(MatmulProblem& problem, const std::filesystem::path& file, const char* entry) {
  problem.prepare_file(file, entry)->run(0);
  std::vector<std::byte> bytes(problem.spec().buffers[2].bytes());
  problem.device().read(0, 2, 0, bytes);
  std::vector<float> elements(bytes.size() / sizeof(float));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

}  // namespace

TEST_CASE("a processor's variants take one group for little and eight a core for much") {
  CHECK(groups(2, 0, 1) == 1);
  CHECK(groups(2, 0, 65535) == 1);
  CHECK(groups(2, 0, 65536) == 8);  // stretches of 8192 elements and more
  CHECK(groups(2, 0, 131072) == 16);
  CHECK(groups(16, 0, 1 << 20) == 128);
  CHECK(groups(2, 4, 1 << 20) == 8);  // what was asked for
  CHECK(groups(2, 4, 10000) == 2);
}

TEST_CASE("large buffers of a processor begin with a page of 2 MB") {
  const TemporaryDirectory folder;
  const auto file = folder.write("place.cl",
                                 "__kernel void place(__global const REAL* A, __global const REAL* B,\n"
                                 "                    __global REAL* C, int m, int n, int k) {\n"
                                 "  C[get_global_id(1)] = (ulong)A % 2097152;\n"
                                 "}\n");
  for (const DeviceInfo& device : opencl_devices()) {
    if (device.type != DeviceType::cpu) continue;
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    // Two sets: no accident.
    MatmulProblem problem(*session, {4, 1, 1 << 18}, DType::f32, 2);
    for (const float offset : results(problem, file, "place")) CHECK(offset == 0);
  }
}

TEST_CASE("a sample of one launch leaves the right result, its threads having been woken") {
  for (const DeviceInfo& device : opencl_devices()) {
    INFO(device.id);
    const auto session = opencl_backend().open(device.id, {});
    MatmulProblem problem(*session, {64, 64, 64}, DType::f32);
    const auto prepared = problem.prepare(*matmul_variant("naive"));
    prepared->run(0);
    problem.poison(0);
    SampleRequest request;
    request.count = 50;
    const SampleBlock block = prepared->sample(request);
    REQUIRE(block.ns.size() == 50);
    CHECK(std::ranges::all_of(block.ns, [](double ns) { return ns > 0; }));
    CHECK(problem.fault(0).empty());
  }
}
