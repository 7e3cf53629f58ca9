// What products on tensor cores launch: numbers that were counted by hand.
#include "plugin_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace benchctl;
using namespace benchctl::test;

namespace {

KernelPlan tensor_plan(const std::string& variant, std::int64_t m, std::int64_t n, std::int64_t k,
                       Parameters tunables) {
  const VariantInfo& of = matmul_variant(cuda_backend(), variant);
  tunables["compute_units"] = std::int64_t{132};
  return plan_for(of, matmul_problem({m, n, k, of.dtypes.front()}), tunables_of(of, tunables));
}

Parameters tile(std::int64_t rows, std::int64_t columns, std::int64_t stages, Parameters more = {}) {
  more["tile_m"] = rows;
  more["tile_n"] = columns;
  more["stages"] = stages;
  return more;
}

struct Expected {
  std::uint64_t grid;
  std::uint64_t block;
  std::uint64_t shared;
  std::uint64_t barriers;  ///< static shared memory
};

void check_launch(const KernelPlan& plan, const Expected& expected) {
  const PlannedLaunch& launch = plan.launches.back();
  CHECK(launch.grid == std::array<std::uint64_t, 3>{expected.grid, 1, 1});
  CHECK(launch.block == std::array<std::uint64_t, 3>{expected.block, 1, 1});
  CHECK(launch.shared_bytes == expected.shared);
  CHECK(launch.local_bytes == expected.shared + expected.barriers);
}

}  // namespace

TEST_CASE("products by wgmma launch as many clusters as run at once", "[cuda]") {
  const Parameters alone{{"cluster_m", std::int64_t{1}}};
  Parameters late = alone;
  late["late"] = std::int64_t{128};
  // 16 × 32 tiles; slabs of 384 rows, and 128 rows of C on their way out.
  check_launch(tensor_plan("wgmma_bf16", 4096, 4096, 4096, tile(256, 128, 4, late)),
               {132, 288, 4 * 384 * 128 + 128 * 128 * 2 + 1024, 80});
  // 11 × 12 pairs of tiles, of which each of two warpgroups has 128 columns.
  check_launch(tensor_plan("wgmma_bf16", 3000, 3000, 3000, tile(144, 256, 4)),
               {132, 384, 4 * 400 * 128 + 32 * 2 * 144 + 1024, 80});
  // Clusters of four leave a twelfth of the multiprocessors over: 3 × 9 of them, and 11 × 32.
  const Parameters by_four{{"cluster_m", std::int64_t{4}}};
  const Expected four{108, 288, 7 * 224 * 128 + 64 * 2 * 144 + 1024, 128};
  check_launch(tensor_plan("wgmma_bf16", 1072, 1072, 1072, tile(96, 128, 7, by_four)), four);
  check_launch(tensor_plan("wgmma_bf16", 4096, 4096, 1072, tile(96, 128, 7, by_four)),
               {120, four.block, four.shared, four.barriers});
  const Parameters two_by_two{{"cluster_m", std::int64_t{2}}, {"cluster_n", std::int64_t{2}}};
  check_launch(tensor_plan("wgmma_bf16", 1072, 1072, 1072, tile(96, 128, 7, two_by_two)),
               {6 * 5 * 4, four.block, four.shared, four.barriers});
  // Two parts of k: a cluster for each of 64 tiles, half of whose sums go to the other block.
  Parameters parts = alone;
  parts["split_k"] = std::int64_t{2};
  check_launch(tensor_plan("wgmma_bf16", 128, 4096, 4096, tile(128, 64, 8, parts)),
               {128, 160, 8 * 192 * 128 + 128 * 64 * 4 / 2 + 64 * 144 + 1024, 144});
  // A warpgroup feeds those that multiply floats.
  check_launch(tensor_plan("wgmma_tf32", 2048, 2048, 2048, tile(256, 128, 4)),
               {128, 384, 4 * 384 * 128 + 64 * 128 * 4 + 1024, 80});
  // A's two parts.
  check_launch(tensor_plan("wgmma_3xtf32", 2048, 2048, 2048, tile(128, 128, 4)),
               {132, 384, 4 * 384 * 128 + 64 * 128 * 4 + 1024, 112});
}

TEST_CASE("products by mma.sync launch a block for each tile, or share them out", "[cuda]") {
  const auto check_sums = [](const KernelPlan& plan, std::uint64_t sums, std::uint64_t counters) {
    CHECK(plan.scratch.at(0).count == sums);
    CHECK(plan.scratch.at(1).count == counters);
  };
  const KernelPlan each = tensor_plan("tensor_bf16", 3000, 3000, 3000, tile(128, 256, 4));
  check_launch(each, {24 * 12, 256, 4 * 384 * 128, 0});
  check_sums(each, 4, 24 * 12);
  CHECK(each.launches[0].defines.at("EVEN") == "0");
  const Parameters workers{{"persistent", std::int64_t{1}}};
  const KernelPlan shared = tensor_plan("tensor_bf16", 3000, 3000, 3000, tile(128, 256, 4, workers));
  check_launch(shared, {132, 256, 4 * 384 * 128, 0});
  check_sums(shared, 132 * 128 * 256, 24 * 12);
  CHECK(shared.launches[0].defines.at("EVEN") == "1");
  // Fewer tiles than workers; narrow tiles have four warps of all their columns.
  check_launch(tensor_plan("tensor_tf32", 64, 64, 4096,
                           tile(64, 32, 8, {{"persistent", std::int64_t{2}}, {"depth", std::int64_t{32}}})),
               {2, 128, 8 * 96 * 128, 0});
  check_launch(tensor_plan("tensor_3xtf32", 256, 256, 256, tile(128, 128, 3)), {4, 256, 3 * 256 * 128, 0});
}
