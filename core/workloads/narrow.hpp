// Numbers of 16 bits that C++20 has no type for.
#pragma once

#include <bit>
#include <cstdint>

namespace benchctl {

/// A bf16 is the upper half of a float32.
[[nodiscard]] inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

/// To the nearest bf16, ties to even; for finite numbers.
[[nodiscard]] inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t odd = (bits >> 16U) & 1U;
  return static_cast<std::uint16_t>((bits + 0x7fffU + odd) >> 16U);
}

}  // namespace benchctl
