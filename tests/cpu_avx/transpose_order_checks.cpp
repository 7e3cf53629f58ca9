// In which order a transpose goes through its squares; compiled in where the plugin is built.
#include "transpose_order.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::cpu_avx;

namespace {

constexpr std::size_t l1 = std::size_t{48} << 10;
constexpr std::size_t l2 = std::size_t{1} << 20;

TransposeOrder of(std::size_t rows, std::size_t columns, std::size_t element) {
  return transpose_order({rows, columns, element, 2 * rows * columns * element, l1, l2});
}

TransposeOrder of_floats(std::size_t rows, std::size_t columns) { return of(rows, columns, 4); }

}  // namespace

TEST_CASE("rows that spread over the sets of a cache are written by what cache they come from") {
  for (const std::size_t n : {16U, 64U, 77U}) {
    CAPTURE(n);
    CHECK(of_floats(n, n) == TransposeOrder::across);
    CHECK(of_floats(n + 1, n) == TransposeOrder::tall);
  }
  for (const std::size_t n : {80U, 100U, 128U, 300U}) {
    CAPTURE(n);
    CHECK(of_floats(n, n) == TransposeOrder::pairs);
  }
  for (const std::size_t n : {384U, 500U, 640U, 1000U, 1001U}) {
    CAPTURE(n);
    CHECK(of_floats(n, n) == TransposeOrder::across);
  }
  CHECK(of(8000, 8000, 8) == TransposeOrder::across);
}

TEST_CASE("few columns from the second cache go in pairs down them") {
  for (const std::size_t columns : {17U, 31U, 33U, 40U}) {
    CAPTURE(columns);
    CHECK(of_floats(1000, columns) == TransposeOrder::pairs_down);
  }
  CHECK(of_floats(1000, 41) == TransposeOrder::pairs);
  CHECK(of_floats(20, 1000) == TransposeOrder::pairs);
  CHECK(of(1000, 20, 8) == TransposeOrder::pairs_down);
  CHECK(of(1000, 21, 8) == TransposeOrder::pairs);
  CHECK(of_floats(300, 17) == TransposeOrder::tall);
  CHECK(of_floats(17, 300) == TransposeOrder::across);
}

TEST_CASE("a thread's share counts, and caches that nobody told of have usual sizes") {
  const std::size_t bytes = std::size_t{2} * 500 * 500 * 4;
  CHECK(transpose_order({500, 500, 4, bytes, l1, l2}) == TransposeOrder::across);
  CHECK(transpose_order({500, 500, 4, bytes / 2, l1, l2}) == TransposeOrder::pairs);
  CHECK(transpose_order({100, 100, 4, 80'000, 0, 0}) == TransposeOrder::pairs);
  CHECK(transpose_order({500, 500, 4, bytes, 0, 0}) == TransposeOrder::across);
}

TEST_CASE("the nearer rows come to a page, the fewer squares are side by side") {
  CHECK(of_floats(256, 256) == TransposeOrder::pairs);
  CHECK(of_floats(768, 1000) == TransposeOrder::pairs);
  CHECK(of_floats(512, 512) == TransposeOrder::pairs_down);
  CHECK(of_floats(512, 500) == TransposeOrder::down);
  CHECK(of_floats(511, 511) == TransposeOrder::down);
  CHECK(of_floats(1536, 1000) == TransposeOrder::down);
  CHECK(of(128, 100, 8) == TransposeOrder::pairs);
  CHECK(of(256, 256, 8) == TransposeOrder::pairs_down);
}

TEST_CASE("half squares keep to few rows of out, panels do where those of in would not stay") {
  for (const std::size_t n : {513U, 1022U, 1023U, 1024U, 1025U, 2047U, 2048U, 4097U}) {
    CAPTURE(n);
    CHECK(of_floats(n, 100) == TransposeOrder::halves);
    CHECK(of_floats(n, 500) == TransposeOrder::halves);
  }
  for (const std::size_t n : {1022U, 1023U, 1024U, 1025U, 2047U, 2048U, 4097U}) {
    CAPTURE(n);
    CHECK(of_floats(n, 128) == TransposeOrder::panels);
  }
  for (const std::size_t columns : {64U, 300U, 400U, 600U, 1000U, 2000U}) {
    CAPTURE(columns);
    CHECK(of_floats(1023, columns) == TransposeOrder::halves);
  }
  CHECK(of(1023, 600, 8) == TransposeOrder::halves);
  CHECK(of(256, 101, 8) == TransposeOrder::halves);
  CHECK(of(257, 500, 8) == TransposeOrder::halves);
}

TEST_CASE("rows of whole lines go in half squares only near the second cache") {
  CHECK(of_floats(512, 300) == TransposeOrder::halves);
  CHECK(of_floats(512, 390) == TransposeOrder::down);
  CHECK(of(512, 100, 8) == TransposeOrder::halves);
  CHECK(of(512, 200, 8) == TransposeOrder::tall);
  CHECK(of(512, 512, 8) == TransposeOrder::tall);
}

TEST_CASE("panels are wide where rows of in crowd, too") {
  for (const std::size_t n : {513U, 1022U, 1023U, 1024U, 1025U, 2047U, 2048U, 4097U}) {
    CAPTURE(n);
    CHECK(of_floats(n, n) == TransposeOrder::wide_panels);
  }
  CHECK(of_floats(1024, 512) == TransposeOrder::wide_panels);
  CHECK(of_floats(1023, 256) == TransposeOrder::panels);
  CHECK(transpose_order({513, 513, 4, l2 + l2 / 2, l1, l2}) == TransposeOrder::panels);
  CHECK(transpose_order({513, 513, 4, l2 + l2 / 2 + 1, l1, l2}) == TransposeOrder::wide_panels);
  CHECK(of(1023, 1023, 8) == TransposeOrder::wide_panels);
  CHECK(of(1025, 1025, 8) == TransposeOrder::wide_panels);
}

TEST_CASE("so do rows half a page apart where in moves along with out") {
  CHECK(of_floats(513, 513) == TransposeOrder::wide_panels);
  CHECK(of_floats(513, 511) == TransposeOrder::down);
  CHECK(of_floats(513, 500) == TransposeOrder::halves);
}

TEST_CASE("floats in the first cache go in half lines where those shuffle faster") {
  const auto half_lines = [](std::size_t rows, std::size_t columns, std::size_t element = 4) {
    return transpose_order({rows, columns, element, 2 * rows * columns * element, l1, l2, true}) ==
           TransposeOrder::few_squares;
  };
  CHECK(half_lines(28, 17));
  CHECK(half_lines(16, 16));
  CHECK(half_lines(64, 96));
  CHECK_FALSE(half_lines(64, 97));  // past the first cache
  CHECK_FALSE(half_lines(28, 17, 8));
  CHECK_FALSE(half_lines(8, 40));
  CHECK(half_lines(9, 17));
  CHECK_FALSE(half_lines(9, 16));
  CHECK(half_lines(12, 32));
  CHECK_FALSE(half_lines(13, 32));  // two whole turns of 16 columns, but for the last
  CHECK(half_lines(13, 29));
  CHECK_FALSE(half_lines(13, 30));
  CHECK(half_lines(17, 8));
  CHECK(half_lines(20, 15));
  CHECK_FALSE(half_lines(21, 15));
  CHECK_FALSE(half_lines(17, 7));
  CHECK(of_floats(28, 17) != TransposeOrder::few_squares);
}

TEST_CASE("where stores wait for lines these are asked for from the second cache on") {
  const auto asking = [](std::size_t rows, std::size_t columns, std::size_t element) {
    return transpose_order({rows, columns, element, 2 * rows * columns * element, l1, l2, true, true});
  };
  CHECK(asking(64, 96, 4) == TransposeOrder::few_squares);  // in the first cache
  CHECK(asking(64, 64, 8) == TransposeOrder::asked);
  CHECK(asking(64, 97, 4) == TransposeOrder::asked);
  CHECK(asking(362, 362, 4) == TransposeOrder::asked);
  CHECK(asking(363, 363, 4) == TransposeOrder::asked_wide);
  CHECK(asking(1024, 1024, 4) == TransposeOrder::asked_wide);
  CHECK(asking(32, 32, 8) == TransposeOrder::across);
}
