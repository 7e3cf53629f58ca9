// Search strategies replayed over stored results: how soon each would have come close to the best.
#pragma once

#include "store/records.hpp"
#include "sweep/strategy.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace benchctl {

/// How close to the best time counts as close: 1.1 is 10 % more. The last one is the best itself.
inline constexpr std::array<double, 4> closeness{1.10, 1.05, 1.01, 1.0};

/// Of one strategy in one space, over all seeds: points tried until the best so far was as close as that.
struct SimulatedSearch {
  std::string space;       ///< `matmul @ gpu:0 n=512`
  std::string strategy;    ///< its name
  std::size_t points = 0;  ///< with a time, in the space
  double coverage = 1;     ///< of all combinations of the values that occur, how many the run knows
  double best_ns = 0;
  std::array<double, closeness.size()> median{};
  std::array<double, closeness.size()> worst_tenth{};  ///< nine in ten seeds need no more
};

/// Spaces are the points of a run that have workload, problem, way of measuring and lane in common; those
/// with fewer than `least_points` times are left out. Points that failed have no cost; combinations that
/// the run does not know count as impossible.
inline constexpr std::size_t least_points = 10;
[[nodiscard]] std::vector<SimulatedSearch> simulate(std::span<const StoredPoint> points,
                                                    std::span<const StrategyInfo> strategies,
                                                    std::size_t seeds);

}  // namespace benchctl
