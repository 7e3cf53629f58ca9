// Products whose rows do not begin at multiples of 16 bytes: what a first launch copies, and what the
// product then takes.
#include "claimed_plans.hpp"
#include "plugin_under_test.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace benchctl;
using namespace benchctl::test;

namespace {

KernelPlan repacked_plan(const std::string& variant, std::int64_t m, std::int64_t n, std::int64_t k,
                         Parameters tunables = {}) {
  const VariantInfo& of = matmul_variant(cuda_backend(), variant);
  tunables["compute_units"] = std::int64_t{132};
  return plan_for(of, matmul_problem({m, n, k, of.dtypes.front()}), tunables_of(of, tunables));
}

/// An argument, and of scratch memory its elements: "B", "k", "rows_of_a 19264".
std::string argument(const KernelPlan& plan, std::size_t launch, std::size_t index) {
  static const ProblemSpec problem = matmul_problem({});
  const PlannedArgument& found = plan.launches.at(launch).arguments.at(index);
  if (found.kind == PlannedArgument::Kind::buffer) return problem.buffers.at(found.index).name;
  if (found.kind == PlannedArgument::Kind::scalar) return problem.scalars.at(found.index).name;
  const PlannedScratch& scratch = plan.scratch.at(found.index);
  return scratch.name + " " + std::to_string(scratch.count);
}

std::string macro(const KernelPlan& plan, std::size_t launch, const char* name) {
  return plan.launches.at(launch).defines.at(name);
}

}  // namespace

TEST_CASE("rows that do not begin at multiples of 16 bytes are copied to multiples of 128", "[cuda]") {
  const auto copied = [](const char* variant, std::int64_t n, std::int64_t k) {
    const KernelPlan plan = repacked_plan(variant, 7, n, k);
    if (plan.launches.size() == 1) return std::string("nothing");
    CHECK(plan.launches.at(0).entry == "repack_rows");
    return argument(plan, 1, 0) + ", " + argument(plan, 1, 1);
  };
  CHECK(copied("wgmma_bf16", 1000, 1008) == "nothing");
  CHECK(copied("wgmma_bf16", 1004, 1008) == "A, rows_of_b " + std::to_string(1008 * 1024));
  CHECK(copied("wgmma_bf16", 1000, 1001) == "rows_of_a 7168, B");
  CHECK(copied("wgmma_tf32", 1004, 1002) == "rows_of_a 7168, B");
  CHECK(copied("wgmma_tf32", 1001, 1025) ==
        "rows_of_a " + std::to_string(7 * 1056) + ", rows_of_b " + std::to_string(1025 * 1024));
}

TEST_CASE("a product by wgmma of odd rows takes copies, and writes C where it is", "[cuda]") {
  for (const auto& [variant, bytes] : {std::pair{"wgmma_bf16", "2"}, std::pair{"wgmma_tf32", "4"}}) {
    const KernelPlan plan = repacked_plan(variant, 301, 1001, 63);
    REQUIRE(plan.launches.size() == 2);
    CHECK(macro(plan, 0, "SIZE") == bytes);
    CHECK(macro(plan, 0, "A_PARTS") == "1");
    CHECK(macro(plan, 0, "HAS_B") == "1");
    CHECK(argument(plan, 0, 0) == "A");
    CHECK(argument(plan, 0, 1) == "B");
    CHECK(argument(plan, 0, 2) == "rows_of_a " + std::to_string(301 * 64));
    CHECK(argument(plan, 0, 4) == "rows_of_b " + std::to_string(63 * 1024));
    CHECK(argument(plan, 1, 0) == argument(plan, 0, 2));
    CHECK(argument(plan, 1, 1) == argument(plan, 0, 4));
    CHECK(argument(plan, 1, 2) == "C");
    CHECK(macro(plan, 1, "C_BYTES") == bytes);
    CHECK(macro(plan, 1, "AWAITS") == "1");
    // Rows of A alone: B and C are as they are.
    const KernelPlan a_alone = repacked_plan(variant, 257, 264, 63);
    CHECK(macro(a_alone, 0, "HAS_B") == "0");
    CHECK(argument(a_alone, 0, 4) == "B");
    CHECK(argument(a_alone, 1, 1) == "B");
    CHECK(macro(a_alone, 1, "C_BYTES") == "16");
  }
  // As many blocks as have packs of 16 bytes to move; few as long as all fits the cache.
  CHECK(repacked_plan("wgmma_bf16", 301, 1001, 63).launches.at(0).grid[0] ==
        (301 * 8 + 63 * 126 + 255) / 256);
  CHECK(repacked_plan("wgmma_bf16", 2000, 2001, 2001).launches.at(0).grid[0] == 132 * 8);
  CHECK(repacked_plan("wgmma_bf16", 4000, 4001, 4001).launches.at(0).grid[0] ==
        (4000 * 501 + 4001 * 501 + 255) / 256);
}

TEST_CASE("rows of C that begin anywhere leave at once, from tiles with registers for that", "[cuda]") {
  const auto takes = [](std::int64_t n, Parameters tunables) {
    const VariantInfo& variant = matmul_variant(cuda_backend(), "wgmma_bf16");
    Parameters values = matmul_problem({3000, n, 3001, DType::bf16}).parameters;
    for (const auto& [name, value] : tunables_of(variant, tunables)) values[name] = value;
    values["compute_units"] = std::int64_t{132};
    return allowed(variant, values);
  };
  CHECK(takes(3000, {{"late", std::int64_t{64}}}));
  CHECK_FALSE(takes(3001, {{"late", std::int64_t{64}}}));
  CHECK(takes(3000, {{"tile_m", std::int64_t{192}}, {"tile_n", std::int64_t{192}}}));
  CHECK_FALSE(takes(3001, {{"tile_m", std::int64_t{192}}, {"tile_n", std::int64_t{192}}}));
  CHECK(takes(3001, {{"tile_m", std::int64_t{184}}, {"tile_n", std::int64_t{192}}}));
}

TEST_CASE("A is taken apart as it is copied", "[cuda]") {
  const Parameters apart{{"apart", std::int64_t{1}}};
  const KernelPlan large = repacked_plan("wgmma_3xtf32", 2301, 2301, 2301, apart);
  REQUIRE(large.launches.size() == 2);
  CHECK(macro(large, 0, "A_PARTS") == "2");
  CHECK(macro(large, 0, "A_UNIT") == "32");
  CHECK(argument(large, 0, 2) == "rows_of_a " + std::to_string(2301 * 2304));
  CHECK(argument(large, 0, 3) == "rest_of_a " + std::to_string(2301 * 2304));
  CHECK(argument(large, 1, 0) == argument(large, 0, 2));
  CHECK(argument(large, 1, 1) == argument(large, 0, 3));
  CHECK(argument(large, 1, 2) == "rows_of_b " + std::to_string(2301 * 2304));
  // Rows of A are whole: its parts have them as they are.
  const KernelPlan b_alone = repacked_plan("wgmma_3xtf32", 2301, 2301, 2308, apart);
  CHECK(macro(b_alone, 0, "A_PARTS") == "2");
  CHECK(macro(b_alone, 0, "A_UNIT") == "1");
  CHECK(argument(b_alone, 1, 1) == "rest_of_a " + std::to_string(2301 * 2308));
  // Nothing is copied: a launch of its own.
  const KernelPlan whole = repacked_plan("wgmma_3xtf32", 2301, 2304, 2308, apart);
  REQUIRE(whole.launches.size() == 2);
  CHECK(whole.launches[0].entry == "split_tf32");
  CHECK(argument(whole, 0, 1) == argument(whole, 1, 0));
  CHECK(argument(whole, 0, 2) == argument(whole, 1, 1));
  CHECK(macro(whole, 1, "AWAITS") == "0");
  // The product takes A apart as it goes.
  const Parameters within{{"apart", std::int64_t{0}}};
  const KernelPlan odd = repacked_plan("wgmma_3xtf32", 501, 501, 501, within);
  CHECK(macro(odd, 0, "A_PARTS") == "1");
  CHECK(argument(odd, 1, 0) == "rows_of_a " + std::to_string(501 * 512));
  CHECK(argument(odd, 1, 1) == argument(odd, 1, 0));
  const KernelPlan even = repacked_plan("wgmma_3xtf32", 501, 512, 512, within);
  REQUIRE(even.launches.size() == 1);
  CHECK(argument(even, 0, 0) == "A");
  CHECK(argument(even, 0, 1) == "A");
}

TEST_CASE("a product by mma.sync of odd rows takes copies where it is to", "[cuda]") {
  const Parameters copied{{"repack", std::int64_t{1}}};
  const KernelPlan plan = repacked_plan("tensor_bf16", 1001, 1001, 1001, copied);
  REQUIRE(plan.launches.size() == 2);
  CHECK(argument(plan, 1, 0) == "rows_of_a " + std::to_string(1001 * 1024));
  CHECK(argument(plan, 1, 1) == "rows_of_b " + std::to_string(1001 * 1024));
  for (const char* unit : {"A_UNIT", "B_UNIT"}) CHECK(macro(plan, 1, unit) == "64");
  for (const char* bytes : {"A_BYTES", "B_BYTES"}) CHECK(macro(plan, 1, bytes) == "16");
  CHECK(macro(plan, 1, "AWAITS") == "1");
  // A copy has more columns than C, but there are as many blocks as C has tiles: others would read what is
  // before B.
  CHECK(repacked_plan("tensor_bf16", 256, 385, 794, copied).launches.at(1).grid[0] == 2 * 4);
  CHECK(repacked_plan("tensor_tf32", 128, 257, 794, copied).launches.at(1).grid[0] == 2);
  const KernelPlan b_alone = repacked_plan("tensor_tf32", 2048, 2047, 2048, copied);
  CHECK(argument(b_alone, 1, 0) == "A");
  CHECK(macro(b_alone, 1, "A_UNIT") == "1");
  CHECK(macro(b_alone, 1, "B_UNIT") == "32");
  // Nothing to copy, and nothing that is to be copied.
  CHECK(repacked_plan("tensor_bf16", 1000, 1000, 1000, copied).launches.size() == 1);
  const KernelPlan as_it_is = repacked_plan("tensor_bf16", 1001, 1001, 1002);
  REQUIRE(as_it_is.launches.size() == 1);
  CHECK(macro(as_it_is, 0, "A_BYTES") == "4");
  CHECK(macro(as_it_is, 0, "B_BYTES") == "2");
  CHECK(macro(as_it_is, 0, "AWAITS") == "0");
}

TEST_CASE("behind copies each block may ask for most of a multiprocessor", "[cuda]") {
  const auto shared = [](std::int64_t m, std::int64_t n, std::int64_t repack, std::int64_t least) {
    return repacked_plan("tensor_bf16", m, n, 1001, {{"repack", repack}, {"least_shared", least}})
        .launches.back()
        .shared_bytes;
  };
  constexpr std::uint64_t slabs = 3 * 256 * 64 * 2;
  CHECK(shared(1001, 1001, 1, 117248) == 117248);
  CHECK(shared(1001, 1001, 1, 1000) == slabs);
  CHECK(shared(1001, 1001, 0, 117248) == slabs);
  // 132 blocks, and 143: more than multiprocessors.
  CHECK(shared(11 * 128, 12 * 128 - 1, 1, 117248) == 117248);
  CHECK(shared(11 * 128, 13 * 128 - 1, 1, 117248) == slabs);
}

// The table of registers has more of them.
TEST_CASE("products of odd rows compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  const auto spilled = [&](const KernelPlan& plan, const char* architecture) {
    return backend.compile(plan, architecture, {}).resources.at("spill_bytes");
  };
  const auto configured = [](std::int64_t tile_m, std::int64_t tile_n, std::int64_t stages) {
    return Parameters{{"tile_m", tile_m}, {"tile_n", tile_n}, {"stages", stages}};
  };
  for (const char* variant : {"wgmma_bf16", "wgmma_tf32", "wgmma_3xtf32"}) {
    CHECK(spilled(repacked_plan(variant, 1001, 1001, 1001), "sm_90a") == 0);
  }
  CHECK(spilled(repacked_plan("wgmma_bf16", 1001, 1001, 1001, configured(144, 256, 4)), "sm_90a") == 0);
  CHECK(spilled(repacked_plan("wgmma_bf16", 1001, 1001, 1001, configured(184, 192, 4)), "sm_90a") == 0);
  CHECK(spilled(repacked_plan("wgmma_tf32", 1001, 1001, 1001, configured(240, 128, 4)), "sm_90a") == 0);
  for (const char* variant : {"tensor_bf16", "tensor_tf32", "tensor_3xtf32"}) {
    for (const char* architecture : {"sm_80", "sm_90a"}) {
      const Parameters copied{{"repack", std::int64_t{1}}};
      CHECK(spilled(repacked_plan(variant, 1001, 1001, 1001, copied), architecture) == 0);
    }
  }
}
