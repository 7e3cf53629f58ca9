#include "workloads/peak_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/built_in.hpp"

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

}  // namespace

PeakFamily family_of(PeakProbe probe) {
  using enum PeakFamily;
  // In the order of the probes.
  constexpr std::array families{fma,   fma,  mma,   mma,  mma,    sums,  sums,
                                write, copy, triad, sums, shared, launch};
  return families.at(static_cast<std::size_t>(probe));
}

DType real_type(PeakProbe probe) {
  return probe == PeakProbe::fma_f64 || probe == PeakProbe::mma_f64 ? DType::f64 : DType::f32;
}

PeakShape peak_shape(const Parameters& parameters) {
  const auto probe = enum_of<PeakProbe>(parameters, "probe");
  const std::string_view name = to_string(probe);
  const auto found = parameters.find("bytes");
  const auto* bytes = found == parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const std::uint64_t size = size_of(real_type(probe));
  if (bytes == nullptr || *bytes < 1 || static_cast<std::uint64_t>(*bytes) % size != 0) {
    throw ProblemError(fmt::format("parameter 'bytes' must be a positive multiple of {}", size));
  }
  PeakShape shape{probe, static_cast<std::uint64_t>(*bytes), static_cast<std::uint64_t>(*bytes) / size,
                  integer_of(parameters, "rounds")};
  constexpr std::uint64_t most = 0x7fffffff;
  if (shape.n > most || shape.sums() > most) {
    throw ProblemError("kernels count elements in 32 bits: 'bytes' or 'rounds' is too large");
  }
  const PeakFamily family = family_of(probe);
  if (family == PeakFamily::mma && shape.rounds > mma_most_rounds) {
    throw ProblemError(fmt::format("probe '{}' stays exact for {} rounds at most", name, mma_most_rounds));
  }
  if (family >= PeakFamily::write && shape.rounds != 1)
    throw ProblemError(fmt::format("probe '{}' has one round", name));
  if (probe == PeakProbe::launch && shape.n != 1) throw ProblemError("probe 'launch' has 4 bytes");
  return shape;
}

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

std::uint64_t words_read(const PeakShape& shape) {
  if (shape.probe != PeakProbe::dram_read_apart) return shape.n;
  return shape.n / (2 * apart_words) * apart_words + std::min(shape.n % (2 * apart_words), apart_words);
}

void draw_mma_numbers(const RandomStream& stream, bool is_a, DType type, std::uint64_t first,
                      std::span<std::byte> out) {
  with_real_type(type, [&]<class T>(std::type_identity<T>) {
    const std::span numbers(reinterpret_cast<T*>(out.data()), out.size() / sizeof(T));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = static_cast<T>(is_a ? mma_a(stream, first + i) : mma_b(stream, first + i));
    }
  });
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
