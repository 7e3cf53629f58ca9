// Parameter values compared by what they mean: 1 and 1.0 are the same number.
#pragma once

#include <benchctl/types.hpp>

#include <algorithm>
#include <functional>

namespace benchctl {

[[nodiscard]] inline bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// The value of an integer or a real, 0 for anything else.
[[nodiscard]] inline double as_number(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

/// Numbers by size, other values by type and then by their own order.
struct ValueOrder {
  bool operator()(const Value& a, const Value& b) const {
    if (is_number(a) && is_number(b)) return as_number(a) < as_number(b);
    return a < b;
  }
};

/// The same names with values that are equal in the sense of ValueOrder.
[[nodiscard]] inline bool equal(const Parameters& a, const Parameters& b) {
  const ValueOrder less;
  return std::ranges::equal(a, b, [&](const auto& x, const auto& y) {
    return x.first == y.first && !less(x.second, y.second) && !less(y.second, x.second);
  });
}

/// Adds to a hash.
[[nodiscard]] inline std::size_t mixed(std::size_t hash, std::size_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15U ^ (hash >> 29U);
}

/// The same for parameters that are equal().
[[nodiscard]] inline std::size_t hash_of(const Parameters& parameters) {
  std::size_t hash = parameters.size();
  for (const auto& [name, value] : parameters) {
    hash =
        mixed(hash, is_number(value) ? std::hash<double>{}(as_number(value)) : std::hash<Value>{}(value));
  }
  return hash;
}

}  // namespace benchctl
