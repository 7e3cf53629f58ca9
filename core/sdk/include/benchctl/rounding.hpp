// Division that rounds up, of unsigned numbers. Needs a plugin to include it; plugin.hpp does not.
#pragma once

#include <concepts>

namespace benchctl {

/// How many pieces of `size` it takes to hold `count`. The sum of both must fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T ceil_div(T count, T size) {
  return (count + size - 1) / size;
}

/// The next multiple of `size` that is not below `count`.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T round_up(T count, T size) {
  return ceil_div(count, size) * size;
}

}  // namespace benchctl
