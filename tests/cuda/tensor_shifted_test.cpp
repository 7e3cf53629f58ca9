// Products by mma.sync with few rows or columns beside matrices whose rows begin anywhere.
#include "tensor_shifted.hpp"
#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tensor_plan.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::cuda;

namespace {

constexpr std::array<ProductSize, 8> sizes{{{1, 2047, 2047},
                                            {16, 4095, 4095},
                                            {64, 4095, 4095},
                                            {64, 2047, 2047},
                                            {128, 5001, 5001},
                                            {4095, 16, 4095},
                                            {2047, 64, 2047},
                                            {1, 1, 1}}};

ProblemSpec shifted_problem(Narrow kind, const ProductSize& size) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k),
                         kind == Narrow::bf16 ? DType::bf16 : DType::f32});
}

ProductDevice shifted_device(const char* architecture) {
  return {architecture, 132, shared_bytes_of(architecture)};
}

}  // namespace

TEST_CASE("shifted tilings fit the GPU, and no part of k is empty", "[cuda]") {
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
      for (const ProductSize& size : sizes) {
        const ShiftedTiling tiling =
            rank_shifted_tilings(kind, shifted_device(architecture), size, 1).front().form;
        INFO(architecture << ", " << size.m << 'x' << size.n << 'x' << size.k << ": "
                          << to_text(kind, tiling));
        const KernelPlan plan =
            plan_tensor_shifted(shifted_problem(kind, size), kind, size, tiling, kernel_folder());
        const PlannedLaunch& launch = plan.launches.at(0);
        CHECK(launch.shared_bytes <= shared_bytes_of(architecture));
        CHECK(launch.grid[0] * tiling.tile_m * tiling.tile_n >= size.m * size.n);
        CHECK(launch.grid[1] == tiling.splits);
        const std::uint64_t depth = kind == Narrow::bf16 ? 64 : 32;
        CHECK(tiling.splits <= (size.k + depth - 1) / depth);
        CHECK(plan.scratch.at(1).count == launch.grid[0]);
        if (tiling.splits > 1) {
          CHECK(plan.scratch.at(0).count == launch.grid[0] * tiling.splits * tiling.tile_m * tiling.tile_n);
        }
      }
    }
  }
}

TEST_CASE("shifted products compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
      for (const ProductSize& size : sizes) {
        const ShiftedTiling tiling =
            rank_shifted_tilings(kind, shifted_device(architecture), size, 1).front().form;
        INFO(architecture << ", " << size.m << 'x' << size.n << 'x' << size.k << ": "
                          << to_text(kind, tiling));
        const KernelPlan plan =
            plan_tensor_shifted(shifted_problem(kind, size), kind, size, tiling, kernel_folder());
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}
