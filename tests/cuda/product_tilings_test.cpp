// The table of tilings that register_tiled_best reads: every product gets a plan that register_tiled would
// make.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "product_tilings.hpp"
#include "tiling_checks.hpp"

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_tiling;
using benchctl::cuda::ChosenTiling;
using benchctl::cuda::plan_product;
using benchctl::cuda::ProductSize;

namespace {

Parameters tunables_of_tiling(const VariantInfo& variant, const cuda::ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  return tunables_of(variant, {{"tile_m", number(tiling.tile_m)},
                               {"tile_n", number(tiling.tile_n)},
                               {"depth", number(tiling.depth)},
                               {"thread_m", number(tiling.thread_m)},
                               {"thread_n", number(tiling.thread_n)},
                               {"stages", number(tiling.stages)},
                               {"portions", number(tiling.portions)},
                               {"along", Value{std::string(to_string(tiling.along))}},
                               {"copies", Value{std::string(to_string(tiling.copies))}},
                               {"splits", number(tiling.splits)},
                               {"slices", number(tiling.slices)},
                               {"workers", number(tiling.workers)}});
}

}  // namespace

TEST_CASE("every product gets a tiling that register_tiled takes, and the plan that it makes", "[cuda]") {
  Backend& backend = cuda_backend();
  for (const char* architecture : {"sm_80", "sm_90a", "sm_120"}) {
    for (const std::uint64_t units : {1, 16, 132, 188}) {
      for (const ProductSize& size : product_sizes) {
        const cuda::ProductDevice device{architecture, units, shared_bytes_of(architecture)};
        const ChosenTiling chosen = choose_tiling(device, size);
        CHECK(chosen.measured_on == "sm_90a");
        const auto ranked = cuda::rank_tilings(device, size, tried);
        CHECK(to_text(ranked.front().form) == to_text(chosen.tiling));
        for (const auto& [tiling, ns] : ranked) {
          INFO(architecture << ", " << units << " units, " << size.m << 'x' << size.n << 'x' << size.k
                            << ": " << to_text(tiling));
          const ProblemSpec problem = product_problem(size, DType::f32);
          const VariantInfo& variant = matmul_variant(backend, "register_tiled");
          check_taken(variant, problem, tunables_of_tiling(variant, tiling), units,
                      plan_product(problem, size, tiling, units, kernel_folder()),
                      shared_bytes_of(architecture));
        }
      }
    }
  }
}

TEST_CASE("every size gets the tiling that keeps the multiprocessors busiest", "[cuda]") {
  const auto chosen = [](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return to_text(choose_tiling({"sm_90a", 132, shared_bytes_of("sm_90a")}, {m, n, k}).tiling);
  };
  // The fastest of all that were measured at these sizes, or within a percent of it.
  CHECK(chosen(2048, 2048, 2048) == "128x256x8 in 16x8, 5 stages, 2 portions, along rows, 1 parts");
  // More tiles than multiprocessors, and no multiple.
  CHECK(chosen(4096, 4096, 4096) == chosen(2048, 2048, 2048) + ", 1 workers");
  for (const std::uint64_t n : {3000, 4000, 6000, 8192}) CHECK(chosen(n, n, n) == chosen(4096, 4096, 4096));
  CHECK(chosen(1700, 1700, 1700) == "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 1 parts");
  // Fewer tiles than three per multiprocessor, shared out among as many blocks.
  CHECK(chosen(1280, 1280, 1280) == chosen(1700, 1700, 1700) + ", 3 workers");
  for (const std::uint64_t n : {1400, 1536}) CHECK(chosen(n, n, n) == chosen(1280, 1280, 1280));
  CHECK(chosen(1000, 1000, 1000) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 1 parts, 3 slices");
  CHECK(chosen(900, 900, 900) == chosen(1000, 1000, 1000));
  CHECK(chosen(1024, 1024, 1024) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 1 parts, 2 slices");
  CHECK(chosen(704, 704, 704) == "64x64x16 in 8x4, 3 stages, 4 portions, along columns, 1 parts, 2 slices");
  CHECK(chosen(512, 512, 512) == "32x64x16 in 8x4, 4 stages, 2 portions, along rows, 1 parts, 4 slices");
  CHECK(chosen(256, 256, 256) == "16x64x16 in 4x4, 4 stages, 1 portions, along rows, 1 parts, 4 slices");
  // Nine parts of 64×64 in 8×8 would be more blocks than run at once.
  CHECK(chosen(680, 776, 980) == "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 5 parts");
  // Rows of B that begin within a pack of 16 bytes have rates of their own.
  CHECK(chosen(555, 555, 555) == "64x64x16 in 8x4, 3 stages, 4 portions, along columns, 3 parts, by words");
  CHECK(chosen(1001, 1001, 1001) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along squares_2, 1 parts, 3 slices");
  CHECK(chosen(703, 703, 703) ==
        "64x64x16 in 8x4, 3 stages, 2 portions, along rows, 1 parts, by words, 4 slices");
  CHECK(chosen(1501, 1501, 1501) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along squares_2, 1 parts, 3 workers");
  CHECK(chosen(1999, 1999, 1999) ==
        "128x128x16 in 8x8, 3 stages, 4 portions, along rows, 1 parts, by words");
  CHECK(chosen(2501, 2501, 2501) ==
        "128x256x16 in 16x8, 4 stages, 2 portions, along columns, 1 parts, 1 workers");
  CHECK(chosen(3333, 3333, 3333) == "64x128x16 in 8x8, 3 stages, 2 portions, along squares_2, 1 parts");
  // Pairs of elements where n is even.
  CHECK(chosen(1702, 1702, 1702) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along columns, 1 parts, by pairs");
  // Few tiles of few rows: words, too, are quicker than packs from the place before.
  CHECK(chosen(333, 333, 333) ==
        "16x64x16 in 4x4, 4 stages, 1 portions, along rows, 1 parts, by words, 4 slices");
  CHECK(chosen(4096, 4096, 32) == "64x128x16 in 8x8, 4 stages, 1 portions, along rows, 1 parts");
  CHECK(chosen(4096, 4097, 32) == "64x128x16 in 8x8, 4 stages, 1 portions, along squares_4, 1 parts");
  CHECK(chosen(32, 4096, 4096) == "32x128x16 in 8x4, 4 stages, 1 portions, along rows, 8 parts");
  CHECK(chosen(32, 4097, 4096).ends_with("parts"));
  // Small C, long sums: more than 16 parts, but of small tiles alone.
  CHECK(chosen(64, 64, 8192).ends_with(" 19 parts"));
  // Or slices of as many blocks as there are multiprocessors for.
  CHECK(chosen(256, 256, 16384) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 16 parts, 3 slices");
  CHECK(chosen(512, 512, 8192) == "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 4 parts, 3 slices");
  CHECK(chosen(301, 301, 10001) ==
        "64x64x16 in 8x8, 4 stages, 2 portions, along columns, 5 parts, 6 slices");
  CHECK(chosen(650, 350, 7000) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along columns, 4 parts, by pairs, 3 slices");
  // Fewer tiles than multiprocessors, shared out among all of them.
  CHECK(chosen(1900, 2048, 2048) == chosen(4096, 4096, 4096));
  // Three slices of 38 KB each do not fit the shared memory of every GPU.
  CHECK(to_text(choose_tiling({"sm_120", 132, shared_bytes_of("sm_120")}, {1000, 1000, 1000}).tiling) ==
        "64x128x16 in 8x8, 3 stages, 2 portions, along rows, 1 parts, 2 slices");
}
