#include "sweep/plan_totals.hpp"

#include <algorithm>

namespace benchctl {

PlanTotals plan_totals(const std::vector<Point>& points) {
  PlanTotals totals;
  for (const Point& point : points) {
    if (point.status != Status::not_run) {
      ++totals.ruled_out;
      continue;
    }
    ++totals.to_measure;
    totals.least_seconds += std::min(point.measure.max_seconds, fast_point_seconds);
    totals.most_seconds += point.measure.max_seconds;
  }
  return totals;
}

}  // namespace benchctl
