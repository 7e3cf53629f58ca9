#include "engine/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace benchctl {

namespace {

/// Shares of the budget: kept for ending the run; so little that another turn is not worth while.
constexpr double reserve_share = 0.01;
constexpr double used_up_share = 0.03;
/// Rounds of a turn: fewer show nothing.
constexpr double least_turn_rounds = 3;
/// Points of the widest's group come along whose intervals are at least so wide, as a share of its.
constexpr double alike_share = 0.5;

}  // namespace

std::optional<RefiningStep> next_refining(std::span<const Refinable> points,
                                          std::span<const std::size_t> turns, double budget_seconds,
                                          double left_seconds) {
  if (left_seconds < used_up_share * budget_seconds) return std::nullopt;
  const double spendable = left_seconds - reserve_share * budget_seconds;
  const Refinable* first = nullptr;
  std::vector<double> wanted(turns.size(), 0);  // seconds of each group
  for (const Refinable& point : points) {
    if (point.contested) wanted[point.group] += least_turn_rounds * point.round_seconds;
  }
  const auto rank = [&](const Refinable& point) {
    if (!point.contested) return std::tuple(false, false, point.excess, 0.0);
    const bool fits = wanted[point.group] + point.overhead_seconds <= spendable;
    return std::tuple(true, fits, -static_cast<double>(turns[point.group]), -point.work);
  };
  for (const Refinable& point : points) {
    const bool wants =
        point.contested || (point.ended_early && point.excess > 1) || (point.ended_early && point.paired);
    if (!wants || point.overhead_seconds >= spendable) continue;
    if (first == nullptr || rank(point) > rank(*first)) first = &point;
  }
  if (first == nullptr) return std::nullopt;
  RefiningStep step;
  step.group = first->group;
  for (const Refinable& point : points) {
    if (point.group != first->group) continue;
    const bool alike = point.ended_early && point.excess > 1 && point.excess >= alike_share * first->excess;
    if (!point.paired && !(first->contested ? point.contested : alike)) continue;
    step.points.push_back(point.point);
    step.seconds += point.spent_seconds;
  }
  step.seconds =
      std::min(std::max(step.seconds, first->overhead_seconds), spendable - first->overhead_seconds);
  return step;
}

}  // namespace benchctl
