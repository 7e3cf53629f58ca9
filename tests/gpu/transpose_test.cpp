// transpose/swizzled: what its expressions choose for a matrix, with tiles that cover it, within the limits
// of a grid.
#include <catch2/catch_test_macros.hpp>

#include "expr/parsed.hpp"
#include "gpu/variants.hpp"
#include "support/transpose_problem.hpp"
#include "sweep/kernel_plan.hpp"

#include <string>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// Of a device with so many compute units; the definitions are numbers.
struct Configuration {
  PlannedLaunch launch;

  Configuration(std::int64_t rows, std::int64_t columns, int element, std::int64_t compute_units,
                const Parameters& tunables = {}) {
    static const VariantInfo variant = gpu::transpose_swizzled({.suffix = ".cl"});
    const ProblemSpec problem = transpose_problem(rows, columns, element == 8 ? DType::f64 : DType::f32);
    Parameters values = transpose_values(variant, problem, tunables, compute_units);
    launch = plan_kernel(variant.kernel.value(), values, problem, "kernels").launches.at(0);
    values = with_derived(*variant.kernel, values);
    for (const std::string& text : variant.require) CHECK(parsed_expression(text).holds(values));
  }
  [[nodiscard]] std::uint64_t number(const char* macro) const {
    return std::stoull(launch.defines.at(macro));
  }
  [[nodiscard]] bool is(const char* macro) const { return number(macro) == 1; }
};

std::string configuration_of(std::int64_t rows, std::int64_t columns, int element) {
  const Configuration chosen(rows, columns, element, 132);
  std::string name = chosen.is("PACKED") ? "packed" : "shifted";
  if (chosen.is("SMALL")) name = chosen.number("WIDTH") == 1 ? "direct" : "small";
  if (chosen.is("FLAT")) name = "flat";
  if (chosen.is("TALL")) name = "tall";
  return name + " " + chosen.launch.defines.at("RUN") + "x" + chosen.launch.defines.at("ACROSS") +
         " threads=" + chosen.launch.defines.at("THREADS");
}

}  // namespace

TEST_CASE("a matrix is transposed as its size, type and shape suggest") {
  CHECK(configuration_of(500, 500, 4) == "small 32x64 threads=128");
  CHECK(configuration_of(1024, 1024, 8) == "small 16x32 threads=128");
  CHECK(configuration_of(501, 501, 4) == "small 32x32 threads=256");
  CHECK(configuration_of(1023, 1025, 8) == "small 64x32 threads=256");
  CHECK(configuration_of(2048, 2048, 4) == "packed 64x64 threads=256");
  CHECK(configuration_of(2048, 2048, 8) == "packed 32x32 threads=256");
  CHECK(configuration_of(4099, 4093, 4) == "shifted 32x64 threads=256");
  CHECK(configuration_of(4099, 4093, 8) == "shifted 32x64 threads=256");
  CHECK(configuration_of(1000003, 17, 4) == "shifted 128x32 threads=256");
  CHECK(configuration_of(63, 300001, 4) == "shifted 32x64 threads=256");
  CHECK(configuration_of(24, 700001, 8) == "shifted 32x128 threads=512");
  CHECK(configuration_of(16, 1024, 8) == "small 16x32 threads=128");
}

TEST_CASE("elements of the smallest matrices are moved without a barrier") {
  CHECK(configuration_of(301, 97, 4) == "direct 16x16 threads=128");
  CHECK(configuration_of(17, 5003, 8) == "direct 16x16 threads=128");
  CHECK(configuration_of(1, 1, 4) == "direct 16x16 threads=128");
  CHECK(configuration_of(501, 3, 4) == "direct 16x16 threads=128");
  CHECK(configuration_of(300, 304, 4) == "small 32x64 threads=128");
  CHECK(configuration_of(411, 399, 4) == "small 32x32 threads=256");
}

TEST_CASE("few rows or columns of a matrix are moved in runs") {
  CHECK(configuration_of(17, 1000003, 4) == "flat 17x128 threads=128");
  CHECK(configuration_of(16, 1000000, 8) == "flat 16x128 threads=128");
  CHECK(configuration_of(18, 1000003, 8) == "flat 18x128 threads=128");
  CHECK(configuration_of(40, 300001, 4) == "flat 40x128 threads=128");
  CHECK(configuration_of(41, 20001, 4) == "flat 41x128 threads=128");
  CHECK(configuration_of(41, 10001, 4) == "small 32x32 threads=256");
  CHECK(configuration_of(4, 250004, 4) == "flat 4x128 threads=128");
  CHECK(configuration_of(5, 15001, 4) == "flat 5x128 threads=128");
  CHECK(configuration_of(33, 40001, 4) == "flat 33x128 threads=128");
  CHECK(configuration_of(33, 6005, 4) == "small 32x32 threads=256");
  CHECK(configuration_of(4, 6004, 4) == "small 32x64 threads=128");
  CHECK(configuration_of(100003, 5, 8) == "tall 128x5 threads=128");
  CHECK(configuration_of(40001, 3, 4) == "tall 128x3 threads=128");
  CHECK(configuration_of(40001, 15, 4) == "tall 128x15 threads=128");
  CHECK(configuration_of(1000000, 20, 4) == "tall 128x20 threads=128");
  CHECK(configuration_of(1000000, 16, 8) == "tall 128x16 threads=128");
  CHECK(configuration_of(250001, 15, 4) == "shifted 256x16 threads=256");
}

TEST_CASE("a tile that is asked for is taken, whatever the matrix") {
  for (const std::int64_t tile : {32, 64}) {
    const Parameters wish = {{"tile", tile}, {"items", std::int64_t{256}}, {"raster", std::int64_t{3}}};
    for (const std::int64_t edge : {4, 100, 5000}) {
      const Configuration square(edge, edge, 4, 132, wish);
      CHECK(square.number("RUN") == static_cast<std::uint64_t>(tile));
      CHECK(square.number("ACROSS") == static_cast<std::uint64_t>(tile));
      CHECK(square.number("THREADS") == 256);
      CHECK(square.number("BAND") == 3);
      CHECK(square.launch.grid[1] == 1);
    }
  }
}

TEST_CASE("a matrix has bands unless it stays in a cache or is of one tile's width") {
  const auto band_of = [](std::int64_t rows, std::int64_t columns, int element) {
    return Configuration(rows, columns, element, 132).number("BAND");
  };
  CHECK(band_of(250001, 15, 4) == 0);
  CHECK(band_of(20003, 202, 4) == 0);
  CHECK(band_of(250001, 300, 4) == 64);
  CHECK(band_of(100003, 501, 8) == 16);
  CHECK(band_of(40003, 3001, 4) == 16);
  CHECK(band_of(8003, 4001, 4) == 0);
}

TEST_CASE("tiles of a transpose cover the matrix within the limits of a grid") {
  for (const int element : {4, 8}) {
    for (const std::int64_t units : {1, 132, 1000}) {
      for (const std::uint64_t rows : {1, 4, 18, 31, 37, 64, 1003, 100000, 2000003}) {
        for (const std::uint64_t columns : {1, 4, 9, 17, 33, 1000, 4099, 3000000, 50000001}) {
          if (rows * columns * element > std::uint64_t{1} << 36U) continue;  // no device holds them
          CAPTURE(rows, columns, element, units);
          const Configuration chosen(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                                     element, units);
          const PlannedLaunch& launch = chosen.launch;
          const std::uint64_t run = chosen.number("RUN");
          const std::uint64_t across = chosen.number("ACROSS");
          CHECK(launch.grid[0] <= 2147483647);
          CHECK(launch.grid[1] <= 65535);
          CHECK((!chosen.is("TALL") || across == columns));
          CHECK((!chosen.is("FLAT") || run == rows));
          const std::uint64_t down =
              chosen.is("FLAT") ? 1 : (rows + chosen.number("BEFORE") + run - 1) / run;
          CHECK(launch.grid[0] * launch.grid[1] == down * ((columns + across - 1) / across));
          CHECK((chosen.number("BAND") == 0 || launch.grid[1] == 1));
          CHECK((chosen.number("WIDTH") > 1 || chosen.is("SMALL")));
          CHECK((!chosen.is("SMALL") || rows * columns <= static_cast<std::uint64_t>(units) * 12288));
          CHECK(launch.block[0] == chosen.number("THREADS"));
          CHECK(launch.local_bytes <= 49152);
        }
      }
    }
  }
}
