#include "engine/refiner.hpp"

#include "engine/contest.hpp"
#include "engine/group_runner.hpp"

#include <algorithm>
#include <map>

namespace benchctl {

namespace {

bool is_measured(const RunPoint& entry) { return entry.median_ns && entry.stop; }

}  // namespace

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

std::vector<Group> Refiner::groups_with(const std::function<bool(const RunPoint&)>& wanted) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < own_; ++i) {
    if (wanted(points_[i])) indices.push_back(i);
  }
  return groups_of(points_, indices, context_.workloads, lanes_);
}

std::vector<Refinable> Refiner::refinable(const std::vector<Group>& groups) const {
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

void Refiner::measure_again(const Group& group, double seconds) {
  for (const std::size_t index : group.points) {
    if (!points_[index].finished) continue;
    context_.store.reopen(points_[index].id);
    points_[index].finished = false;
  }
  context_.turn_seconds = seconds;
  GroupRunner(context_, group).run();
  for (const std::size_t index : group.points) {
    if (points_[index].finished || !points_[index].median_ns) continue;
    context_.store.settle(points_[index].id);  // what it had is still right
    points_[index].finished = true;
  }
  context_.comparisons->update(group.points, {});
}

void Refiner::measure_libraries() {
  std::vector<Group> wanted = groups_with([&](const RunPoint& entry) {
    const bool open = !entry.finished && !entry.put_off;
    return is_measured(entry) || (open && is_slow_library(entry, context_.catalogue));
  });
  for (Group& group : wanted) {
    if (context_.interrupted()) return;
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
    for (const auto& [device, index] : fastest) {
      const bool beside = std::ranges::any_of(
          libraries, [&](std::size_t library) { return points_[library].point.device == device; });
      if (beside && context_.compiling_left() > 0) group.points.push_back(index);
    }
    constexpr double share_of_turn = 0.1;
    measure_again(group, share_of_turn * budget_seconds_);
  }
}

void Refiner::run() {
  context_.refining = true;
  measure_libraries();
  const std::vector<Group> measured = groups_with(is_measured);
  std::vector<std::size_t> turns(measured.size(), 0);
  while (!context_.interrupted()) {
    const auto step = next_refining(refinable(measured), turns, budget_seconds_, budget_left_());
    if (!step) break;
    ++turns[step->group];
    Group wanting = measured[step->group];
    wanting.points = step->points;
    measure_again(wanting, step->seconds);
  }
}

}  // namespace benchctl
