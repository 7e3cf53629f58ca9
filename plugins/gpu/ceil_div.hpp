#pragma once

#include <cstdint>

namespace benchctl {

/// How many pieces of `b` cover `a`: a / b, rounded up. `b` is not 0.
[[nodiscard]] constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace benchctl
