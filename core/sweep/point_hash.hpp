// Points as keys, by what tells them apart, without a copy of it. Internal to this room.
#pragma once

#include "model/point.hpp"
#include "model/value_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace benchctl {

[[nodiscard]] inline std::size_t mixed(std::size_t hash, std::size_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15U ^ (hash >> 29U);
}

/// Equal for values that are equal in the sense of ValueOrder.
[[nodiscard]] inline std::size_t hash_of(const Value& value) {
  if (is_number(value)) return std::hash<double>{}(as_number(value));
  return std::hash<Value>{}(value);
}

[[nodiscard]] inline std::size_t hash_of(const Parameters& parameters) {
  std::size_t hash = parameters.size();
  for (const auto& [name, value] : parameters) hash = mixed(hash, hash_of(value));
  return hash;
}

[[nodiscard]] inline bool equal(const Parameters& a, const Parameters& b) {
  const ValueOrder less;
  return std::ranges::equal(a, b, [&](const auto& x, const auto& y) {
    return x.first == y.first && !less(x.second, y.second) && !less(y.second, x.second);
  });
}

/// Positions in a list of points, each kind of point once. `Kind` has `hash(point)` and `same(a, b)`. An
/// open table that keeps the hashes: to look at points again, which lie far apart, would take most of the
/// time.
template <class Kind>
class PointSet {
 public:
  explicit PointSet(const std::vector<Point>& points) : points_(points) {}

  /// The position of the first point like the one at `place`, which may be that one.
  [[nodiscard]] std::size_t first_like(std::size_t place) {
    reserve(count_ + 1);
    const auto hash = static_cast<std::uint32_t>(Kind::hash(points_[place]));
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.place == none) {
        slot = {hash, static_cast<std::uint32_t>(place)};
        ++count_;
        return place;
      }
      if (slot.hash == hash && Kind::same(points_[slot.place], points_[place])) return slot.place;
    }
  }

  void reserve(std::size_t points) {
    if (2 * points <= slots_.size()) return;
    std::vector<Slot> slots(std::bit_ceil(2 * points + 16));
    for (const Slot& slot : slots_) {
      if (slot.place == none) continue;
      std::size_t i = slot.hash & (slots.size() - 1);
      while (slots[i].place != none) i = (i + 1) & (slots.size() - 1);
      slots[i] = slot;
    }
    slots_ = std::move(slots);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = none;
  };
  const std::vector<Point>& points_;
  std::vector<Slot> slots_;  // a power of two of them, half or more of them free
  std::size_t count_ = 0;
};

}  // namespace benchctl
