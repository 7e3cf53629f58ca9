#include "sweep/point_draw.hpp"

#include <utility>

namespace benchctl {

std::uint64_t Dice::below(std::uint64_t bound) {
  const std::uint64_t reject = (0 - bound) % bound;  // 2^64 mod bound: what would favour small numbers
  for (;;) {
    const std::uint64_t bits = random_();
    if (bits >= reject) return bits % bound;
  }
}

PointDraw::PointDraw(const SearchSpace& space, std::uint64_t seed)
    : space_(space), dice_(seed), small_(space.size() <= small_space) {
  if (small_) list_all();
}

std::optional<Coordinates> PointDraw::draw() {
  if (space_.arms.empty()) return std::nullopt;
  while (named_ < space_.first.size()) {
    const Coordinates& point = space_.first[named_++];
    if (take_new(point)) return point;
  }
  for (int i = 0; small_ ? !remaining_.empty() : i < most_draws; ++i) {
    const Coordinates point = any();
    if (take_new(point)) return point;
  }
  return std::nullopt;
}

bool PointDraw::take_new(const Coordinates& point) {
  return !is_taken(point) && space_.possible(point) && taken_.insert(point).second;
}

void PointDraw::list_all() {
  for (std::uint32_t arm = 0; arm < space_.arms.size(); ++arm) {
    const auto& lengths = space_.arms[arm];
    Coordinates point{arm, std::vector<std::uint32_t>(lengths.size(), 0)};
    do {
      remaining_.push_back(point);
    } while (next_places(point.places, lengths));
  }
  for (std::size_t i = remaining_.size(); i > 1; --i)
    std::swap(remaining_[i - 1], remaining_[dice_.below(i)]);
}

Coordinates PointDraw::any() {
  Coordinates point;
  if (small_) {
    point = std::move(remaining_.back());
    remaining_.pop_back();
    return point;
  }
  // An arm in proportion to its size, which may be beyond every integer.
  double at = dice_.share() * space_.size();
  while (point.arm + 1 < space_.arms.size() && at >= space_.size(point.arm)) at -= space_.size(point.arm++);
  for (const std::uint32_t length : space_.arms[point.arm])
    point.places.push_back(static_cast<std::uint32_t>(dice_.below(length)));
  return point;
}

}  // namespace benchctl
