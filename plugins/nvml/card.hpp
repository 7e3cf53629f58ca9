// One card, and what NVML tells of it.
#pragma once

#include "library.hpp"

#include <memory>
#include <optional>

namespace benchctl::nvml {

/// A figure, or the reason why there is none.
struct Reading {
  std::optional<double> value;
  std::string reason;
};

class Card {
 public:
  /// `address`: `0000:65:00.0`. Null if NVML knows no card there. Throws LibraryError for other errors.
  [[nodiscard]] static std::unique_ptr<Card> at(std::shared_ptr<const Library> library,
                                                const std::string& address);

  [[nodiscard]] Reading clock_mhz(Clock clock) const;
  /// Now, not averaged over a second: such an average says more of what ran before.
  [[nodiscard]] Reading power_w() const;
  [[nodiscard]] Reading temperature_c() const;
  /// The bits of nvml::reason.
  [[nodiscard]] Reading clock_reasons() const;
  /// The energy counter, since the driver was loaded.
  [[nodiscard]] Reading energy_j() const;
  /// Is it divided among several users (MIG)? Then its power is not that of one.
  [[nodiscard]] bool is_divided() const { return divided_; }

 private:
  Card(std::shared_ptr<const Library> library, Device device);

  [[nodiscard]] Reading instant_power_w() const;

  template <class Raw, class Function, class... Arguments>
  [[nodiscard]] Reading ask(const char* what, Function function, double factor,
                            Arguments... arguments) const;

  std::shared_ptr<const Library> library_;
  Device device_;
  bool divided_ = false;
};

/// "hardware, because of heat; power brake": what slowed a card down, of nvml::reason's bits that are not
/// the plain power limit.
[[nodiscard]] std::string slowdown_text(unsigned long long bits);

/// Bits that mean that times are not those of a healthy device.
constexpr unsigned long long slowdown_bits =
    reason::slowdown | reason::driver_thermal | reason::hardware_thermal | reason::power_brake;

}  // namespace benchctl::nvml
