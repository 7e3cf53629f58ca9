#include "sweep/group.hpp"

#include "sweep/point_hash.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr double usable_share = 0.8;

/// Points that share their inputs.
struct SameProblem {
  static std::size_t hash(const Point& point) {
    return mixed(mixed(hash_of(point.problem), std::hash<std::string>{}(point.workload)),
                 mixed(std::hash<std::string>{}(point.layout), point.measure.seed));
  }
  static bool same(const Point& a, const Point& b) {
    return a.workload == b.workload && a.layout == b.layout && a.measure.seed == b.measure.seed &&
           equal(a.problem, b.problem);
  }
};

/// A piece of hardware, as far as memory goes.
struct Hardware {
  std::string identity;
  double room = 0;  ///< bytes that a group may fill; 0: unknown
};

/// By lane name. Where lanes of one piece of hardware tell different sizes, the smallest counts.
using HardwareTable = std::unordered_map<std::string, Hardware>;

HardwareTable hardware_of(const LaneTable& lanes) {
  HardwareTable table;
  std::unordered_map<std::string, double> rooms;
  for (const BackendLanes& backend : lanes) {
    for (const Lane& lane : backend.lanes) {
      const std::string identity = lane.device.physical.empty() ? lane.name() : lane.device.physical;
      table[lane.name()].identity = identity;
      const double room = usable_share * static_cast<double>(lane.device.limits.memory_bytes);
      double& known = rooms[identity];
      if (room > 0 && (known == 0 || room < known)) known = room;
    }
  }
  for (auto& [name, hardware] : table) hardware.room = rooms[hardware.identity];
  return table;
}

/// Positions in a list of points.
using Places = std::vector<std::size_t>;

/// Splits the points of one problem by lanes so that on each piece of hardware the buffers of all lanes
/// fit. A lane that does not fit even alone gets what there is.
std::vector<Places> split(const Places& problem, const std::vector<Point>& points,
                          const HardwareTable& table) {
  const Point& first = points[problem.front()];
  const auto bytes =
      static_cast<double>(find_workload(first.workload)->problem(first.problem, first.layout).bytes());
  struct Part {
    Places points;
    std::unordered_map<std::string, double> used;  // bytes by piece of hardware
  };
  std::vector<Part> parts;
  std::unordered_map<std::string, std::size_t> place;  // of a lane among the parts
  for (const std::size_t index : problem) {
    const std::string& name = points[index].device;
    const auto known = table.find(name);
    const Hardware hardware = known != table.end() ? known->second : Hardware{name, 0};
    const auto [entry, fresh] = place.try_emplace(name, parts.size());
    if (fresh) {
      const auto fits = [&](Part& part) {
        const double used = part.used[hardware.identity];
        return hardware.room == 0 || used == 0 || used + bytes <= hardware.room;
      };
      const auto part = std::ranges::find_if(parts, fits);
      entry->second = static_cast<std::size_t>(part - parts.begin());
      if (part == parts.end()) parts.emplace_back();
      parts[entry->second].used[hardware.identity] += bytes;
    }
    parts[entry->second].points.push_back(index);
  }
  std::vector<Places> result;
  for (Part& part : parts) result.push_back(std::move(part.points));
  return result;
}

/// Runnable points by problem, in order of first appearance.
std::vector<Places> problems_of(const std::vector<Point>& points) {
  std::vector<Places> problems;
  PointSet<SameProblem> known(points);
  std::vector<std::uint32_t> problem_of(points.size());  // of its first point
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].status != Status::not_run) continue;
    const std::size_t first = known.first_like(i);
    if (first == i) {
      problem_of[i] = static_cast<std::uint32_t>(problems.size());
      problems.emplace_back();
    }
    problems[problem_of[first]].push_back(i);
  }
  return problems;
}

template <class Use>
void for_each_group(const std::vector<Point>& points, const LaneTable& lanes, Use use) {
  const HardwareTable table = hardware_of(lanes);
  for (Places& problem : problems_of(points)) {
    const auto on_first_lane = [&](std::size_t index) {
      return points[index].device == points[problem.front()].device;
    };
    if (std::ranges::all_of(problem, on_first_lane)) {
      use(std::move(problem));
    } else {
      for (Places& part : split(problem, points, table)) use(std::move(part));
    }
  }
}

}  // namespace

std::vector<Group> group_points(const std::vector<Point>& points, const LaneTable& lanes) {
  std::vector<Group> groups;
  for_each_group(points, lanes, [&](Places part) {
    const Point& first = points[part.front()];
    groups.push_back({first.workload, first.problem, first.layout, std::move(part)});
  });
  return groups;
}

std::size_t count_groups(const std::vector<Point>& points, const LaneTable& lanes) {
  std::size_t count = 0;
  for_each_group(points, lanes, [&](const Places&) { ++count; });
  return count;
}

}  // namespace benchctl
