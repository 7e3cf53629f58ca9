// The tilings that tensor_f64_best takes: every product gets a plan that tensor_f64 would make.
#include "tensor_f64_tilings.hpp"

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tiling_checks.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_tensor_f64_tiling;
using benchctl::cuda::ProductSize;
using benchctl::cuda::TensorF64Tiling;

namespace {

Parameters tunables_of_tiling(const VariantInfo& variant, const TensorF64Tiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  return tunables_of(variant, {{"tile_m", number(tiling.tile_m)},
                               {"tile_n", number(tiling.tile_n)},
                               {"warp_m", number(tiling.warp_m)},
                               {"warp_n", number(tiling.warp_n)},
                               {"depth", number(tiling.depth)},
                               {"stages", number(tiling.stages)},
                               {"spread", number(tiling.spread)},
                               {"splits", number(tiling.splits)},
                               {"slices", number(tiling.slices)},
                               {"workers", number(tiling.workers)},
                               {"band", number(tiling.band)},
                               {"lines", number(tiling.lines)}});
}

}  // namespace

TEST_CASE("every product of doubles gets a tiling that tensor_f64 takes, and the plan that it makes",
          "[cuda]") {
  const VariantInfo& variant = matmul_variant(cuda_backend(), "tensor_f64");
  for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
    for (const std::uint64_t units : {1, 16, 132, 188}) {
      for (const ProductSize& size : product_sizes) {
        const cuda::ProductDevice device{architecture, units, shared_bytes_of(architecture)};
        for (const auto& [tiling, ns] : cuda::rank_tensor_f64_tilings(device, size, tried)) {
          INFO(architecture << ", " << units << " units, " << size.m << 'x' << size.n << 'x' << size.k
                            << ": " << to_text(tiling));
          const ProblemSpec problem = product_problem(size, DType::f64);
          check_taken(variant, problem, tunables_of_tiling(variant, tiling), units,
                      plan_tensor_f64(problem, size, tiling, units, kernel_folder()),
                      shared_bytes_of(architecture));
        }
      }
    }
  }
}

TEST_CASE("the best tiling of doubles follows the size of the product", "[cuda]") {
  const auto chosen = [](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return to_text(choose_tensor_f64_tiling({"sm_90a", 132, shared_bytes_of("sm_90a")}, {m, n, k}));
  };
  const char* const square = "64x64x16 in 16x32, 4 stages, copies together, 1 parts, 1 slices";
  CHECK(chosen(512, 512, 512) ==
        "32x64x16 in 16x32, 4 stages, copies together, 1 parts, 2 slices, no bands");
  CHECK(chosen(1000, 1000, 1000) == square);
  CHECK(chosen(3000, 3000, 3000) == square);
  CHECK(chosen(1801, 1801, 1801) == square);
  // Where k or n is odd, copies have more to do.
  CHECK(chosen(333, 333, 333) ==
        "32x32x32 in 16x16, 3 stages, copies together, 1 parts, 2 slices, no bands");
  CHECK(chosen(555, 555, 555) == "48x64x16 in 16x32, 3 stages, copies spread, 1 parts, 2 slices, no bands");
  CHECK(chosen(777, 777, 777) == "96x64x24 in 16x32, 3 stages, copies spread, 1 parts, 1 slices, no bands");
  CHECK(chosen(3333, 3333, 3333) == "64x128x16 in 32x32, 3 stages, copies together, 1 parts, 2 slices");
  // Strips wait for B.
  CHECK(chosen(17, 65, 5001) == "32x64x16 in 16x32, 4 stages, copies together, 13 parts, 1 slices");
  // Less shared memory: no slices of large tiles.
  CHECK(to_text(choose_tensor_f64_tiling({"sm_120", 132, shared_bytes_of("sm_120")}, {3333, 3333, 3333})) ==
        square);
}

TEST_CASE("tilings of doubles compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const char* architecture : {"sm_80", "sm_90a"}) {
    for (const std::uint64_t n : {256, 333, 555, 703, 777, 1000, 1001, 1203, 1280, 2048, 2501}) {
      const ProductSize size{n, n, n};
      const TensorF64Tiling tiling =
          choose_tensor_f64_tiling({architecture, 132, shared_bytes_of(architecture)}, size);
      INFO(architecture << ", n = " << n << ": " << to_text(tiling));
      const KernelPlan plan =
          plan_tensor_f64(product_problem(size, DType::f64), size, tiling, 132, kernel_folder());
      CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
    }
  }
}
