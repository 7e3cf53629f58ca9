// An order of parameter values by what they mean: 1 and 1.0 are the same number.
#pragma once

#include <benchctl/types.hpp>

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

}  // namespace benchctl
