// Products whose rows do not begin at multiples of 16 bytes: what a first launch copies, and what the
// product then takes.
#include "repacked_rows.hpp"
#include "plugin_under_test.hpp"
#include "product_sizes.hpp"
#include "tensor_plan.hpp"
#include "wgmma_plan.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

using namespace benchctl;
using namespace benchctl::test;
using namespace benchctl::cuda;

namespace {

constexpr std::uint64_t h100 = 132;  // multiprocessors
constexpr std::array<Narrow, 3> kinds{Narrow::bf16, Narrow::tf32, Narrow::three_tf32};

ProblemSpec problem_of(Narrow kind, const ProductSize& size) {
  return matmul_problem({static_cast<std::int64_t>(size.m), static_cast<std::int64_t>(size.n),
                         static_cast<std::int64_t>(size.k),
                         kind == Narrow::bf16 ? DType::bf16 : DType::f32});
}

WgmmaProduct product_of(Narrow kind, const ProductSize& size) {
  return plan_best_wgmma(problem_of(kind, size), kind, size, h100, kernel_folder());
}

TensorProduct tensor_product_of(Narrow kind, const ProductSize& size, const char* architecture = "sm_90a") {
  return plan_best_tensor(problem_of(kind, size), kind, size,
                          {architecture, 132, shared_bytes_of(architecture)}, kernel_folder());
}

bool is_scratch(const PlannedArgument& argument, std::size_t index) {
  return argument.kind == PlannedArgument::Kind::scratch && argument.index == index;
}
bool is_buffer(const PlannedArgument& argument, std::size_t index) {
  return argument.kind == PlannedArgument::Kind::buffer && argument.index == index;
}

}  // namespace

TEST_CASE("rows that do not begin at multiples of 16 bytes are repacked to multiples of 128", "[cuda]") {
  CHECK(rows_to_repack(Narrow::bf16, {7, 1000, 1008}) == Repacked{false, false});
  CHECK(rows_to_repack(Narrow::bf16, {7, 1004, 1008}) == Repacked{false, true});
  CHECK(rows_to_repack(Narrow::bf16, {7, 1000, 1001}) == Repacked{true, false});
  CHECK(rows_to_repack(Narrow::tf32, {7, 1004, 1002}) == Repacked{true, false});
  CHECK(rows_to_repack(Narrow::three_tf32, {7, 1001, 1002}) == Repacked{true, true});
  const ProductSize whole = with_whole_rows(Narrow::bf16, {7, 1001, 1025}, {true, true});
  CHECK(whole.m == 7);
  CHECK(whole.n == 1024);
  CHECK(whole.k == 1088);
  const ProductSize half = with_whole_rows(Narrow::tf32, {7, 1001, 1025}, {false, true});
  CHECK(half.n == 1024);
  CHECK(half.k == 1025);
  CHECK(to_text(Repacked{true, true}) == "A and B, in a launch of its own");
  CHECK(to_text(Repacked{false, true}) == "B, in a launch of its own");
}

TEST_CASE("a product by wgmma of odd rows takes copies, and writes C where it is", "[cuda]") {
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    const std::uint64_t bytes = element_bytes(kind);
    const WgmmaProduct product = product_of(kind, {301, 1001, 63});
    REQUIRE(product.plan.launches.size() == 2);
    const PlannedLaunch& copy = product.plan.launches[0];
    CHECK(copy.entry == "repack_rows");
    CHECK(copy.defines.at("SIZE") == std::to_string(bytes));
    CHECK(copy.defines.at("A_PARTS") == "1");
    CHECK(copy.defines.at("HAS_B") == "1");
    CHECK(is_buffer(copy.arguments.at(0), 0));
    CHECK(is_buffer(copy.arguments.at(1), 1));
    CHECK(is_scratch(copy.arguments.at(2), 0));
    CHECK(is_scratch(copy.arguments.at(4), 1));
    REQUIRE(product.plan.scratch.size() == 2);
    CHECK(product.plan.scratch[0].count == 301 * 64);
    CHECK(product.plan.scratch[1].count == 63 * 1024);
    const PlannedLaunch& launch = product.plan.launches[1];
    CHECK(is_scratch(launch.arguments.at(0), 0));
    CHECK(is_scratch(launch.arguments.at(1), 1));
    CHECK(is_buffer(launch.arguments.at(2), 2));
    CHECK(launch.defines.at("C_BYTES") == std::to_string(bytes));
    // Rows of A alone: B and C are as they are.
    const WgmmaProduct a_alone = product_of(kind, {257, 264, 63});
    REQUIRE(a_alone.plan.launches.size() == 2);
    CHECK(a_alone.plan.launches[0].defines.at("HAS_B") == "0");
    CHECK(is_scratch(a_alone.plan.launches[1].arguments.at(0), 0));
    CHECK(is_buffer(a_alone.plan.launches[1].arguments.at(1), 1));
    CHECK_FALSE(a_alone.plan.launches[1].defines.contains("C_BYTES"));
    // Nothing to repack.
    CHECK(product_of(kind, {257, 264, 64}).plan.launches.size() == 1);
  }
}

TEST_CASE("A is taken apart as it is repacked", "[cuda]") {
  const WgmmaProduct large = product_of(Narrow::three_tf32, {2301, 2301, 2301});
  REQUIRE(large.tiling.apart);
  REQUIRE(large.plan.launches.size() == 2);
  CHECK(large.plan.launches[0].defines.at("A_PARTS") == "2");
  CHECK(large.plan.launches[0].defines.at("A_UNIT") == "32");
  for (const std::size_t part : {0, 1}) {
    CHECK(is_scratch(large.plan.launches[0].arguments.at(2 + part), part));
    CHECK(is_scratch(large.plan.launches[1].arguments.at(part), part));
    CHECK(large.plan.scratch.at(part).count == 2301 * 2304);
  }
  CHECK(is_scratch(large.plan.launches[1].arguments.at(2), 2));
  // Rows of A are whole: its parts have them as they are.
  const WgmmaProduct b_alone = product_of(Narrow::three_tf32, {2301, 2301, 2304});
  CHECK(b_alone.plan.launches.at(0).defines.at("A_PARTS") == "2");
  CHECK(b_alone.plan.launches.at(0).defines.at("A_UNIT") == "1");
  // Small products take A apart as they go.
  const WgmmaProduct small = product_of(Narrow::three_tf32, {501, 501, 501});
  REQUIRE_FALSE(small.tiling.apart);
  CHECK(small.plan.launches.at(0).defines.at("A_PARTS") == "1");
  CHECK(is_scratch(small.plan.launches.at(1).arguments.at(0), 2));
  CHECK(is_scratch(small.plan.launches.at(1).arguments.at(1), 2));
}

TEST_CASE("a product by mma.sync of odd rows takes copies where they pay", "[cuda]") {
  const auto repacked = [](Narrow kind, const ProductSize& size) {
    return tensor_product_of(kind, size).repacked;
  };
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const std::uint64_t n : {513, 1001, 2001, 4095}) {
      CHECK(repacked(kind, {n, n, n}) == Repacked{true, true});
    }
    CHECK(repacked(kind, {1000, 1000, 1000}) == Repacked{});
    CHECK(repacked(kind, {2048, 2047, 2048}) == Repacked{false, true});
    CHECK(repacked(kind, {2048, 2048, 2047}) == Repacked{true, false});
  }
  // C is small beside B: to copy that takes longer than to shift it on its way, or to take it one float at
  // a time.
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const std::uint64_t rows : {1, 8, 16, 32, 64}) {
      for (const std::uint64_t n : {2047, 4095, 5001}) {
        for (const ProductSize& size : {ProductSize{rows, n, n}, ProductSize{n, rows, n}}) {
          const TensorProduct of_few = tensor_product_of(kind, size);
          INFO(size.m << 'x' << size.n << 'x' << size.k << ": " << of_few.tiling);
          CHECK(of_few.repacked == Repacked{});
          const PlannedLaunch& launch = of_few.plan.launches.at(0);
          CHECK(launch.defines.at("SHIFTED") == (kind == Narrow::bf16 ? "1" : "0"));
          CHECK(launch.grid[0] * launch.grid[1] >= 90);
        }
      }
    }
  }
  CHECK(repacked(Narrow::tf32, {1, 1, 1}) == Repacked{});
  CHECK(repacked(Narrow::bf16, {1, 1, 1}) == Repacked{true, true});

  const TensorProduct product = tensor_product_of(Narrow::bf16, {1001, 1001, 1001});
  REQUIRE(product.plan.launches.size() == 2);
  CHECK(product.plan.launches[0].entry == "repack_rows");
  const PlannedLaunch& launch = product.plan.launches[1];
  CHECK(is_scratch(launch.arguments.at(0), 2));
  CHECK(is_scratch(launch.arguments.at(1), 3));
  CHECK(product.plan.scratch.at(2).count == 1001 * 1024);
  for (const char* unit : {"A_UNIT", "B_UNIT"}) CHECK(launch.defines.at(unit) == "64");
  for (const char* bytes : {"A_BYTES", "B_BYTES"}) CHECK(launch.defines.at(bytes) == "16");
  CHECK(launch.defines.at("AWAITS") == "1");
  // As many blocks as multiprocessors, and no two have room on one; where there are more, small ones do.
  CHECK(product.overlaps);
  CHECK(2 * launch.shared_bytes > shared_bytes_of("sm_90a"));
  CHECK(tensor_product_of(Narrow::bf16, {4095, 4095, 4095}).overlaps);
  const TensorProduct many = tensor_product_of(Narrow::tf32, {1201, 1201, 1201});
  CHECK(many.overlaps == (2 * many.plan.launches[1].shared_bytes > shared_bytes_of("sm_90a")));
  // As tensor_bf16 has it.
  const TensorProduct whole = tensor_product_of(Narrow::bf16, {1000, 1000, 1000});
  CHECK(whole.plan.launches.size() == 1);
  CHECK_FALSE(whole.plan.launches[0].defines.contains("AWAITS"));
}

// A copy has more columns than C. Blocks beyond C's tiles would read what is before B.
TEST_CASE("products by mma.sync have as many blocks as C has tiles, whether or not rows are copied",
          "[cuda]") {
  const auto number = [](const PlannedLaunch& launch, const char* name) {
    return std::stoull(launch.defines.at(name));
  };
  std::size_t copied = 0;
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const ProductSize& size : {ProductSize{451, 322, 3192},
                                    {272, 395, 794},
                                    {1001, 1001, 1001},
                                    {2500, 2500, 2500},
                                    {366, 628, 1183},
                                    {1000, 1000, 1000},
                                    {28, 16, 7832}}) {
      const TensorProduct product = tensor_product_of(kind, size);
      const PlannedLaunch& launch = product.plan.launches.back();
      INFO(size.m << 'x' << size.n << 'x' << size.k << ": " << product.tiling);
      const std::uint64_t tile_m = number(launch, "TILE_M");
      const std::uint64_t tile_n = number(launch, "TILE_N");
      const std::uint64_t tiles = (size.m + tile_m - 1) / tile_m * ((size.n + tile_n - 1) / tile_n);
      if (number(launch, "EVEN") == 0) CHECK(launch.grid[0] == tiles);
      CHECK(product.plan.scratch.at(1).count >= tiles);
      if (product.repacked.any()) ++copied;
    }
  }
  CHECK(copied > 4);
}

TEST_CASE("few tiles with long sums come in parts where rows are whole, too", "[cuda]") {
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    for (const ProductSize& size : {ProductSize{28, 16, 7832}, {128, 96, 7552}}) {
      const TensorProduct product = tensor_product_of(kind, size);
      INFO(size.m << 'x' << size.n << 'x' << size.k << ": " << product.tiling);
      CHECK(product.plan.launches.back().grid[1] > 1);
    }
  }
}

// The table of registers has more of them.
TEST_CASE("products of odd rows compile without spills", "[cuda]") {
  Backend& backend = compiling_backend();
  const ProductSize size{1001, 1001, 1001};
  for (const Narrow kind : kinds) {
    const CompileResult result = backend.compile(product_of(kind, size).plan, "sm_90a", {});
    CHECK(result.resources.at("spill_bytes") == 0);
  }
  for (const Narrow kind : {Narrow::bf16, Narrow::tf32}) {
    const KernelPlan plan = tensor_product_of(kind, size, "sm_80").plan;
    CHECK(backend.compile(plan, "sm_80", {}).resources.at("spill_bytes") == 0);
  }
}
