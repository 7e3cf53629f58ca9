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
  /// What is odd but no error: lanes without a common problem, a lane pattern that matches nothing.
  std::vector<Diagnostic> warnings;
};

/// Every combination that the config asks for, once; none of sweeps that are searched (sweep/search.hpp).
/// Axes multiply only what a variant has. Points that cannot run have Status::skipped and a reason with
/// numbers. The config must have passed `validate`.
[[nodiscard]] Expansion expand(const Config& config, const Catalogue& catalogue, const LaneTable& lanes);

}  // namespace benchctl
