// In which order a transpose goes through its squares; compiled in where the plugin is built.
#include "support/catch.hpp"
#include "transpose_order.hpp"

using namespace benchctl::cpu_avx;

namespace {

constexpr std::size_t l1 = std::size_t{48} << 10;
constexpr std::size_t l2 = std::size_t{1} << 20;

TransposeOrder of(std::size_t rows, std::size_t columns, std::size_t element) {
  return transpose_order({rows, columns, element, 2 * rows * columns * element, l1, l2});
}

}  // namespace

TEST_CASE("orders at the borders of caches, pages and lines") {
  using enum TransposeOrder;
  struct Case {
    std::size_t rows, columns, element;
    TransposeOrder order;
  };
  // By what cache rows come from; few columns from the second cache; rows near a page; half squares, panels
  // and wide panels where rows of in or out share few sets.
  const std::vector<Case> cases{
      {16, 16, 4, across},          {77, 77, 4, across},          {78, 77, 4, tall},
      {80, 80, 4, pairs},           {300, 300, 4, pairs},         {384, 384, 4, across},
      {1001, 1001, 4, across},      {8000, 8000, 8, across},      {1000, 17, 4, pairs_down},
      {1000, 40, 4, pairs_down},    {1000, 41, 4, pairs},         {20, 1000, 4, pairs},
      {1000, 20, 8, pairs_down},    {1000, 21, 8, pairs},         {300, 17, 4, tall},
      {17, 300, 4, across},         {256, 256, 4, pairs},         {768, 1000, 4, pairs},
      {512, 512, 4, pairs_down},    {512, 500, 4, down},          {511, 511, 4, down},
      {1536, 1000, 4, down},        {128, 100, 8, pairs},         {256, 256, 8, pairs_down},
      {513, 100, 4, halves},        {4097, 500, 4, halves},       {1022, 128, 4, panels},
      {4097, 128, 4, panels},       {1023, 64, 4, halves},        {1023, 2000, 4, halves},
      {1023, 600, 8, halves},       {256, 101, 8, halves},        {257, 500, 8, halves},
      {512, 300, 4, halves},        {512, 390, 4, down},          {512, 100, 8, halves},
      {512, 200, 8, tall},          {512, 512, 8, tall},          {513, 513, 4, wide_panels},
      {4097, 4097, 4, wide_panels}, {1024, 512, 4, wide_panels},  {1023, 256, 4, panels},
      {1023, 1023, 8, wide_panels}, {1025, 1025, 8, wide_panels}, {513, 511, 4, down},
      {513, 500, 4, halves}};
  for (const Case& one : cases) {
    CAPTURE(one.rows, one.columns, one.element);
    CHECK(of(one.rows, one.columns, one.element) == one.order);
  }
}

TEST_CASE("a thread's share counts, and caches that nobody told of have usual sizes") {
  const std::size_t bytes = std::size_t{2} * 500 * 500 * 4;
  CHECK(transpose_order({500, 500, 4, bytes, l1, l2}) == TransposeOrder::across);
  CHECK(transpose_order({500, 500, 4, bytes / 2, l1, l2}) == TransposeOrder::pairs);
  CHECK(transpose_order({100, 100, 4, 80'000, 0, 0}) == TransposeOrder::pairs);
  CHECK(transpose_order({500, 500, 4, bytes, 0, 0}) == TransposeOrder::across);
  CHECK(transpose_order({513, 513, 4, l2 + l2 / 2, l1, l2}) == TransposeOrder::panels);
  CHECK(transpose_order({513, 513, 4, l2 + l2 / 2 + 1, l1, l2}) == TransposeOrder::wide_panels);
}

TEST_CASE("floats in the first cache go in half lines where those shuffle faster") {
  const auto half_lines = [](std::size_t rows, std::size_t columns, std::size_t element) {
    return transpose_order({rows, columns, element, 2 * rows * columns * element, l1, l2, true}) ==
           TransposeOrder::few_squares;
  };
  struct Case {
    std::size_t rows, columns, element;
    bool faster;
  };
  // Up to 64 x 96 in the first cache; 13 x 32 are two whole turns of 16 columns, but for the last.
  const std::vector<Case> cases{
      {28, 17, 4, true},  {16, 16, 4, true},  {64, 96, 4, true},  {64, 97, 4, false},
      {28, 17, 8, false}, {8, 40, 4, false},  {9, 17, 4, true},   {9, 16, 4, false},
      {12, 32, 4, true},  {13, 32, 4, false}, {13, 29, 4, true},  {13, 30, 4, false},
      {17, 8, 4, true},   {20, 15, 4, true},  {21, 15, 4, false}, {17, 7, 4, false}};
  for (const Case& one : cases) {
    CAPTURE(one.rows, one.columns, one.element);
    CHECK(half_lines(one.rows, one.columns, one.element) == one.faster);
  }
  CHECK(of(28, 17, 4) != TransposeOrder::few_squares);
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
