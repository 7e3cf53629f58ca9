// How tables name points: by those parameters only in which they differ.
#pragma once

#include "model/point.hpp"

#include <map>
#include <string>
#include <utility>

namespace benchctl {

class PointWords {
 public:
  /// Call for every point of the table first.
  void add(const Point& point);

  /// Problem parameters that vary among the points of the workload; all where there is one problem only.
  [[nodiscard]] std::string problem(const Point& point) const;
  /// The variant, its tunables that vary, the layout.
  [[nodiscard]] std::string variant(const Point& point) const;
  /// `device, hot, stream`.
  [[nodiscard]] static std::string measured_as(const Point& point);

 private:
  /// A parameter's first value, and whether there is another.
  struct Occurring {
    Value first;
    bool vary = false;
  };
  using Values = std::map<std::string, Occurring>;

  static void note(const Parameters& parameters, Values& values);
  static Parameters varying(const Parameters& parameters, const Values& values);

  std::map<std::string, Values> problems_;                          ///< by workload
  std::map<std::pair<std::string, std::string>, Values> tunables_;  ///< by workload and variant
};

/// The point's label and how it was measured: no other point of a run is called so.
[[nodiscard]] std::string full_label(const Point& point);

}  // namespace benchctl
