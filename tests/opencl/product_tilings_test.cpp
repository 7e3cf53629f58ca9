// The choice of a tiling by register_tiled_best: every product gets a plan that register_tiled or
// register_tiled_async would make.
#include "fixture.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "cuda/plan_checks.hpp"
#include "expr/parsed.hpp"
#include "product_tilings.hpp"
#include "sweep/kernel_plan.hpp"

#include <array>
#include <utility>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::opencl::choose_tiling;
using benchctl::opencl::plan_product;
using benchctl::opencl::ProductSize;
using benchctl::opencl::ProductTiling;

namespace {

constexpr std::array<ProductSize, 34> sizes{
    {{1, 1, 1},          {100, 100, 100},    {256, 256, 256},    {512, 512, 512},    {640, 640, 640},
     {703, 703, 703},    {777, 777, 777},    {1000, 1000, 1000}, {1024, 1024, 1024}, {1402, 1402, 1402},
     {2048, 2048, 2048}, {4001, 3999, 4003}, {32, 4096, 4096},   {4096, 1, 4096},    {4096, 4096, 32},
     {4096, 64, 4096},   {128, 128, 65536},  {256, 256, 16384},  {301, 303, 10001},  {100000, 70, 9},
     {1280, 1280, 1280}, {3143, 245, 1407},  {2585, 1750, 272},  {3000, 64, 7000},   {16, 4096, 4096},
     {7, 1934, 122},     {571, 104, 155},    {3627, 555, 339},   {2877, 153, 4550},  {1634, 1267, 2239},
     {653, 233, 189},    {157, 3200, 543},   {110, 1617, 128},   {130, 3466, 156}}};

Parameters tunables_of(const ProductTiling& tiling) {
  const auto number = [](std::uint32_t value) { return Value{std::int64_t{value}}; };
  Parameters tunables{
      {"tile_m", number(tiling.tile_m)},     {"tile_n", number(tiling.tile_n)},
      {"depth", number(tiling.depth)},       {"thread_m", number(tiling.thread_m)},
      {"thread_n", number(tiling.thread_n)}, {"splits", number(tiling.splits)},
      {"slices", number(tiling.slices)},     {"along", Value{std::string(to_string(tiling.along))}}};
  if (tiling.async) {
    tunables["stages"] = number(tiling.stages);
    tunables["portions"] = number(tiling.portions);
    tunables["workers"] = number(tiling.workers);
    tunables["copies"] = Value{std::string(to_string(tiling.copies))};
  }
  return tunables;
}

/// A variant takes the tiling, and makes the same plan of it. `most_bytes`: of local memory, what is asked
/// of a group's, or what every GPU has.
void check_plan(const ProductTiling& tiling, const ProductSize& size, std::uint64_t units,
                std::uint64_t most_bytes) {
  const VariantInfo* variant = matmul_variant(tiling.async ? "register_tiled_async" : "register_tiled");
  REQUIRE(variant != nullptr);
  const ProblemSpec problem =
      matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                   static_cast<std::int64_t>(size.k)},
                  DType::f32);
  Parameters values = problem.parameters;
  values.merge(complete_tunables(*variant, tunables_of(tiling)));
  values["dtype"] = std::string("f32");
  values["compute_units"] = static_cast<std::int64_t>(units);
  for (const std::string& text : variant->require) CHECK(parsed_expression(text).holds(values));
  for (const TunableInfo& tunable : variant->tunables) {
    for (const std::string& text : tunable.require) CHECK(parsed_expression(text).holds(values));
  }
  const KernelPlan plan = plan_product(problem, size, tiling, units, opencl_kernels());
  check_equal(plan, plan_kernel(variant->kernel.value(), values, problem, opencl_kernels()), most_bytes);
}

}  // namespace

TEST_CASE("every product gets a tiling that a variant takes, and the plan that it makes") {
  for (const auto& [cp_async, local_kilobytes] :
       {std::pair{false, 48}, {true, 48}, {true, 99}, {true, 227}}) {
    for (const std::uint64_t units : {1, 16, 132, 188}) {
      for (const ProductSize& size : sizes) {
        const std::uint64_t local_bytes = std::uint64_t{1024} * local_kilobytes;
        const opencl::ProductDevice device{cp_async, units, local_bytes, "sm_90"};
        const auto ranked = rank_tilings(device, size, 4);
        CHECK(to_text(ranked.front().form) == to_text(choose_tiling(device, size).tiling));
        for (const auto& [tiling, ns] : ranked) {
          INFO(units << " units, " << size.m << 'x' << size.n << 'x' << size.k << ": " << to_text(tiling));
          CHECK((cp_async || !tiling.async));
          check_plan(tiling, size, units, cp_async ? local_bytes : 32 * 1024);
        }
      }
    }
  }
}

TEST_CASE("tiles have no more rows than few rows need") {
  const auto rows = [](const ProductSize& size) {
    return choose_tiling({true, 132, 232'448, "sm_90"}, size).tiling.tile_m;
  };
  for (const ProductSize& size : {ProductSize{16, 4096, 4096}, {7, 1934, 122}, {13, 5000, 700}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK(rows(size) == 16);
  }
  for (const ProductSize& size : {ProductSize{32, 4096, 4096}, {24, 2001, 8000}}) CHECK(rows(size) == 32);
}

TEST_CASE("where each compute unit gets one tile, several slices of a group share it") {
  constexpr std::uint64_t local_bytes = 227 * 1024;
  const auto slices = [&](bool cp_async, const ProductSize& size) {
    return choose_tiling({cp_async, 132, local_bytes, "sm_90"}, size).tiling.slices;
  };
  for (const std::uint64_t n : {512, 703, 1024}) {
    INFO(n);
    CHECK(slices(true, {n, n, n}) > 1);
  }
  CHECK(slices(true, {4096, 4096, 4096}) == 1);
  CHECK(slices(true, {512, 512, 8}) == 1);
  CHECK(slices(false, {1024, 1024, 1024}) == 1);
}

TEST_CASE("few tiles with long sums come in slices of several groups") {
  constexpr std::uint64_t local_bytes = 227 * 1024;
  for (const ProductSize& size : {ProductSize{128, 128, 65'536}, {256, 256, 16'384}, {301, 303, 10'001}}) {
    const ProductTiling tiling = choose_tiling({true, 132, local_bytes, "sm_90"}, size).tiling;
    INFO(to_text(tiling));
    CHECK(tiling.slices > 1);
    CHECK(tiling.splits > 1);
    const std::uint64_t tiles =
        (size.m + tiling.tile_m - 1) / tiling.tile_m * ((size.n + tiling.tile_n - 1) / tiling.tile_n);
    CHECK(tiles * tiling.splits <= 132);
    CHECK(tiles * tiling.splits > 66);
  }
  CHECK(choose_tiling({true, 132, local_bytes, "sm_90"}, {1024, 1024, 1024}).tiling.splits == 1);
}

TEST_CASE("where tiles are no multiple of the groups that run at once, these share them out evenly") {
  constexpr std::uint64_t local_bytes = 227 * 1024;
  const auto workers = [&](bool cp_async, const ProductSize& size) {
    return choose_tiling({cp_async, 132, local_bytes, "sm_90"}, size).tiling.workers;
  };
  for (const std::uint64_t n : {2501, 3000, 4096}) {
    INFO(n);
    CHECK(workers(true, {n, n, n}) > 0);
  }
  CHECK(workers(true, {1024, 1024, 1024}) == 0);
  CHECK(workers(true, {4096, 4096, 32}) == 0);
  CHECK(workers(false, {4096, 4096, 4096}) == 0);
}

// What a launch has then, the kernel's EVEN among it, is compared with the variant's above.
TEST_CASE("fewer tiles than groups that run at once come in any number of parts of k") {
  constexpr std::uint64_t local_bytes = 227 * 1024;
  for (const ProductSize& size :
       {ProductSize{1280, 1280, 1280}, {1050, 1050, 1050}, {3143, 245, 1407}, {439, 2498, 2387}}) {
    const ProductTiling tiling = choose_tiling({true, 132, local_bytes, "sm_90"}, size).tiling;
    INFO(size.m << 'x' << size.n << 'x' << size.k << ": " << to_text(tiling));
    CHECK(tiling.workers == 3);
    const std::uint64_t tiles =
        (size.m + tiling.tile_m - 1) / tiling.tile_m * ((size.n + tiling.tile_n - 1) / tiling.tile_n);
    CHECK(tiles < 396);
    CHECK(4 * tiles >= 396);
    const ProblemSpec problem =
        matmul_spec({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                     static_cast<std::int64_t>(size.k)},
                    DType::f32);
    const KernelPlan plan = plan_product(problem, size, tiling, 132, opencl_kernels());
    CHECK(plan.launches.front().grid[0] == 396);
    CHECK(plan.launches.front().defines.at("EVEN") == "3");
    // Sums of two parts for each group, and a counter for each tile.
    CHECK(plan.scratch.front().count * 8 == 396 * 2 * tiling.tile_m * tiling.tile_n * sizeof(float));
    CHECK(plan.scratch.back().count >= tiles);
  }
}

TEST_CASE("large tiles are for sums that are long enough") {
  const auto tile = [](const ProductSize& size) {
    const ProductTiling tiling = choose_tiling({true, 132, 232'448, "sm_90"}, size).tiling;
    return tiling.tile_m * tiling.tile_n;
  };
  CHECK(tile({4096, 4096, 4096}) == 32'768);
  CHECK(tile({2048, 2048, 2048}) == 32'768);
  for (const ProductSize& size : {ProductSize{2585, 1750, 272}, {3000, 3000, 260}}) {
    INFO(size.m << 'x' << size.n << 'x' << size.k);
    CHECK(tile(size) == 8192);
  }
}
