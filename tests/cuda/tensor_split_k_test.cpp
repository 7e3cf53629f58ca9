// Products by mma.sync with few tiles, whose parts of k go to several blocks.
#include "claimed_plans.hpp"
#include "plugin_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

using namespace benchctl;
using namespace benchctl::test;

namespace {

KernelPlan split_plan(const char* variant, const MatmulSize& size, Parameters tunables) {
  const VariantInfo& of = matmul_variant(cuda_backend(), variant);
  tunables["compute_units"] = std::int64_t{132};
  return plan_for(of, matmul_problem(size), tunables_of(of, tunables));
}

}  // namespace

TEST_CASE("a product with few tiles comes in as many parts of k as run at once", "[cuda]") {
  const auto parts = [](const char* variant, DType type, std::int64_t m, std::int64_t n, std::int64_t k) {
    const KernelPlan plan = split_plan(variant, {m, n, k, type}, {});
    const PlannedLaunch& launch = plan.launches.at(0);
    CHECK(launch.defines.at("SPLITS") == std::to_string(launch.grid[1]));
    CHECK(plan.scratch.at(1).count == launch.grid[0]);
    CHECK(plan.scratch.at(0).count ==
          (launch.grid[1] == 1 ? 4 : launch.grid[0] * launch.grid[1] * 64 * 64));
    return launch.grid[1];
  };
  // Two blocks of 64×64 for each of 132 multiprocessors.
  CHECK(parts("tensor_bf16_split_k", DType::bf16, 64, 4096, 4096) == 4);
  CHECK(parts("tensor_bf16_split_k", DType::bf16, 64, 1024, 4096) == 16);
  // 4 slabs of 64 elements, or of 32 floats, for each.
  CHECK(parts("tensor_bf16_split_k", DType::bf16, 64, 64, 1024) == 4);
  CHECK(parts("tensor_tf32_split_k", DType::f32, 64, 64, 1024) == 8);
  CHECK(parts("tensor_tf32_split_k", DType::f32, 1, 1, 1) == 1);
  CHECK(parts("tensor_tf32_split_k", DType::f32, 4096, 4096, 4096) == 1);
}

TEST_CASE("no part of k is empty, and a multiprocessor has room for its blocks", "[cuda]") {
  const auto takes = [](const char* name, std::int64_t k, Parameters tunables) {
    const VariantInfo& variant = matmul_variant(cuda_backend(), name);
    Parameters values = matmul_problem({64, 64, k, variant.dtypes.front()}).parameters;
    for (const auto& [tunable, value] : tunables_of(variant, tunables)) values[tunable] = value;
    values["compute_units"] = std::int64_t{132};
    return allowed(variant, values);
  };
  CHECK(takes("tensor_bf16_split_k", 257, {{"split_k", std::int64_t{5}}}));
  CHECK_FALSE(takes("tensor_bf16_split_k", 257, {{"split_k", std::int64_t{6}}}));
  CHECK(takes("tensor_tf32_split_k", 257, {{"split_k", std::int64_t{9}}}));
  CHECK_FALSE(takes("tensor_tf32_split_k", 257, {{"split_k", std::int64_t{10}}}));
  CHECK_FALSE(takes("tensor_tf32_split_k", 257, {{"resident", std::int64_t{3}}}));
  CHECK(takes("tensor_tf32_split_k", 257, {{"resident", std::int64_t{3}}, {"tile_m", std::int64_t{32}}}));
  CHECK_FALSE(takes("tensor_tf32_split_k", 257, {{"tile_m", std::int64_t{16}}}));
  CHECK(takes("tensor_tf32_split_k", 257, {{"tile_m", std::int64_t{128}}}));
  CHECK_FALSE(takes("tensor_bf16_split_k", 257, {{"tile_m", std::int64_t{128}}}));
}

TEST_CASE("products in parts of k compile without spills, wherever rows begin", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const auto& [tile_m, tile_n, resident] :
       {std::array<std::int64_t, 3>{16, 128, 2}, {32, 64, 3}, {64, 64, 2}, {128, 64, 1}}) {
    for (const std::int64_t size : {2047, 2048}) {
      const Parameters tunables{{"tile_m", tile_m}, {"tile_n", tile_n}, {"resident", resident}};
      CAPTURE(tile_m, tile_n, resident, size);
      const KernelPlan bf16 = split_plan("tensor_bf16_split_k", {64, size, size, DType::bf16}, tunables);
      CHECK(bf16.launches.at(0).defines.at("SHIFTED") == "1");
      CHECK(bf16.launches.at(0).defines.at("A_BYTES") == (size == 2047 ? "2" : "16"));
      const KernelPlan tf32 = split_plan("tensor_tf32_split_k", {64, size, size, DType::f32}, tunables);
      CHECK(tf32.launches.at(0).defines.at("SHIFTED") == "0");
      CHECK(tf32.launches.at(0).defines.at("A_BYTES") == (size == 2047 ? "4" : "16"));
      for (const KernelPlan& plan : {bf16, tf32}) {
        for (const char* architecture : {"sm_80", "sm_90a"}) {
          CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
        }
      }
    }
  }
}
