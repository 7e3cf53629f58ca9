#include "transpose_order.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cpu_avx {

namespace {

constexpr std::size_t line = 64;
// Sets of a first-level cache, which repeat after a page, and lines of each, on all processors to date.
constexpr std::size_t sets = 64;
constexpr std::size_t ways = 8;

/// How many lines of a set are open at most, if so many rows have a line's worth of elements open? Rows
/// that begin anywhere lie in two lines.
std::size_t open_in_a_set(std::size_t rows, std::size_t pitch) {
  std::array<std::size_t, sets> open{};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t at = row * pitch;
    ++open[at / line % sets];
    if (at % line != 0) ++open[(at / line + 1) % sets];
  }
  return *std::ranges::max_element(open);
}

}  // namespace

TransposeOrder transpose_order(std::size_t pitch_in, std::size_t pitch_out, std::size_t element) {
  const std::size_t square = line / element;
  if (open_in_a_set(4 * square, pitch_out) <= ways) return TransposeOrder::across_four;
  if (open_in_a_set(2 * square, pitch_out) <= ways) return TransposeOrder::across_two;
  std::size_t down = open_in_a_set(square, pitch_out);
  if (down >= square) {  // all in one
    return down <= ways && pitch_out % line == 0 ? TransposeOrder::tall : TransposeOrder::panels;
  }
  // Down the rows out moves on by a line. If in does, too, they keep to the same sets.
  const bool together = square * pitch_in % (sets * line) == line;
  if (together) down += open_in_a_set(square, pitch_in);
  return down <= ways ? TransposeOrder::down : TransposeOrder::panels;
}

}  // namespace benchctl::cpu_avx
