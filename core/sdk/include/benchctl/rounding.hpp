// Division that rounds up, of unsigned numbers. Needs a plugin to include it; plugin.hpp does not.
#pragma once

#include <concepts>
#include <type_traits>

namespace benchctl {

/// How many pieces of `size` it takes to hold `count`. The sum of both must fit.
template <std::unsigned_integral T, std::unsigned_integral U>
[[nodiscard]] constexpr std::common_type_t<T, U> ceil_div(T count, U size) {
  return (count + size - 1) / size;
}

/// The next multiple of `size` that is not below `count`.
template <std::unsigned_integral T, std::unsigned_integral U>
[[nodiscard]] constexpr std::common_type_t<T, U> round_up(T count, U size) {
  return ceil_div(count, size) * size;
}

}  // namespace benchctl
