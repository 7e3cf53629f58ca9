// Time stamps of a queue, and the device's clock beside the host's.
#pragma once

#include <cstdint>
#include <optional>

namespace benchctl::vulkan {

/// Nanoseconds between two stamps of which the lowest `bits` count, 1 to 64; they may have begun anew in
/// between. `tick_ns` is what a tick lasts.
[[nodiscard]] inline double between_stamps(std::uint64_t start, std::uint64_t end, std::uint32_t bits,
                                           double tick_ns) {
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return static_cast<double>((end - start) & mask) * tick_ns;
}

/// Both clocks at one time.
struct ClockReading {
  std::uint64_t ticks = 0;         ///< the device's ticks
  std::uint64_t host_ns = 0;       ///< CLOCK_MONOTONIC
  std::uint64_t deviation_ns = 0;  ///< by how much the two may have been read apart
};

/// Nanoseconds that time stamps count in one of the host's. Nothing where the readings are so close that it
/// is not known to 0.1 %, or so far apart that stamps of so few bits begin anew.
[[nodiscard]] inline std::optional<double> clock_rate(const ClockReading& first, const ClockReading& second,
                                                      std::uint32_t bits, double tick_ns) {
  constexpr double known_to = 0.001;
  const auto host_ns = static_cast<double>(second.host_ns - first.host_ns);
  const auto deviation_ns = static_cast<double>(first.deviation_ns + second.deviation_ns);
  if (second.host_ns <= first.host_ns || deviation_ns > known_to * host_ns) return std::nullopt;
  const double all_ns = between_stamps(0, ~std::uint64_t{0}, bits, tick_ns);
  if (host_ns > all_ns / 2) return std::nullopt;
  return between_stamps(first.ticks, second.ticks, bits, tick_ns) / host_ns;
}

}  // namespace benchctl::vulkan
