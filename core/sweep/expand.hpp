// From a config to points: axes multiplied, conditions applied, limits checked. No driver is touched.
#pragma once

#include "config/config.hpp"
#include "sweep/catalogue.hpp"
#include "sweep/lanes.hpp"

#include <vector>

namespace benchctl {

struct Expansion {
  /// By sweep, then by problem in the order of the axes, then by lane, then by variant and tunables.
  std::vector<Point> points;
  /// What is odd but no error: a lane pattern that matches nothing.
  std::vector<Diagnostic> warnings;
};

/// Every combination that the config asks for, once; none of sweeps that are searched (sweep/search.hpp).
/// Axes multiply only what a variant has. Points that cannot run have Status::skipped and a reason with
/// numbers. The config must have passed `validate`. Throws ConfigErrors when there are more than
/// max_combinations, those that conditions rule out included, before it makes any point.
[[nodiscard]] Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes);

/// What a fast point still costs: verification, warm-up and three rounds of samples.
inline constexpr double fast_point_seconds = 0.15;

/// How much a run of some points will be.
struct PlanTotals {
  std::size_t to_measure = 0;
  std::size_t ruled_out = 0;
  double least_seconds = 0;  ///< if every point reaches its target at once; without compilation
  double most_seconds = 0;   ///< if every point takes all the time that it may
};

[[nodiscard]] PlanTotals plan_totals(const std::vector<Point>& points);

}  // namespace benchctl
