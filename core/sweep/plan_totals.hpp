// How much a run of some points will be: what `plan`, `configs` and shards go by.
#pragma once

#include "model/point.hpp"

#include <cstddef>
#include <vector>

namespace benchctl {

/// What a fast point still costs: verification, warm-up and three rounds of samples.
inline constexpr double fast_point_seconds = 0.15;

struct PlanTotals {
  std::size_t to_measure = 0;
  std::size_t ruled_out = 0;
  double least_seconds = 0;  ///< if every point reaches its target at once; without compilation
  double most_seconds = 0;   ///< if every point takes all the time that it may
};

[[nodiscard]] PlanTotals plan_totals(const std::vector<Point>& points);

}  // namespace benchctl
