// What swizzled_best chooses: every matrix a way whose tiles cover it, within the limits of a grid.
#include <catch2/catch_test_macros.hpp>

#include "gpu/transpose_ways.hpp"
#include "support/transpose_problem.hpp"

#include <string>

using namespace benchctl;
using namespace benchctl::test;
using benchctl::gpu::choose_transpose;
using benchctl::gpu::plan_transpose;
using benchctl::gpu::TransposeSize;
using benchctl::gpu::TransposeWay;

namespace {

ProblemSpec problem_of(const TransposeSize& size) {
  return transpose_problem(static_cast<std::int64_t>(size.rows), static_cast<std::int64_t>(size.columns),
                           size.element == 8 ? DType::f64 : DType::f32);
}

PlannedLaunch launch_of(const TransposeSize& size, std::uint32_t compute_units = 132) {
  return plan_transpose(problem_of(size), size, choose_transpose(size, compute_units), "swizzled.cl",
                        "ITEMS")
      .launches.at(0);
}

std::string way_of(std::uint64_t rows, std::uint64_t columns, std::uint32_t element) {
  return to_text(choose_transpose({rows, columns, element}, 132));
}

}  // namespace

TEST_CASE("a matrix is transposed in the way of its size, type and form") {
  CHECK(way_of(500, 500, 4) == "small 32x64 threads=128");
  CHECK(way_of(1024, 1024, 8) == "small 16x32 threads=128");
  CHECK(way_of(501, 501, 4) == "small 32x32 threads=256");
  CHECK(way_of(1023, 1025, 8) == "small 64x32 threads=256");
  CHECK(way_of(2048, 2048, 4) == "packed 64x64 threads=256");
  CHECK(way_of(2048, 2048, 8) == "packed 32x32 threads=256");
  CHECK(way_of(4099, 4093, 4) == "shifted 32x64 threads=256");
  CHECK(way_of(4099, 4093, 8) == "shifted 32x64 threads=256");
  CHECK(way_of(1000003, 17, 4) == "shifted 128x32 threads=256");
  CHECK(way_of(63, 300001, 4) == "shifted 32x64 threads=256");
  CHECK(way_of(24, 700001, 8) == "shifted 32x128 threads=512");
  CHECK(way_of(16, 1024, 8) == "small 16x32 threads=128");
}

TEST_CASE("elements of the smallest matrices are moved without a barrier") {
  CHECK(way_of(301, 97, 4) == "direct 16x16 threads=128");
  CHECK(way_of(17, 5003, 8) == "direct 16x16 threads=128");
  CHECK(way_of(1, 1, 4) == "direct 16x16 threads=128");
  CHECK(way_of(501, 3, 4) == "direct 16x16 threads=128");
  CHECK(way_of(300, 304, 4) == "small 32x64 threads=128");
  CHECK(way_of(411, 399, 4) == "small 32x32 threads=256");
}

TEST_CASE("few rows or columns of a matrix are moved in runs") {
  CHECK(way_of(17, 1000003, 4) == "flat 17x128 threads=128");
  CHECK(way_of(16, 1000000, 8) == "flat 16x128 threads=128");
  CHECK(way_of(18, 1000003, 8) == "flat 18x128 threads=128");
  CHECK(way_of(40, 300001, 4) == "flat 40x128 threads=128");
  CHECK(way_of(41, 20001, 4) == "flat 41x128 threads=128");
  CHECK(way_of(41, 10001, 4) == "small 32x32 threads=256");
  CHECK(way_of(4, 250004, 4) == "flat 4x128 threads=128");
  CHECK(way_of(5, 15001, 4) == "flat 5x128 threads=128");
  CHECK(way_of(33, 40001, 4) == "flat 33x128 threads=128");
  CHECK(way_of(33, 6005, 4) == "small 32x32 threads=256");
  CHECK(way_of(4, 6004, 4) == "small 32x64 threads=128");
  CHECK(way_of(100003, 5, 8) == "tall 128x5 threads=128");
  CHECK(way_of(40001, 3, 4) == "tall 128x3 threads=128");
  CHECK(way_of(40001, 15, 4) == "tall 128x15 threads=128");
  CHECK(way_of(1000000, 20, 4) == "tall 128x20 threads=128");
  CHECK(way_of(1000000, 16, 8) == "tall 128x16 threads=128");
  CHECK(way_of(250001, 15, 4) == "shifted 256x16 threads=256");
}

TEST_CASE("a matrix has bands unless it stays in a cache or is of one tile's width") {
  CHECK(choose_transpose({250001, 15, 4}, 132).band == 0);
  CHECK(choose_transpose({20003, 202, 4}, 132).band == 0);
  CHECK(choose_transpose({250001, 300, 4}, 132).band == 64);
  CHECK(choose_transpose({100003, 501, 8}, 132).band == 16);
  CHECK(choose_transpose({40003, 3001, 4}, 132).band == 16);
  CHECK(choose_transpose({8003, 4001, 4}, 132).band == 0);
}

TEST_CASE("tiles of a transpose cover the matrix within the limits of a grid") {
  for (const std::uint32_t element : {4U, 8U}) {
    for (const std::uint32_t units : {1U, 132U, 1000U}) {
      for (const std::uint64_t rows : {1, 4, 18, 31, 37, 64, 1003, 100000, 2000003}) {
        for (const std::uint64_t columns : {1, 4, 9, 17, 33, 1000, 4099, 3000000, 50000001}) {
          if (rows * columns * element > std::uint64_t{1} << 36U) continue;  // no device holds them
          CAPTURE(rows, columns, element, units);
          const TransposeSize size{rows, columns, element};
          const TransposeWay way = choose_transpose(size, units);
          const PlannedLaunch launch = launch_of(size, units);
          CHECK(launch.grid[0] <= 2147483647);
          CHECK(launch.grid[1] <= 65535);
          const std::uint64_t tiles = launch.grid[0] * launch.grid[1];
          CHECK((!way.tall || way.across == columns));
          const std::uint64_t down = way.flat ? 1 : (rows + way.before + way.run - 1) / way.run;
          CHECK(tiles == down * ((columns + way.across - 1) / way.across));
          CHECK((way.band == 0 || launch.grid[1] == 1));
          CHECK((!way.flat || way.run == rows));
          CHECK((!way.direct || way.small));
          CHECK((!way.small || rows * columns <= std::uint64_t{units} * 12288));
          CHECK(launch.local_bytes <= 49152);
        }
      }
    }
  }
}
