// The tiles of transposes of odd sizes: as many as whole sectors of out need, in the memory that is
// declared.
#include <catch2/catch_test_macros.hpp>

#include "claimed_plans.hpp"
#include "plugin_under_test.hpp"
#include "sweep/kernel_plan.hpp"
#include "workloads/workload.hpp"

#include <algorithm>

using namespace benchctl;
using namespace benchctl::test;

namespace {

PlannedLaunch swizzled(std::int64_t rows, std::int64_t columns, const char* dtype) {
  const auto variants = cuda_backend().variants();
  const auto variant = std::ranges::find_if(variants, [](const VariantInfo& info) {
    return info.workload == "transpose" && info.name == "swizzled";
  });
  REQUIRE(variant != variants.end());
  const Workload& workload = *find_workload("transpose");
  const Parameters problem =
      complete_parameters(workload, {{"rows", rows}, {"columns", columns}, {"dtype", std::string(dtype)}});
  const Parameters values = kernel_values(problem, "", tunables_of(*variant), some_gpu());
  CHECK(allowed(*variant, values));
  return plan_kernel(*variant->kernel, values, workload.problem(problem, ""), kernel_folder())
      .launches.at(0);
}

}  // namespace

TEST_CASE("transposes of odd sizes have tiles for every place where a sector begins", "[cuda]") {
  // Packed: squares of 64.
  CHECK(swizzled(128, 64, "f32").grid[0] == 2);
  CHECK(swizzled(128, 64, "f32").defines.at("DOWN") == "64");
  // 128 rows a tile, and the last sector of a row of out begins up to 7 elements early.
  CHECK(swizzled(128, 65, "f32").grid[0] == 2 * 1);
  CHECK(swizzled(128, 65, "f32").defines.at("DOWN") == "128");
  CHECK(swizzled(121, 65, "f32").grid[0] == 2 * 1);
  CHECK(swizzled(122, 65, "f32").grid[0] == 2 * 2);
  CHECK(swizzled(129, 64, "f32").grid[0] == 1 * 2);
  // 64 rows of doubles, 3 elements early.
  CHECK(swizzled(64, 65, "f64").grid[0] == 2 * 1);
  CHECK(swizzled(61, 65, "f64").grid[0] == 2 * 1);
  CHECK(swizzled(62, 65, "f64").grid[0] == 2 * 2);
}

TEST_CASE("transposes of odd sizes take the shared memory that they declare", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const char* dtype : {"f32", "f64"}) {
    KernelPlan plan;
    plan.launches = {swizzled(1001, 999, dtype)};
    const CompileResult result = backend.compile(plan, "sm_80", {});
    CHECK(result.resources.at("static_shared_bytes") == static_cast<double>(plan.launches[0].local_bytes));
    CHECK(result.resources.at("spill_bytes") == 0);
  }
}
