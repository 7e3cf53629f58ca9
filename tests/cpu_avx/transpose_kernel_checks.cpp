// Transpose kernels on awkward shapes: every pair of sides up to 40, in every order, dense and as a part of
// a larger matrix, from odd places on; nothing beside the part is written. Compiled in where the plugin is
// built.
#include <cstddef>

#include "kernels/transpose_kernels.hpp"
#include "support/catch.hpp"

using namespace benchctl::cpu_avx;

namespace {

constexpr std::size_t most = 40;
constexpr std::size_t around = 80;  // elements before and behind out that nobody may touch

/// The first place where out is not what it should be; empty: none.
template <class T>
std::string wrong(const TransposePart<T>& shape, bool wide, std::size_t offset) {
  const auto number = [](std::size_t i) { return static_cast<T>(i + 1); };
  const std::size_t count = shape.rows * shape.columns;
  std::vector<T> in(count + offset);
  for (std::size_t i = 0; i < count; ++i) in[i + offset] = number(i);
  std::vector<T> out(count + 2 * around + offset, T{-1});
  TransposePart<T> part = shape;
  part.in = in.data() + offset;
  part.out = out.data() + around + offset;
  wide ? transpose_avx512(part, false) : transpose_avx2(part, false);
  std::vector<T> expected(out.size(), T{-1});
  for (std::size_t r = part.row_begin; r < part.row_end; ++r) {
    for (std::size_t c = part.column_begin; c < part.column_end; ++c) {
      expected[around + offset + c * part.rows + r] = number(r * part.columns + c);
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] != expected[i]) {
      return std::to_string(part.row_end - part.row_begin) + " x " +
             std::to_string(part.column_end - part.column_begin) + " of " + std::to_string(part.rows) +
             " x " + std::to_string(part.columns) + ", order " +
             std::to_string(static_cast<int>(part.order)) + ", offset " + std::to_string(offset) +
             ", element " + std::to_string(i);
    }
  }
  return {};
}

template <class T>
std::string wrong_anywhere(bool wide) {
  for (const TransposeOrder order :
       {TransposeOrder::across, TransposeOrder::tall, TransposeOrder::halves, TransposeOrder::few_squares,
        TransposeOrder::asked, TransposeOrder::asked_wide}) {
    for (std::size_t rows = 1; rows <= most; ++rows) {
      for (std::size_t columns = 1; columns <= most; ++columns) {
        // Squares of half a line are chosen for sides of half a line and more.
        if (order == TransposeOrder::few_squares && (rows < 8 || columns < 8)) continue;
        const std::size_t offset = (rows + columns) % 3;
        TransposePart<T> shape{nullptr, nullptr, rows, columns, 0, rows, 0, columns, order};
        if (std::string where = wrong(shape, wide, offset); !where.empty()) return where;
        shape.rows += 5;  // rows further apart than they are long
        shape.columns += 3;
        shape.row_begin += 2;
        shape.row_end += 2;
        shape.column_begin += 1;
        shape.column_end += 1;
        if (std::string where = wrong(shape, wide, offset); !where.empty()) return where;
      }
    }
  }
  return {};
}

}  // namespace

TEST_CASE("AVX2 transposes are right for all sides up to 40") {
  if (__builtin_cpu_supports("avx2") == 0) SKIP("no AVX2");
  CHECK(wrong_anywhere<float>(false) == "");
  CHECK(wrong_anywhere<double>(false) == "");
}

TEST_CASE("AVX-512 transposes are right for all sides up to 40") {
  if (__builtin_cpu_supports("avx512f") == 0) SKIP("no AVX-512");
  CHECK(wrong_anywhere<float>(true) == "");
  CHECK(wrong_anywhere<double>(true) == "");
}
