// Points as keys, by what tells them apart, without a copy of it. Internal to this room.
#pragma once

#include "model/point.hpp"
#include "model/value_order.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>
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

/// Positions in a list of points, each kind of point once. `Kind` has `hash(point)` and `same(a, b)`.
template <class Kind>
class PointSet {
 public:
  explicit PointSet(const std::vector<Point>& points) : places_(0, Hash{&points}, Same{&points}) {}

  /// The position of the first point like the one at `place`, which may be that one.
  [[nodiscard]] std::size_t first_like(std::size_t place) {
    return *places_.insert(static_cast<std::uint32_t>(place)).first;
  }

  void reserve(std::size_t points) { places_.reserve(points); }

 private:
  struct Hash {
    const std::vector<Point>* points;
    std::size_t operator()(std::uint32_t place) const { return Kind::hash((*points)[place]); }
  };
  struct Same {
    const std::vector<Point>* points;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return Kind::same((*points)[a], (*points)[b]);
    }
  };
  std::unordered_set<std::uint32_t, Hash, Same> places_;
};

}  // namespace benchctl
