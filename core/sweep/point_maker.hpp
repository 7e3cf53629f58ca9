// From the values of a combination to a point: defaults filled in, conditions and limits applied. Internal
// to this room.
#pragma once

#include "sweep/candidates.hpp"
#include "sweep/conditions.hpp"

#include <optional>
#include <string>

namespace benchctl {

class PointMaker {
 public:
  /// `index`: of the sweep in the config. All of it must outlive the object.
  PointMaker(const Config& config, std::size_t index, const Workload& workload, Reporter& warnings);

  /// The point, with Status::skipped and the reason when it cannot run. Quick for points of one problem in
  /// a row.
  [[nodiscard]] Point make(const Choice& choice, Combination combination);

 private:
  /// What all points of one problem and layout share; made anew when the problem changes.
  struct Problem {
    SharedParameters complete;
    std::string error;                  // why there is no such problem
    std::optional<std::string> layout;  // that `spec` and `layout_error` are for
    ProblemSpec spec;
    std::string layout_error;
  };

  void complete(const SharedParameters& given);
  void specify(const std::string& layout);
  [[nodiscard]] std::string obstacle(const Point& point, const Choice& choice);
  const Parameters& expression_values(const Point& point, const Choice& choice);

  const Sweep& sweep_;
  std::size_t index_;
  const Workload& workload_;
  Reporter& warnings_;
  Conditions conditions_;
  std::optional<SharedParameters> current_;  // the values that `problem_` was made from
  Problem problem_;
  Parameters values_;                  // what expressions of the point made last may name …
  const Choice* values_of_ = nullptr;  // … and its choice
  bool values_are_old_ = false;        // they are of another problem or layout
};

}  // namespace benchctl
