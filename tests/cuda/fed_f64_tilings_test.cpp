// The tilings of matmul/tensor_f64_fed that tensor_f64_best takes: plans are those that tensor_f64_fed
// would make.
#include "fed_f64_tilings.hpp"

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tiling_checks.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_fed_f64_tiling;
using benchctl::cuda::FedF64Tiling;
using benchctl::cuda::plan_fed_f64;
using benchctl::cuda::ProductSize;

namespace {

Parameters tunables_of_tiling(const VariantInfo& variant, const FedF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  return tunables_of(variant, {{"tile_m", number(tiling.tile_m)},
                               {"tile_n", number(tiling.tile_n)},
                               {"warp_m", number(tiling.warp_m)},
                               {"warp_n", number(tiling.warp_n)},
                               {"depth", number(tiling.depth)},
                               {"stages", number(tiling.stages)},
                               {"feeders", number(tiling.feeders)},
                               {"slices", number(tiling.slices)},
                               {"resident", number(tiling.resident)},
                               {"later", number(tiling.later)},
                               {"workers", number(tiling.workers)},
                               {"band", number(tiling.band)},
                               {"splits", number(tiling.splits)}});
}

}  // namespace

TEST_CASE("a tiling of doubles fed by warps of their own is one that tensor_f64_fed takes, and its plan",
          "[cuda]") {
  const VariantInfo& variant = matmul_variant(cuda_backend(), "tensor_f64_fed");
  int chosen = 0;
  for (const std::uint64_t units : {1, 16, 132}) {
    for (const ProductSize& size : product_sizes) {
      const cuda::ProductDevice device{"sm_90a", units, shared_bytes_of("sm_90a")};
      if (choose_fed_f64_tiling(device, size)) ++chosen;
      for (const auto& [tiling, ns] : cuda::rank_fed_f64_tilings(device, size, tried)) {
        INFO(units << " units, " << size.m << 'x' << size.n << 'x' << size.k << ": " << to_text(tiling));
        const ProblemSpec problem = product_problem(size, DType::f64);
        check_taken(variant, problem, tunables_of_tiling(variant, tiling), units,
                    plan_fed_f64(problem, size, tiling, units, kernel_folder()), shared_bytes_of("sm_90a"));
      }
    }
  }
  CHECK(chosen > 20);
}

TEST_CASE("the best tiling fed by warps of their own follows the size of the product", "[cuda]") {
  const auto chosen = [](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    const auto tiling = choose_fed_f64_tiling({"sm_90a", 132, shared_bytes_of("sm_90a")}, {m, n, k});
    return tiling ? to_text(*tiling) : std::string("none");
  };
  const char* const wide = "96x128x16 in 48x32, 6 stages, 4 feeders, operands later";
  CHECK(chosen(1000, 1000, 1000) == "64x128x16 in 16x32, 6 stages, 1 feeder");
  CHECK(chosen(1200, 1200, 1200) == wide);
  CHECK(chosen(1536, 1536, 1536) == "48x64x16 in 24x32, 6 stages, 1 feeder");
  CHECK(chosen(2048, 2048, 2048) == "128x128x16 in 64x32, 6 stages, 4 feeders, operands later");
  CHECK(chosen(4096, 4096, 4096) == "96x64x16 in 48x32, 5 stages, 4 feeders, operands later");
  CHECK(chosen(8192, 8192, 8192) == wide);
  // Where rows are odd.
  CHECK(chosen(703, 703, 703) == "64x64x32 in 16x32, 5 stages, 8 feeders");
  CHECK(chosen(777, 777, 777) == "48x64x16 in 24x32, 6 stages, 4 feeders");
  CHECK(chosen(1001, 1001, 1001) == "64x128x16 in 32x32, 6 stages, 4 feeders");
  CHECK(chosen(1801, 1801, 1801) == "none");
  // Short sums: what stores C quickly, too.
  CHECK(chosen(987, 1841, 173) == "48x64x16 in 24x32, 6 stages, 4 feeders");
  CHECK(chosen(45, 3989, 255) == "32x64x32 in 16x32, 6 stages, 4 feeders, 2 slices");
  CHECK(chosen(895, 1893, 371) == "64x128x16 in 32x32, 6 stages, 4 feeders");
  // Small C and long sums: parts of k keep the multiprocessors busy.
  CHECK(chosen(64, 64, 20000) == "32x32x32 in 16x16, 6 stages, 4 feeders, 2 slices, 19 parts");
  CHECK(chosen(17, 65, 5001) == "32x32x32 in 16x16, 6 stages, 4 feeders, 2 slices, 16 parts");
  CHECK(chosen(200, 180, 5001) == "32x64x32 in 16x32, 6 stages, 4 feeders, 2 slices, 6 parts");
  // Where tensor_f64 is as quick.
  CHECK(chosen(512, 512, 512) == "none");
  CHECK(chosen(3000, 3000, 3000) == "none");
  CHECK(chosen(4096, 4096, 32) == "none");
}

TEST_CASE("warps of their own feed tensor cores on Hopper alone", "[cuda]") {
  for (const char* architecture : {"sm_80", "sm_100a", "sm_120"}) {
    for (const ProductSize& size : product_sizes) {
      CHECK_FALSE(choose_fed_f64_tiling({architecture, 132, shared_bytes_of(architecture)}, size));
    }
  }
}

TEST_CASE("tilings of doubles fed by warps of their own compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  std::vector<ProductSize> sizes{{64, 64, 20000}, {65, 77, 9001}, {200, 180, 5001}};
  for (const std::uint64_t n : {555, 703, 1000, 1001, 1200, 1801, 2048, 3000, 4096, 5001}) {
    sizes.push_back({n, n, n});
  }
  for (const ProductSize& size : sizes) {
    const auto tiling = choose_fed_f64_tiling({"sm_90a", 132, shared_bytes_of("sm_90a")}, size);
    if (!tiling) continue;
    INFO("n = " << size.n << ", k = " << size.k << ": " << to_text(*tiling));
    const KernelPlan plan =
        plan_fed_f64(product_problem(size, DType::f64), size, *tiling, 132, kernel_folder());
    CHECK(backend.compile(plan, "sm_90a", {}).resources.at("spill_bytes") == 0);
  }
}
