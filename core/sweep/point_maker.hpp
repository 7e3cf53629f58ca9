// From the values of a combination to a point: defaults filled in, conditions and limits applied. Internal
// to this room.
#pragma once

#include "sweep/space.hpp"

#include <optional>
#include <set>
#include <string>

namespace benchctl {

class PointMaker {
 public:
  /// `index`: of the sweep in the config. All of it must outlive the object.
  PointMaker(const Config& config, std::size_t index, const Workload& workload, Reporter& warnings);

  /// The point, with Status::skipped and the reason when it cannot run. Quick for points of one problem in
  /// a row.
  [[nodiscard]] Point make(const Placement& placement, Combination combination);

 private:
  /// What all points of one problem in one layout share.
  struct Problem {
    SharedParameters given;  ///< by the axes
    std::string layout;
    SharedParameters complete;
    ProblemSpec spec;
    std::string error;  ///< why there is no such problem
  };

  const Problem& problem(const SharedParameters& given, const std::string& layout);
  [[nodiscard]] std::string obstacle(const Point& point, const Placement& placement,
                                     const Problem& problem);
  [[nodiscard]] std::string excluded_by_condition(const Point& point, const Lane* lane);
  void report(const Condition& condition, const ExpressionError& error, const Parameters& values);

  const Sweep& sweep_;
  std::size_t index_;
  const Workload& workload_;
  Reporter& warnings_;
  std::set<const Condition*> reported_;  ///< those that could not be evaluated
  std::optional<Problem> problem_;       ///< the last point's
};

}  // namespace benchctl
