#include "sweep/group.hpp"

#include "workloads/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr double usable_share = 0.8;

std::string key_of(const Point& point) {
  return fmt::format("{}|{}|{}|{}", point.workload, point.layout, point.measure.seed,
                     to_text(point.problem));
}

/// Splits a group by lanes so that on each piece of hardware the buffers of all lanes fit.
std::vector<Group> split(const Group& group, const std::vector<Point>& points, const LaneTable& lanes) {
  const Workload* workload = find_workload(group.workload);
  const auto bytes = static_cast<double>(workload->problem(group.problem, group.layout).bytes());
  struct Part {
    Group group;
    std::map<std::string, double> used;  // bytes per physical device
    std::map<std::string, bool> holds;   // lanes that are in
  };
  std::vector<Part> parts;
  for (const std::size_t index : group.points) {
    const std::string& name = points[index].device;
    const Lane* lane = find_lane(lanes, name);
    const std::string physical = lane != nullptr ? lane->device.physical : name;
    const double room =
        lane != nullptr ? usable_share * static_cast<double>(lane->device.limits.memory_bytes) : 0;
    auto part = std::ranges::find_if(parts, [&](Part& candidate) {
      return candidate.holds.contains(name) || room == 0 || candidate.used[physical] + bytes <= room ||
             candidate.used[physical] == 0;
    });
    if (part == parts.end()) {
      parts.push_back({{group.workload, group.problem, group.layout, {}}, {}, {}});
      part = std::prev(parts.end());
    }
    if (part->holds.emplace(name, true).second) part->used[physical] += bytes;
    part->group.points.push_back(index);
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
  std::vector<Group> groups;
  for (const Group& group : whole) {
    for (Group& part : split(group, points, lanes)) groups.push_back(std::move(part));
  }
  return groups;
}

}  // namespace benchctl
