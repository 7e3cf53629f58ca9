// What an experiment asks: `[experiment] question = "tile"`, or what its points vary.
#pragma once

#include "model/point.hpp"

#include <optional>
#include <span>
#include <string>

namespace benchctl {

/// The value of a tunable, a problem parameter, `layout`, `cache` or `launch`; nothing where the point has
/// none.
[[nodiscard]] std::optional<Value> value_on(const Point& point, const std::string& axis);

/// A point as far as the question goes.
struct AskedPoint {
  const Point* point = nullptr;
  bool vendor = false;
};

/// The axis that points of one workload are asked about: `wanted`, if one of them has it. Else the one
/// tunable (or `layout`) of which a variant has several values on one problem and device. Empty if no axis
/// or several have: then the question is which variant is fastest.
[[nodiscard]] std::string question_axis(std::span<const AskedPoint> points, const std::string& wanted);

/// Is the point one of those that the question names? A vendor library is a yardstick, never asked about.
[[nodiscard]] inline bool is_asked(const AskedPoint& asked, const std::string& axis) {
  return !axis.empty() && !asked.vendor && value_on(*asked.point, axis).has_value();
}

}  // namespace benchctl
