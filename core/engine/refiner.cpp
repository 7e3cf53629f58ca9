#include "engine/refiner.hpp"

#include "engine/measured_group.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace benchctl {

std::vector<Group> groups_of(const std::vector<RunPoint>& points, const std::vector<std::size_t>& indices,
                             const Workloads& workloads, const LaneTable& lanes) {
  std::vector<Point> chosen;
  for (const std::size_t index : indices) {
    chosen.push_back(points[index].point);
    chosen.back().status = Status::not_run;
  }
  std::vector<Group> groups = group_points(chosen, workloads, lanes);
  for (Group& group : groups) {
    for (std::size_t& index : group.points) index = indices[index];
  }
  return groups;
}

bool is_slow_library(const RunPoint& entry, const Catalogue& catalogue) {
  const MeasureSettings& measure = entry.point.measure;
  if (measure.mode == RoundMode::paired || measure.replicates > 1) return false;
  return compiles_kernels(*catalogue.variant_of(entry.point), *catalogue.find(entry.point.backend));
}

namespace {

/// Shares of the budget: kept for ending the run; so little that another turn is not worth while.
constexpr double reserve_share = 0.01;
constexpr double used_up_share = 0.03;
/// Rounds of a turn: fewer show nothing.
constexpr double least_turn_rounds = 3;
/// Points of the widest's group come along whose intervals are at least so wide, as a share of its.
constexpr double alike_share = 0.5;

bool is_measured(const RunPoint& entry) { return entry.median_ns && entry.stop; }

class Refiner {
 public:
  Refiner(RunContext& run, const LaneTable& lanes, std::size_t own, const CompareSettings& compare)
      : run_(run), points_(run.points), lanes_(lanes), own_(own), compare_(compare) {}

  /// Measures the slow libraries, each beside the fastest of its device.
  void measure_libraries() {
    for (Group& group : groups_with([&](const RunPoint& entry) {
           return is_measured(entry) || (entry.is_open() && is_slow_library(entry, run_.catalogue));
         })) {
      if (run_.budget.must_stop()) return;
      std::vector<std::size_t> libraries;
      std::map<std::string, std::size_t> fastest;
      for (const std::size_t index : group.points) {
        const RunPoint& entry = points_[index];
        if (!entry.median_ns) {
          libraries.push_back(index);
          continue;
        }
        const auto [place, first] = fastest.try_emplace(entry.point.device, index);
        if (!first && *entry.median_ns < *points_[place->second].median_ns) place->second = index;
      }
      group.points = libraries;
      if (libraries.empty()) continue;
      // Where there is no time to compile, it says so.
      const bool in_time = run_.budget.has_time_to_compile();
      for (const std::size_t library : libraries) {
        const auto beside = fastest.extract(points_[library].point.device);
        if (beside && in_time) group.points.push_back(beside.mapped());
      }
      constexpr double share_of_turn = 0.1;
      measure_again(group, share_of_turn * run_.budget.whole());
    }
  }

  /// Gives points more samples, turn by turn, where these are wanted most.
  void measure_wanting() {
    const std::vector<Group> measured = groups_with(is_measured);
    std::vector<std::size_t> turns(measured.size(), 0);
    while (!run_.budget.must_stop()) {
      const auto step = next_refining(refinable(measured), turns, run_.budget.whole(), run_.budget.left());
      if (!step) return;
      ++turns[step->group];
      Group wanting = measured[step->group];
      wanting.points = step->points;
      measure_again(wanting, step->seconds);
    }
  }

 private:
  /// Groups of those that are `wanted`.
  [[nodiscard]] std::vector<Group> groups_with(const std::function<bool(const RunPoint&)>& wanted) const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < own_; ++i) {
      if (wanted(points_[i]) && points_[i].point.workload != roof_workload().name()) indices.push_back(i);
    }
    return groups_of(points_, indices, run_.workloads, lanes_);
  }

  [[nodiscard]] std::vector<Refinable> refinable(const std::vector<Group>& groups) const {
    std::vector<Refinable> wanting;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const std::size_t index : groups[g].points) {
        const RunPoint& entry = points_[index];
        if (!entry.median_ns || entry.put_off) continue;
        wanting.push_back({.point = index,
                           .group = g,
                           .work = groups[g].work,
                           .contested = entry.contested,
                           .ended_early = entry.stop == StopReason::budget,
                           .paired = entry.point.measure.mode == RoundMode::paired,
                           .excess = entry.excess,
                           .spent_seconds = entry.spent_seconds,
                           .round_seconds = entry.round_seconds,
                           .overhead_seconds = entry.overhead_seconds});
      }
    }
    return wanting;
  }

  /// Measures finished points of a group again, together with what is open of it.
  void measure_again(const Group& group, double seconds) {
    for (const std::size_t index : group.points) {
      if (!points_[index].finished) continue;
      run_.store.reopen(points_[index].id);
      points_[index].finished = false;
    }
    run_group(run_, group, {Turn::Purpose::refine, compare_, seconds});
  }

  RunContext& run_;
  std::vector<RunPoint>& points_;
  const LaneTable& lanes_;
  std::size_t own_;
  const CompareSettings& compare_;
};

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

void refine(RunContext& run, const LaneTable& lanes, std::size_t own, const CompareSettings& compare) {
  Refiner refiner(run, lanes, own, compare);
  refiner.measure_libraries();
  refiner.measure_wanting();
}

}  // namespace benchctl
