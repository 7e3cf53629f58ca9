// Synthetic series of samples whose true median is known, the same on every platform.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string_view>

namespace benchctl::selftest {

/// Uniform and normal numbers from a seed.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}
  /// In (0, 1).
  double uniform();
  /// Standard normal, by Box and Muller's transform.
  double normal();

 private:
  std::mt19937_64 random_;
};

/// What an interval is asked for on a kind of series.
enum class Claim : std::uint8_t {
  exact,     ///< continuous and independent: coverage from 93 to 97 %
  at_least,  ///< quantised or bimodal: coverage of 93 % or more
  by_rule,   ///< dependent: 93 % or more of the intervals that are claimed, when the stop rule has decided
  none,      ///< assumptions fail: what comes out is shown
};

struct SeriesKind {
  std::string_view name;
  double median;  ///< true median
  Claim claim;
  /// Fills a series in the order in which samples are taken.
  void (*draw)(RandomNumbers& random, std::span<double> out);
};

[[nodiscard]] std::span<const SeriesKind> series_kinds();

}  // namespace benchctl::selftest
