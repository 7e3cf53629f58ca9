// In which order a transpose goes through its squares; compiled in where the plugin is built.
#include "transpose_order.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl::cpu_avx;

namespace {

TransposeOrder of_floats(std::size_t rows, std::size_t columns) {
  return transpose_order(columns * 4, rows * 4, 4);
}

}  // namespace

TEST_CASE("rows that spread over the sets of a cache are written four squares wide") {
  for (const std::size_t n : {100U, 128U, 300U, 384U, 500U, 640U, 1000U, 1001U}) {
    CAPTURE(n);
    CHECK(of_floats(n, n) == TransposeOrder::across_four);
  }
  CHECK(transpose_order(8000, 8000, 8) == TransposeOrder::across_four);
}

TEST_CASE("the nearer rows come to a page, the fewer squares are side by side") {
  CHECK(of_floats(256, 256) == TransposeOrder::across_two);
  CHECK(of_floats(768, 100) == TransposeOrder::across_two);
  CHECK(of_floats(512, 512) == TransposeOrder::down);
  CHECK(of_floats(511, 511) == TransposeOrder::down);
  CHECK(of_floats(1536, 7) == TransposeOrder::down);
  CHECK(transpose_order(800, 2048, 8) == TransposeOrder::across_two);
}

TEST_CASE("rows about a page apart go by way of panels") {
  for (const std::size_t n : {1022U, 1023U, 1024U, 1025U, 2047U, 2048U, 4097U}) {
    CAPTURE(n);
    CHECK(of_floats(n, 100) == TransposeOrder::panels);
  }
  CHECK(transpose_order(8200, 8200, 8) == TransposeOrder::panels);
  CHECK(transpose_order(8184, 8184, 8) == TransposeOrder::panels);
  CHECK(transpose_order(4096, 4096, 8) == TransposeOrder::tall);
}

TEST_CASE("so do rows half a page apart where in moves along with out") {
  CHECK(of_floats(513, 513) == TransposeOrder::panels);
  CHECK(of_floats(513, 511) == TransposeOrder::down);
  CHECK(of_floats(513, 500) == TransposeOrder::down);
}
