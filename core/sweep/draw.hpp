// Drawing points of a space evenly, none twice. Internal to this room.
#pragma once

#include "sweep/strategy.hpp"

#include <random>
#include <set>

namespace benchctl {

class PointDraw {
 public:
  PointDraw(const SearchSpace& space, std::uint64_t seed);

  /// A possible point that was neither drawn nor taken before, or nothing when there is none left: first
  /// those that the space names, then any. In a
  /// space of up to 2^16 points that is certain; in a larger one, it means that of many points drawn in a
  /// row every one was impossible or known.
  [[nodiscard]] std::optional<Coordinates> draw();
  /// Marks a point as taken; false if it was already.
  bool take(const Coordinates& point) { return taken_.insert(point).second; }
  [[nodiscard]] bool is_taken(const Coordinates& point) const { return taken_.contains(point); }

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  [[nodiscard]] Coordinates any();
  void list_all();

  const SearchSpace& space_;
  std::mt19937_64 random_;
  std::set<Coordinates> taken_;
  std::size_t named_ = 0;  ///< how many of the points that the space names were looked at
  bool small_;
  std::vector<Coordinates> remaining_;  ///< a small space's points, shuffled; the next one at the end
};

}  // namespace benchctl
