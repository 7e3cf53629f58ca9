// The random cycle that a pointer chase follows.
#pragma once

#include <cstdint>

#include "workloads/generator.hpp"

namespace benchctl {

/// The numbers [0, length) in a random order that is one cycle. Every question takes the same short time,
/// whatever the length.
class RandomCycle {
 public:
  /// `length` is at least 1 and below 2^31.
  RandomCycle(std::uint64_t seed, std::uint64_t length);

  /// Which number stands at a position of the cycle, and the reverse.
  [[nodiscard]] std::uint64_t place(std::uint64_t position) const;
  [[nodiscard]] std::uint64_t position(std::uint64_t place) const;
  /// The number that is `steps` after `place`.
  [[nodiscard]] std::uint64_t after(std::uint64_t place, std::uint64_t steps) const {
    return this->place((position(place) + steps) % length_);
  }

 private:
  static constexpr std::uint64_t rounds = 8;

  [[nodiscard]] std::uint64_t draw(std::uint64_t round, std::uint64_t half) const {
    // Neither half exceeds 2^16, so that no two draws share a position.
    return stream_.bits(round << 32 | half);
  }

  RandomStream stream_;
  std::uint64_t length_;
  std::uint64_t left_;
  std::uint64_t right_;
};

}  // namespace benchctl
