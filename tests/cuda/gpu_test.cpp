// On a GPU of CUDA, beyond what all plugins for GPUs do (tests/gpu). Skipped where there is none.
#include "measure/gate_policy.hpp"
#include "plugin_under_test.hpp"
#include "support/catch.hpp"
#include "support/failure_of.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A block is gated, or says why not.
void check_gate(const SampleBlock& block) {
  const std::string objection = cuda::gate_objection_here();
  INFO("note: " << block.note);
  CHECK(block.gated == objection.empty());
  if (!objection.empty()) CHECK_THAT(block.note, ContainsSubstring(objection));
}

}  // namespace

TEST_CASE("a prepared kernel knows its resources", "[cuda][gpu]") {
  const GpuLane lane = gpu_lanes({"cuda"}).front();
  const auto session = lane.open();
  MatmulProblem product(*session, {64, 64, 64});
  const auto prepared = product.prepare(lane, "tiled", {{"tile", std::int64_t{16}}});
  const Resources resources = prepared->resources();
  CHECK(resources.at("registers") > 0);
  CHECK(resources.at("spill_bytes") == 0);
  CHECK(resources.at("static_shared_bytes") == 2 * 16 * 16 * 4);
  CHECK(resources.at("local_bytes") == 0);
  CHECK(resources.at("max_block_threads") >= 256);
  CHECK(resources.at("occupancy") > 0);
  CHECK(resources.at("occupancy") <= 1);
  CHECK(prepared->notes().at("compiler").starts_with("NVRTC "));
}

TEST_CASE("cuBLAS tells its version and math mode", "[cuda][gpu]") {
  const GpuLane lane = gpu_lanes({"cuda"}).front();
  const auto session = lane.open();
  const auto notes_of = [&](DType dtype) {
    MatmulProblem product(*session, {64, 64, 64, dtype});
    try {
      return product.prepare(lane, "vendor")->notes();
    } catch (const Failure& failure) {
      if (failure.kind() == FailureKind::unsupported) SKIP(failure.what());
      throw;
    }
  };
  const auto notes = notes_of(DType::f32);
  CHECK(notes.at("library").starts_with("cuBLAS 1"));
  CHECK(notes.at("math_mode") == "CUBLAS_PEDANTIC_MATH");
  CHECK(notes_of(DType::f64).at("math_mode") == "CUBLAS_DEFAULT_MATH");
}

TEST_CASE("a queue that is too long is not gated and says so", "[cuda][gpu]") {
  const GpuLane lane = gpu_lanes({"cuda"}).front();
  const auto session = lane.open();
  MatmulProblem product(*session, {32, 32, 32});
  const auto prepared = product.prepare(lane, "tiled");
  prepared->run(0);
  const auto sample = [&](std::uint32_t batch) {
    return prepared->sample({CacheMode::hot, LaunchMode::stream, Basis::device, batch, 3, 1, 0});
  };
  check_gate(sample(30));
  const SampleBlock block = sample(31);
  CHECK_FALSE(block.gated);
  CHECK_THAT(block.note, ContainsSubstring("too many to queue"));
  CHECK(block.ns.size() == 3);
}

// A fault takes the context with it, and so every later test of the same process: it runs by its tag,
// [fault], alone.
TEST_CASE("a kernel that reads a wild address loses the session", "[.][fault]") {
  const auto session = gpu_lanes({"cuda"}).front().open();
  const auto problem = session->create_problem({matmul_problem({8, 8, 8}), 1, {256, 256, 256}});
  const TemporaryDirectory folder;
  KernelPlan plan;
  PlannedLaunch& launch = plan.launches.emplace_back();
  launch.source =
      folder.write("wild.cu", "extern \"C\" __global__ void wild() { *(int*)16 = 1; }\n").string();
  launch.entry = "wild";
  VariantInfo variant;
  const std::unique_ptr<Prepared> prepared = problem->prepare({&variant, {}, plan, {}});
  const Failure failure = failure_of([&] { prepared->run(0); });
  CHECK(failure.kind() == FailureKind::launch_error);
  CHECK(failure.sticky());
  CHECK_THAT(failure.what(), ContainsSubstring("'wild'"));
  CHECK_THAT(failure.what(), ContainsSubstring("CUDA_ERROR_"));
}
