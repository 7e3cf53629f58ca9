// Time stamps of a queue.
#pragma once

#include <cstdint>

namespace benchctl::vulkan {

/// Nanoseconds between two stamps of which the lowest `bits` count, 1 to 64; they may have begun anew in
/// between. `tick_ns` is what a tick lasts.
[[nodiscard]] inline double between_stamps(std::uint64_t start, std::uint64_t end, std::uint32_t bits,
                                           double tick_ns) {
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return static_cast<double>((end - start) & mask) * tick_ns;
}

}  // namespace benchctl::vulkan
