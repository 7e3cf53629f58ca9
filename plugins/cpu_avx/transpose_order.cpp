#include "transpose_order.hpp"

#include <algorithm>
#include <array>

namespace benchctl::cpu_avx {

namespace {

constexpr std::size_t line = 64;
// Sets of a first-level cache, which repeat after a page, and lines of each, on all processors to date.
constexpr std::size_t sets = 64;
constexpr std::size_t ways = 8;
// Where the system does not say.
constexpr std::size_t usual_l1 = std::size_t{32} << 10;
constexpr std::size_t usual_l2 = std::size_t{1} << 20;

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

/// Are squares of half a line, in vectors of 256 bits, better than those of a line? Of floats in the first
/// cache they are, but for these, if vectors of 512 bits are the other way: what has no side longer than a
/// line has masks; high ones of few columns have strips; flat ones are turned a line's columns at a time,
/// all but the last column, which is better where nearly all rows and columns of the last such turn are
/// there.
bool half_lines_do(const TransposeShape& shape, std::size_t l1) {
  constexpr std::size_t square = line / sizeof(float);
  constexpr std::size_t half = square / 2;
  constexpr std::size_t most = square - square / 4;
  if (!shape.half_vectors_shuffle_faster || shape.element != sizeof(float)) return false;
  if (shape.bytes > l1 || shape.rows <= half || shape.columns < half) return false;
  if (shape.columns < square) return shape.rows > square && shape.rows <= square + square / 4;
  if (shape.rows >= square) return true;
  const std::size_t last_turn = (shape.columns - 2) % square + 1;
  return shape.columns > square && (shape.rows <= most || last_turn <= most);
}

}  // namespace

TransposeOrder transpose_order(const TransposeShape& shape) {
  const std::size_t pitch_in = shape.columns * shape.element;
  const std::size_t pitch_out = shape.rows * shape.element;
  const std::size_t square = line / shape.element;
  // From the second cache neighbouring lines are best had one after the other, down the columns if there
  // are few; beyond the second long rows are worth more. In the first a single block is, of high ones.
  const std::size_t l1 = shape.l1 == 0 ? usual_l1 : shape.l1;
  const std::size_t l2 = shape.l2 == 0 ? usual_l2 : shape.l2;
  const bool from_l1 = shape.bytes <= l1;
  if (half_lines_do(shape, l1)) return TransposeOrder::few_squares;
  if (shape.stores_wait_for_lines && !from_l1) {
    return shape.bytes <= l2 ? TransposeOrder::asked : TransposeOrder::asked_wide;
  }
  const bool from_l2 = !from_l1 && shape.bytes <= l2;
  const bool few_columns = shape.columns <= 2 * square + square / 2;
  const bool far = shape.bytes > l2 + l2 / 2;
  const bool lines_out = pitch_out % line == 0;
  const bool lines = lines_out && pitch_in % line == 0;
  // Half squares have half as many rows of out open; so many rows of in stay in the first cache until the
  // other half of their lines is read.
  const bool halves = open_in_a_set(rows_of_halves, pitch_in) <= ways;
  const bool two_sets = open_in_a_set(2 * ways, pitch_out) >= ways;
  if (open_in_a_set(4 * square, pitch_out) <= ways) {
    if (two_sets && halves) return TransposeOrder::halves;
    if (from_l1 && shape.rows > shape.columns) return TransposeOrder::tall;
    if (!from_l2) return TransposeOrder::across;
    return few_columns ? TransposeOrder::pairs_down : TransposeOrder::pairs;
  }
  // A square's rows of in that keep to a set or two are fetched a part at a time, unless they are near: the
  // half or more that the second cache still has is had in no time.
  const bool crowded_in = open_in_a_set(square, pitch_in) >= ways;
  const TransposeOrder panels = halves              ? TransposeOrder::halves
                                : crowded_in && far ? TransposeOrder::wide_panels
                                                    : TransposeOrder::panels;
  if (open_in_a_set(2 * square, pitch_out) <= ways) {
    // Rows that keep to two sets are best left soon.
    if (two_sets && lines) return TransposeOrder::pairs_down;
    return two_sets && halves ? TransposeOrder::halves : TransposeOrder::pairs;
  }
  // Whole lines of out are in no hurry.
  const bool soon = halves && (!far || !lines_out);
  std::size_t down = open_in_a_set(square, pitch_out);
  if (down >= square) {  // all in one
    return down <= ways && lines_out && !soon ? TransposeOrder::tall : panels;
  }
  if (down <= ways && lines) return TransposeOrder::pairs_down;
  // Down the rows out moves on by a line. If in does, too, they keep to the same sets.
  const bool together = square * pitch_in % (sets * line) == line;
  if (together) down += open_in_a_set(square, pitch_in);
  if (down > ways) return panels;
  return soon ? TransposeOrder::halves : TransposeOrder::down;
}

}  // namespace benchctl::cpu_avx
