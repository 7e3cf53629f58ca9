// What wgmma_*_best choose: every product gets a plan that wgmma_* would make.
#include <catch2/catch_test_macros.hpp>

#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tiling_checks.hpp"
#include "wgmma_tilings.hpp"

#include <array>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::cuda::choose_wgmma_tiling;
using benchctl::cuda::Narrow;
using benchctl::cuda::plan_wgmma;
using benchctl::cuda::ProductSize;
using benchctl::cuda::WgmmaTiling;

namespace {

struct Kind {
  Narrow kind;
  const char* variant;
};
constexpr std::array<Kind, 3> wgmma_kinds{
    {{Narrow::bf16, "wgmma_bf16"}, {Narrow::tf32, "wgmma_tf32"}, {Narrow::three_tf32, "wgmma_3xtf32"}}};

Parameters tunables_of_tiling(const VariantInfo& variant, Narrow kind, const WgmmaTiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  Parameters given{{"tile_m", number(tiling.tile_m)},
                   {"tile_n", number(tiling.tile_n)},
                   {"stages", number(tiling.stages)},
                   {"splits", number(tiling.splits)},
                   {"band", number(tiling.band)}};
  if (kind != Narrow::three_tf32) {
    given["share"] = number(tiling.share);
    given["across"] = number(tiling.across);
    given["late"] = number(tiling.late);
  }
  if (kind == Narrow::three_tf32) given["apart"] = number(tiling.apart ? 1 : 0);
  return tunables_of(variant, given);
}

void check_tiling(Backend& backend, const Kind& kind, const ProductSize& size, std::uint64_t units,
                  const WgmmaTiling& tiling) {
  INFO(kind.variant << ", " << units << " units, " << size.m << 'x' << size.n << 'x' << size.k << ": "
                    << to_text(tiling));
  CHECK(tiling.stages >= 2);
  const VariantInfo& variant = matmul_variant(backend, kind.variant);
  const ProblemSpec problem =
      matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                      static_cast<std::int64_t>(size.k), variant.dtypes.front()});
  check_taken(variant, problem, tunables_of_tiling(variant, kind.kind, tiling), units,
              plan_wgmma(problem, kind.kind, size, tiling, units, kernel_folder()), 227 * 1024);
}

void check_product(Backend& backend, const Kind& kind, const ProductSize& size, std::uint64_t units) {
  const auto ranked = cuda::rank_wgmma_tilings(kind.kind, units, size, true, tried);
  CHECK(to_text(ranked.front().form) == to_text(choose_wgmma_tiling(kind.kind, units, size)));
  for (const auto& [tiling, ns] : ranked) check_tiling(backend, kind, size, units, tiling);
}

}  // namespace

TEST_CASE("every product by wgmma gets a tiling that its kernel takes, and the plan that it makes",
          "[cuda]") {
  Backend& backend = cuda_backend();
  for (const Kind& kind : wgmma_kinds) {
    for (const std::uint64_t units : {1, 16, 114, 132}) {
      for (const ProductSize& size : wgmma_sizes) check_product(backend, kind, size, units);
    }
  }
}

TEST_CASE("a product by wgmma gets the tiles that keep the multiprocessors of an H100 and an H200 busiest",
          "[cuda]") {
  const auto chosen = [](Narrow kind, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return to_text(choose_wgmma_tiling(kind, 132, {m, n, k}));
  };
  const auto bf16 = [&](std::uint64_t n) { return chosen(Narrow::bf16, n, n, n); };
  const auto tf32 = [&](std::uint64_t n) { return chosen(Narrow::tf32, n, n, n); };
  // Of all that were measured at these sizes the fastest, or within 2 % of it.
  CHECK(bf16(768) == "80x64, 8 stages, B shared by 2, A shared by 4");
  CHECK(bf16(1000) == "88x128, 7 stages, B shared by 4");
  CHECK(bf16(1024) == "128x64, 8 stages, B shared by 2");
  CHECK(bf16(1072) == "96x128, 7 stages, B shared by 4");
  CHECK(bf16(1096) == "96x128, 7 stages, B shared by 4");
  CHECK(bf16(1112) == "96x128, 7 stages, B shared by 4");
  CHECK(bf16(1128) == "96x128, 7 stages, B shared by 4");
  CHECK(bf16(1160) == "104x128, 7 stages, B shared by 4, A shared by 2");
  CHECK(bf16(1264) == "112x128, 6 stages, B shared by 4");
  CHECK(bf16(1280) == "112x128, 6 stages");
  CHECK(bf16(1400) == "144x128, 6 stages, B shared by 2, A shared by 4");
  CHECK(bf16(1480) == "152x128, 5 stages, B shared by 2, A shared by 4");
  CHECK(bf16(1536) == "144x128, 6 stages");
  CHECK(bf16(1792) == "208x128, 4 stages");
  CHECK(bf16(2048) == "256x128, 4 stages");
  CHECK(bf16(2200) == "200x192, 4 stages, A shared by 2");
  // Tiles of two pieces of 64 columns per warpgroup.
  CHECK(bf16(2920) == "136x256, 4 stages, B shared by 2");
  CHECK(bf16(3000) == "144x256, 4 stages, B shared by 2, 48 rows late");
  CHECK(bf16(5000) == "160x256, 4 stages, B shared by 2, 32 rows late");
  CHECK(bf16(6000) == "160x256, 4 stages, B shared by 2, 32 rows late");
  CHECK(chosen(Narrow::bf16, 128, 4096, 4096) == "128x64, 8 stages, 2 parts");
  // Blocks that have several tiles write C while they multiply the next one.
  CHECK(bf16(4096) == "256x128, 4 stages, 128 rows late");
  CHECK(bf16(8192) == "144x256, 4 stages, A shared by 2, 48 rows late");
  CHECK(chosen(Narrow::bf16, 256, 256, 8192) == "128x64, 8 stages, 8 parts");
  // Few rows with long sums, whether or not tiles fit them.
  CHECK(chosen(Narrow::tf32, 203, 568, 5704) == "128x64, 8 stages, 4 parts");
  CHECK(chosen(Narrow::bf16, 162, 240, 4224) == "64x64, 8 stages, 8 parts");
  CHECK(tf32(512) == "64x64, 8 stages, 2 parts");
  CHECK(tf32(1280) == "112x128, 6 stages");
  CHECK(tf32(2048) == "256x128, 4 stages");
  CHECK(tf32(3000) == "192x128, 4 stages, A shared by 2");
  CHECK(tf32(4096) == "256x128, 4 stages, A shared by 2, 64 rows late");
  CHECK(tf32(8192) == "224x128, 4 stages, A shared by 2");
}

TEST_CASE("blocks that go on to other tiles and fetch for each other go through C in high bands",
          "[cuda]") {
  const auto band = [](Narrow kind, std::uint64_t n) {
    return choose_wgmma_tiling(kind, 132, {n, n, n}).band;
  };
  CHECK(band(Narrow::bf16, 1024) == 2);
  CHECK(band(Narrow::bf16, 4096) == 2);
  CHECK(band(Narrow::bf16, 5000) == 8);
  CHECK(band(Narrow::tf32, 8192) == 8);
}

TEST_CASE("wide tiles are for rows that begin anywhere, too, which are written at once", "[cuda]") {
  CHECK(to_text(choose_wgmma_tiling(Narrow::bf16, 132, {3001, 3008, 3008}, false)) ==
        "144x256, 4 stages, B shared by 2");
}
