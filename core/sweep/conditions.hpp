// The `where` of a sweep. Internal to this room.
#pragma once

#include "config/config.hpp"
#include "model/point.hpp"

#include <string>
#include <vector>

namespace benchctl {

class Conditions {
 public:
  explicit Conditions(const Sweep& sweep);

  /// Which condition excludes the point, with the values that it mentions, or an empty text. A condition
  /// applies when the point has all its names: problem parameters, tunables, `layout`, `cache`,
  /// `launch`, `basis`, `backend`, `variant` and, on a lane, `device_type`. One that cannot be evaluated
  /// excludes the point and is reported, once. Called for complete points.
  [[nodiscard]] std::string excludes(const Point& point, const Lane* lane, Reporter& warnings);

 private:
  struct Entry {
    const Condition* condition;
    bool reported = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace benchctl
