#include "engine/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace benchctl {

namespace {

/// Of the budget: kept for ending the run, and so little that another turn is not worth while.
constexpr double reserve_share = 0.01;
constexpr double used_up_share = 0.03;
/// Points of the widest's group come along whose intervals are at least so wide, as a share of its.
constexpr double alike_share = 0.5;
/// Intervals narrow with the root of the time, and the stop rule looks at them now and then only.
constexpr double margin = 1.3;
/// Of what a point has had: the least that another turn is begun for.
constexpr double least_share = 0.25;

/// Seconds that the point should need to reach its target, within what one turn gives.
double wanted_seconds(const Refinable& point) {
  if (!std::isfinite(point.excess)) return point.spent_seconds;
  const double needed = margin * point.spent_seconds * (point.excess * point.excess - 1);
  return std::clamp(needed, least_share * point.spent_seconds, point.spent_seconds);
}

}  // namespace

std::optional<RefiningStep> next_refining(std::span<const Refinable> points, double budget_seconds,
                                          double left_seconds) {
  if (left_seconds < used_up_share * budget_seconds) return std::nullopt;
  const double spendable = left_seconds - reserve_share * budget_seconds;
  const Refinable* widest = nullptr;
  for (const Refinable& point : points) {
    if (point.overhead_seconds >= spendable) continue;
    if (widest == nullptr || point.excess > widest->excess) widest = &point;
  }
  if (widest == nullptr) return std::nullopt;
  const double overhead = widest->overhead_seconds;
  RefiningStep step;
  step.group = widest->group;
  double total = 0;
  for (const Refinable& point : points) {
    const bool alike = point.excess >= alike_share * widest->excess;
    if (point.group != widest->group || !(alike || point.paired)) continue;
    total += step.seconds[point.point] = wanted_seconds(point);
  }
  // Not less than what the turn costs beside them, and not more than there is.
  const double wanted = std::max(total, overhead);
  const double given = std::min(wanted, spendable - overhead);
  for (auto& [point, seconds] : step.seconds) {
    seconds = total > 0 ? seconds * given / total : given / static_cast<double>(step.seconds.size());
  }
  return step;
}

}  // namespace benchctl
