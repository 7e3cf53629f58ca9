#include "sweep/group.hpp"

#include "model/key_text.hpp"
#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr double usable_share = 0.8;

std::string key_of(const Point& point) {
  return KeyText()
      .add(point.workload)
      .add(point.layout)
      .add(fmt::format_int(point.measure.seed).c_str())
      .add(point.problem)
      .take();
}

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
std::vector<Group> split(const Group& group, const std::vector<Point>& points, const HardwareTable& table) {
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
  std::vector<Group> groups;
  for (Part& part : parts) groups.push_back(std::move(part.group));
  return groups;
}

}  // namespace

std::vector<Group> group_points(const std::vector<Point>& points, const LaneTable& lanes) {
  std::vector<Group> whole;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (point.status != Status::not_run) continue;
    const auto [entry, fresh] = known.emplace(key_of(point), whole.size());
    if (fresh) whole.push_back({point.workload, point.problem, point.layout, {}});
    whole[entry->second].points.push_back(i);
  }
  const HardwareTable table = hardware_of(lanes);
  std::vector<Group> groups;
  for (const Group& group : whole) {
    for (Group& part : split(group, points, table)) groups.push_back(std::move(part));
  }
  return groups;
}

}  // namespace benchctl
