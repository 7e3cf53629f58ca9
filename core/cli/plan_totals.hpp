// How much a run of some points will be: what `plan` and `configs` print.
#pragma once

#include "model/point.hpp"

#include <cstddef>
#include <vector>

namespace benchctl::cli {

struct PlanTotals {
  std::size_t to_measure = 0;
  std::size_t ruled_out = 0;
  double least_seconds = 0;  ///< if every point reaches its target at once; without compilation
  double most_seconds = 0;   ///< if every point takes all the time that it may
};

[[nodiscard]] PlanTotals plan_totals(const std::vector<Point>& points);

}  // namespace benchctl::cli
