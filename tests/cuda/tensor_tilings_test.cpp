// The tilings that tensor_tf32_best and tensor_bf16_best take: every product gets a plan that tensor_tf32
// or tensor_bf16 would make.
#include "tensor_tilings.hpp"

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tiling_checks.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_tensor_tiling;
using benchctl::cuda::Narrow;
using benchctl::cuda::ProductSize;
using benchctl::cuda::TensorTiling;

namespace {

ProblemSpec tensor_problem(Narrow kind, const ProductSize& size) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k),
                         kind == Narrow::bf16 ? DType::bf16 : DType::f32});
}

const VariantInfo& described(Backend& backend, Narrow kind) {
  return matmul_variant(backend, kind == Narrow::bf16 ? "tensor_bf16" : "tensor_tf32");
}

Parameters tunables_of_tiling(const VariantInfo& variant, const TensorTiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  return tunables_of(variant, {{"tile_m", number(tiling.tile_m)},
                               {"tile_n", number(tiling.tile_n)},
                               {"stages", number(tiling.stages)},
                               {"depth", number(tiling.depth)},
                               {"workers", number(tiling.workers)}});
}

/// Multiples of 8, of 4 and of 2, and odd numbers: rows that begin at different places.
constexpr std::array<ProductSize, 8> more_sizes{{{3000, 3000, 3000},
                                                 {3000, 3004, 3002},
                                                 {3001, 3002, 3003},
                                                 {2999, 3001, 2999},
                                                 {2600, 2600, 2600},
                                                 {1536, 1536, 1536},
                                                 {64, 4095, 4096},
                                                 {1001, 1001, 1001}}};

std::vector<ProductSize> all_sizes() {
  std::vector<ProductSize> sizes(product_sizes.begin(), product_sizes.end());
  sizes.insert(sizes.end(), more_sizes.begin(), more_sizes.end());
  return sizes;
}

}  // namespace

TEST_CASE("every product in tf32 or bf16 gets a tiling that tensor_* takes, and the plan that it makes",
          "[cuda]") {
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    const VariantInfo& variant = described(cuda_backend(), kind);
    for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
      for (const std::uint64_t units : {1, 16, 132, 188}) {
        for (const ProductSize& size : all_sizes()) {
          const cuda::ProductDevice device{architecture, units, shared_bytes_of(architecture)};
          for (const auto& [tiling, ns] : cuda::rank_tensor_tilings(kind, device, size, tried)) {
            INFO(architecture << ", " << units << " units, " << size.m << 'x' << size.n << 'x' << size.k
                              << ": " << to_text(tiling));
            const ProblemSpec problem = tensor_problem(kind, size);
            check_taken(variant, problem, tunables_of_tiling(variant, tiling), units,
                        plan_tensor(problem, kind, size, tiling, units, kernel_folder()),
                        shared_bytes_of(architecture));
          }
        }
      }
    }
  }
}

TEST_CASE("the best tiling of mma.sync follows the size of the product and the GPU", "[cuda]") {
  const auto chosen = [](Narrow kind, std::uint64_t n, const char* architecture = "sm_90a") {
    return to_text(
        choose_tensor_tiling(kind, {architecture, 132, shared_bytes_of(architecture)}, {n, n, n}));
  };
  // As many multiprocessors as possible have something to do.
  CHECK(chosen(Narrow::bf16, 1024) == "64x128x64, 4 stages");
  CHECK(chosen(Narrow::bf16, 1200) == "96x128x64, 4 stages");
  CHECK(chosen(Narrow::bf16, 1280) == "128x128x64, 3 stages");
  CHECK(chosen(Narrow::bf16, 1536) == "96x256x64, 4 stages");
  CHECK(chosen(Narrow::bf16, 4096) == "128x256x64, 4 stages");
  CHECK(chosen(Narrow::tf32, 1024) == "128x64x32, 4 stages");
  CHECK(chosen(Narrow::tf32, 1200) == "96x128x32, 4 stages");
  CHECK(chosen(Narrow::tf32, 4096) == "128x256x32, 4 stages");
  // 2.2 tiles for each; at 3400 and 4096 tiles fill their turns.
  CHECK(chosen(Narrow::bf16, 3000) == "128x256x64, 4 stages, 1 workers");
  CHECK(chosen(Narrow::bf16, 3400) == "128x256x64, 4 stages");
  CHECK(chosen(Narrow::tf32, 3000) == "96x128x32, 4 stages");
  // C is small beside B: narrow tiles are twice as many, and more slabs are on their way in each.
  const auto of_few_rows = [](Narrow kind) {
    return to_text(
        choose_tensor_tiling(kind, {"sm_90a", 132, shared_bytes_of("sm_90a")}, {64, 4096, 4096}));
  };
  CHECK(of_few_rows(Narrow::bf16) == "64x32x64, 8 stages");
  CHECK(of_few_rows(Narrow::tf32) == "64x32x32, 8 stages");
  // Less shared memory: fewer stages.
  CHECK(chosen(Narrow::bf16, 4096, "sm_80") == "128x256x64, 3 stages");
  CHECK(chosen(Narrow::bf16, 4096, "sm_120") == "128x256x64, 2 stages");
}

TEST_CASE("tilings of mma.sync compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
      for (const ProductSize& size : more_sizes) {
        const TensorTiling tiling =
            choose_tensor_tiling(kind, {architecture, 132, shared_bytes_of(architecture)}, size);
        INFO(architecture << ", " << size.m << 'x' << size.n << 'x' << size.k << ": " << to_text(tiling));
        const KernelPlan plan =
            plan_tensor(tensor_problem(kind, size), kind, size, tiling, 132, kernel_folder());
        CHECK(backend.compile(plan, architecture, {}).resources.at("spill_bytes") == 0);
      }
    }
  }
}
