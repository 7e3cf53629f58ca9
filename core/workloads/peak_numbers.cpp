#include "workloads/peak_numbers.hpp"

#include "workloads/bits.hpp"
#include "workloads/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace benchctl {

namespace {

/// Words in a piece that dram_read_apart reads, or leaves out.
constexpr std::uint64_t apart_words = 16;
/// Odd, so that a thread comes by every piece of the tile.
constexpr std::uint64_t piece_step = 33;

/// Whether word number `index` of the buffer is read.
bool is_read(PeakProbe probe, std::uint64_t index) {
  return probe != PeakProbe::dram_read_apart || index / apart_words % 2 == 0;
}

/// Sum of the words [first, first + count) of a stream.
std::uint32_t sum_of(const RandomStream& stream, std::uint64_t first, std::uint64_t count) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = first; i < first + count; ++i) sum += random_word(stream, i);
  return sum;
}

template <class Real>
std::vector<double> ends_of_chains(const RandomStream& stream, DType type, std::uint64_t rounds) {
  std::vector<double> ends(fma_chains);
  for (std::uint64_t i = 0; i < fma_chains; ++i) {
    auto x = static_cast<Real>(draw(stream, ValueKind::uniform, type, i));
    for (std::uint64_t round = 0; round < rounds; ++round) {
      x = std::fma(x, static_cast<Real>(fma_scale), static_cast<Real>(fma_shift));
    }
    ends[i] = x;
  }
  return ends;
}

}  // namespace

std::vector<double> fma_ends(const RandomStream& stream, DType type, std::uint64_t rounds) {
  return type == DType::f64 ? ends_of_chains<double>(stream, type, rounds)
                            : ends_of_chains<float>(stream, type, rounds);
}

std::vector<std::uint64_t> segment_sums(const RandomStream& stream, const PeakShape& shape) {
  std::vector<std::uint64_t> sums(shape.segments());
  for (std::uint64_t segment = 0; segment < sums.size(); ++segment) {
    const std::uint64_t first = segment * segment_words;
    const std::uint64_t end = std::min(first + segment_words, shape.n);
    std::uint32_t sum = 0;
    for (std::uint64_t i = first; i < end; ++i) {
      if (is_read(shape.probe, i)) sum += random_word(stream, i);
    }
    sums[segment] = sum;
  }
  return sums;
}

std::vector<std::uint64_t> piece_sums(const RandomStream& stream, std::uint64_t rounds) {
  std::array<std::uint32_t, shared_tile_pieces> pieces{};
  std::uint32_t whole = 0;
  for (std::uint64_t i = 0; i < shared_tile_pieces; ++i) {
    pieces[i] = sum_of(stream, i * shared_piece_words, shared_piece_words);
    whole += pieces[i];
  }
  std::vector<std::uint64_t> sums(shared_tile_pieces);
  for (std::uint64_t i = 0; i < shared_tile_pieces; ++i) {
    std::uint32_t sum = static_cast<std::uint32_t>(rounds / shared_tile_pieces) * whole;
    for (std::uint64_t round = 0; round < rounds % shared_tile_pieces; ++round) {
      sum += pieces[(i + round * piece_step) % shared_tile_pieces];
    }
    sums[i] = sum;
  }
  return sums;
}

std::uint64_t words_read_apart(std::uint64_t n) {
  return n / (2 * apart_words) * apart_words + std::min(n % (2 * apart_words), apart_words);
}

}  // namespace benchctl
