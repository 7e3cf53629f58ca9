// Counter-based random numbers: the value of an element is a pure function of (seed, stream, index), so
// that any slice can be drawn on its own, in parallel, with the same result on every platform.
//
// Source: the output function and increment of SplitMix64 (Steele, Lea, Flood: "Fast splittable
// pseudorandom number generators", OOPSLA 2014, with the constants of variant 13 of Stafford's 64-bit
// mixers). SplitMix64's n-th output depends on its start and n alone, which makes it counter-based as it
// stands. Integer arithmetic and one exact conversion only: no libm, no rounding.
//
// SplitMix64 can be run backwards: an element that shows 53 of its bits would tell all others, other
// buffers and what the judge looks at. So each number is masked with a second key, and neither key tells
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

/// A seed from 1 to 2^53 that nobody can foresee: the system's random numbers.
[[nodiscard]] std::uint64_t unknown_seed();

/// Elements [first, first + out.size()) of a stream.
void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<float> out);
void fill_uniform(const RandomStream& stream, std::uint64_t first, std::span<double> out);

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
