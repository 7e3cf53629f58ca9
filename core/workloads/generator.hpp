// Counter-based random numbers: the value of an element is a pure function of (seed, stream, index), so
// that any slice can be drawn on its own, in parallel, with the same result on every platform.
//
// Source: the output function and increment of SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", OOPSLA 2014, with the constants of variant 13 of Stafford's 64-bit
// mixers). SplitMix64's n-th output depends on its start and n alone, which makes it counter-based as it
// stands. Integer arithmetic and one exact conversion only: no libm, no rounding.
//
// SplitMix64 can be run backwards: an element that shows 53 of its bits would tell all others, other
// buffers and what a check looks at. So each number is masked with a second key, and neither key tells
// the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace benchctl {

/// One sequence of a seed: buffers and every other use have streams of their own.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream);

  /// 64 random bits at a position of the sequence.
  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const {
    return mix(key_ + index * increment) ^ mask_;
  }
  /// Uniform in [-1, 1): a multiple of 2^-23, exact in float32.
  [[nodiscard]] float f32(std::uint64_t index) const {
    const auto draw = static_cast<std::int32_t>(bits(index) >> 40);
    return static_cast<float>(draw - (1 << 23)) * 0x1p-23F;
  }
  /// Uniform in [-1, 1): a multiple of 2^-52, exact in float64.
  [[nodiscard]] double f64(std::uint64_t index) const {
    const auto draw = static_cast<std::int64_t>(bits(index) >> 11);
    return static_cast<double>(draw - (std::int64_t{1} << 52)) * 0x1p-52;
  }
  /// +1 or -1.
  [[nodiscard]] double sign(std::uint64_t index) const { return (bits(index) >> 63) == 0 ? 1.0 : -1.0; }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t key_;
  std::uint64_t mask_;
};

/// The numbers [0, length) in a random order: a Feistel network, which can be computed forwards and
/// backwards. Every question takes the same short time, whatever the length.
class RandomOrder {
 public:
  /// `length` is at least 1 and below 2^62. Draws from the stream at positions below 2^35.
  RandomOrder(const RandomStream& stream, std::uint64_t length);

  /// Which number stands at a position, and the reverse. The network permutes the cells of a left × right
  /// rectangle, which has at least `length` of them. A number that lands outside the range goes on until it
  /// is inside: that keeps it a permutation.
  [[nodiscard]] std::uint64_t place(std::uint64_t position) const;
  [[nodiscard]] std::uint64_t position(std::uint64_t place) const;

 private:
  static constexpr std::uint64_t rounds = 8;

  [[nodiscard]] std::uint64_t draw(std::uint64_t round, std::uint64_t half) const {
    // Neither half exceeds 2^32, so that no two draws share a position.
    return stream_.bits(round << 32 | half);
  }

  RandomStream stream_;
  std::uint64_t length_;
  std::uint64_t left_;
  std::uint64_t right_;
};

/// A seed from 1 to 2^53 that nobody can foresee: the system's random numbers.
[[nodiscard]] std::uint64_t unknown_seed();

/// Elements [first, first + out.size()) of a stream.
void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<float> out);
void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<double> out);

/// A 32-bit word, in bytes.
inline constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);
/// Bytes [first, first + out.size()) of a stream: the 64 bits at each position of it, the lowest byte
/// first. Eight times as quick as drawing an element for each byte.
void random_bytes(const RandomStream& stream, std::uint64_t first, std::span<std::byte> out);
/// Word number `index` of what random_bytes gives, four bytes each, the lowest first.
[[nodiscard]] inline std::uint32_t random_word(const RandomStream& stream, std::uint64_t index) {
  return static_cast<std::uint32_t>(stream.bits(index / 2) >> (index % 2 * 32));
}

/// Writes a slice: the elements from `first` on, as many as fit into `out` exactly.
using SliceFill = std::function<void(std::uint64_t first, std::span<std::byte> out)>;

/// What becomes of `length` of the items, from `begin` on.
using SliceRun = std::function<void(std::size_t slice, std::size_t begin, std::size_t length)>;

/// Splits `count` items into `slices` consecutive parts, some empty where there are fewer items, and calls
/// `run` for each from up to `threads` threads (0: all that this process may use). An exception of `run` is
/// passed on once all threads have ended.
void run_slices(std::size_t count, std::size_t slices, unsigned threads, const SliceRun& run);

/// Calls `fill` for consecutive slices of `out`, which holds elements of `element_bytes` from `first` on,
/// from up to `threads` threads (0: all that this process may use). Small outputs stay on the caller. An
/// exception of `fill` is passed on once all threads have ended.
void fill_parallel(std::uint64_t first, std::span<std::byte> out, std::size_t element_bytes,
                   unsigned threads, const SliceFill& fill);

}  // namespace benchctl
