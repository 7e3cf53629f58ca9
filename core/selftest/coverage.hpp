// Does an interval cover the truth? Synthetic series of samples whose true median is known, the same on
// every platform.
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

struct SeriesKind {
  std::string_view name;
  double median;  ///< true median
  bool claimed;   ///< continuous and independent: intervals promise to cover the median
  /// Fills a series in the order in which samples are taken.
  void (*draw)(RandomNumbers& random, std::span<double> out);
};

[[nodiscard]] std::span<const SeriesKind> series_kinds();

}  // namespace benchctl::selftest
