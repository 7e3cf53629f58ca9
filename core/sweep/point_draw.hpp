// What strategies share: chance that is the same on every platform, and points that are drawn evenly.
// Internal to this room.
#pragma once

#include "sweep/strategy.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace benchctl {

/// The library's own distributions differ between platforms.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15U + 1) {}

  /// An integer from 0 to `bound` - 1, evenly; `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound);
  /// A number from 0 to below 1, evenly.
  double share() { return static_cast<double>(below(std::uint64_t{1} << 53)) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

/// Draws points of a space evenly, none twice.
class PointDraw {
 public:
  PointDraw(const SearchSpace& space, std::uint64_t seed);

  /// A possible point that was neither drawn nor taken before: first those that the space names, then any.
  /// Nothing if none is left. In a small space that is certain; in a larger one, it means that many points
  /// drawn in a row were all impossible or known.
  [[nodiscard]] std::optional<Coordinates> draw();
  void take(const Coordinates& point) { taken_.insert(point); }
  /// Takes a point if it is possible and was not taken before.
  [[nodiscard]] bool take_new(const Coordinates& point);
  [[nodiscard]] bool is_taken(const Coordinates& point) const { return taken_.contains(point); }
  [[nodiscard]] Dice& dice() { return dice_; }

 private:
  static constexpr double small_space = 65536;
  /// With less than one possible point in so many, a space is better given by narrower axes.
  static constexpr int most_draws = 100'000;

  void list_all();
  [[nodiscard]] Coordinates any();

  const SearchSpace& space_;
  Dice dice_;
  std::set<Coordinates> taken_;
  std::size_t named_ = 0;  ///< how many of the points that the space names were looked at
  bool small_;
  std::vector<Coordinates> remaining_;  ///< a small space's points, shuffled; the next one at the end
};

[[nodiscard]] std::unique_ptr<Strategy> make_genetic(const SearchSpace& space, std::uint64_t seed);
[[nodiscard]] std::unique_ptr<Strategy> make_annealing(const SearchSpace& space, std::uint64_t seed);

}  // namespace benchctl
