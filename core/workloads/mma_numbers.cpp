#include "workloads/mma_numbers.hpp"

namespace benchctl {

namespace {

/// Largest numbers in the first two A and in B. The third A then stays within ±255, what eight binary
/// digits hold, and D within 2 · 16 · 127 · 255 and 255 for every three rounds: below 2^24, so exact, for
/// this many rounds.
constexpr std::int64_t mma_largest_a = 127;
constexpr std::int64_t mma_largest_b = 255;

/// A whole number from -largest to largest.
std::int64_t whole_number(const RandomStream& stream, std::uint64_t index, std::int64_t largest) {
  const auto values = static_cast<std::uint64_t>(2 * largest + 1);
  return static_cast<std::int64_t>(stream.bits(index) % values) - largest;
}

/// Element `index` of the matrices A, 64 × 48 row by row: side by side the first, the second, and what is
/// missing from their sum to the matrix that has its 1 of row r in column r mod 16.
std::int64_t mma_a(const RandomStream& stream, std::uint64_t index) {
  constexpr std::uint64_t width = mma_slabs * mma_depth;
  const std::uint64_t row = index / width;
  const std::uint64_t column = index % width;
  if (column < 2 * mma_depth) return whole_number(stream, index, mma_largest_a);
  const std::uint64_t k = column % mma_depth;
  return (k == row % mma_depth ? 1 : 0) - whole_number(stream, row * width + k, mma_largest_a) -
         whole_number(stream, row * width + mma_depth + k, mma_largest_a);
}

std::int64_t mma_b(const RandomStream& stream, std::uint64_t index) {
  return whole_number(stream, index, mma_largest_b);
}

/// The elements of A, or of B, from number `first` on.
template <class Real>
void whole_numbers(const RandomStream& stream, bool is_a, std::uint64_t first, std::span<std::byte> out) {
  const std::span numbers(reinterpret_cast<Real*>(out.data()), out.size() / sizeof(Real));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<Real>(is_a ? mma_a(stream, first + i) : mma_b(stream, first + i));
  }
}

}  // namespace

void draw_mma_numbers(const RandomStream& stream, bool is_a, DType type, std::uint64_t first,
                      std::span<std::byte> out) {
  if (type == DType::f64) {
    whole_numbers<double>(stream, is_a, first, out);
  } else {
    whole_numbers<float>(stream, is_a, first, out);
  }
}

std::vector<double> mma_sums(const RandomStream& a, const RandomStream& b, std::uint64_t rounds) {
  std::vector<double> sums(mma_tile);
  for (std::uint64_t i = 0; i < mma_tile; ++i) {
    const std::uint64_t row = i / mma_columns;
    const std::uint64_t column = i % mma_columns;
    std::int64_t sum = 0;
    for (std::uint64_t slab = 0; slab < mma_slabs; ++slab) {
      std::int64_t product = 0;
      for (std::uint64_t k = 0; k < mma_depth; ++k) {
        product += mma_a(a, (row * mma_slabs + slab) * mma_depth + k) * mma_b(b, k * mma_columns + column);
      }
      sum += product * static_cast<std::int64_t>((rounds + mma_slabs - 1 - slab) / mma_slabs);
    }
    sums[i] = static_cast<double>(sum);
  }
  return sums;
}

}  // namespace benchctl
