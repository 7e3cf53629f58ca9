#include "sweep/group.hpp"

#include "sweep/point_hash.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <deque>
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

/// Splits a group by lanes so that on each piece of hardware the buffers of all lanes fit. A lane that
/// does not fit even alone gets what there is.
void split(Group&& group, const std::vector<Point>& points, const HardwareTable& table,
           std::vector<Group>& groups) {
  const std::string& first = points[group.points.front()].device;
  if (std::ranges::all_of(group.points, [&](std::size_t index) { return points[index].device == first; })) {
    groups.push_back(std::move(group));
    return;
  }
  const Workload* workload = find_workload(group.workload);
  const auto bytes = static_cast<double>(workload->problem(group.problem, group.layout).bytes());
  struct Part {
    Group group;
    std::unordered_map<std::string, double> used;  // bytes by piece of hardware
  };
  std::vector<Part> parts;
  std::unordered_map<std::string, std::size_t> place;  // of a lane among the parts
  for (const std::size_t index : group.points) {
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
      if (part == parts.end()) parts.push_back({{group.workload, group.problem, group.layout, {}}, {}});
      parts[entry->second].used[hardware.identity] += bytes;
    }
    parts[entry->second].group.points.push_back(index);
  }
  for (Part& part : parts) groups.push_back(std::move(part.group));
}

}  // namespace

std::vector<Group> group_points(const std::vector<Point>& points, const LaneTable& lanes) {
  std::deque<Group> whole;  // taken apart from the front, so that no two copies of many are kept
  PointSet<SameProblem> known(points);
  std::unordered_map<std::size_t, std::size_t> group_of;  // by its first point
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (point.status != Status::not_run) continue;
    const auto [entry, fresh] = group_of.try_emplace(known.first_like(i), whole.size());
    if (fresh) whole.push_back({point.workload, point.problem, point.layout, {}});
    whole[entry->second].points.push_back(i);
  }
  const HardwareTable table = hardware_of(lanes);
  std::vector<Group> groups;
  groups.reserve(whole.size());
  for (; !whole.empty(); whole.pop_front()) split(std::move(whole.front()), points, table, groups);
  return groups;
}

}  // namespace benchctl
