// Numbers of 16 bits, for which C++20 has no types: binary16 of IEEE 754, and bfloat16, the upper half of a
// binary32.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace benchctl {

/// A sign, `exponent_bits` and a fraction in 16 bits, laid out as IEEE 754 lays out its formats.
template <int exponent_bits>
struct Float16 {
  std::uint16_t bits = 0;  ///< the sign is the highest

  Float16() = default;
  /// The nearest number, ties to even; infinite beyond the largest.
  explicit Float16(double value) : bits(nearest(value)) {}
  /// The same number.
  explicit operator double() const {
    const std::uint64_t magnitude = bits & 0x7fffU;
    double value = 0;
    if (magnitude < smallest_normal) {
      value = static_cast<double>(magnitude) * step;
    } else if (magnitude < infinite) {
      value = std::bit_cast<double>((magnitude << shift) + (rebias << 52U));
    } else {
      value = magnitude == infinite ? std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::quiet_NaN();
    }
    return std::copysign(value, bits == magnitude ? 1.0 : -1.0);
  }

 private:
  static constexpr unsigned fraction_bits = 15 - exponent_bits;
  static constexpr unsigned shift = 52 - fraction_bits;  // between the fractions of a double and of this
  static constexpr std::uint64_t rebias = 1023 - ((1U << (exponent_bits - 1U)) - 1);
  static constexpr std::uint64_t smallest_normal = 1U << fraction_bits;
  static constexpr std::uint64_t infinite = ((1U << exponent_bits) - 1U) << fraction_bits;
  /// Between two numbers that are not normal.
  static constexpr double step = std::bit_cast<double>((rebias + 1 - fraction_bits) << 52U);

  static std::uint16_t nearest(double value) {
    const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinite | smallest_normal / 2);
    if (magnitude < static_cast<double>(smallest_normal) * step)
      return static_cast<std::uint16_t>(sign |
                                        static_cast<std::uint64_t>(std::nearbyint(magnitude / step)));
    std::uint64_t wide = std::bit_cast<std::uint64_t>(magnitude) - (rebias << 52U);
    wide += (std::uint64_t{1} << (shift - 1)) - 1 + ((wide >> shift) & 1U);
    return static_cast<std::uint16_t>(sign | std::min(wide >> shift, infinite));
  }
};

using Half = Float16<5>;      ///< f16
using BFloat16 = Float16<8>;  ///< bf16

}  // namespace benchctl
