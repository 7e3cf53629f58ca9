#include "sweep/group.hpp"

#include <benchctl/digest.hpp>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace benchctl {

namespace {

constexpr double usable_share = 0.8;

/// A piece of hardware, as far as memory goes.
struct Hardware {
  std::string identity;
  double room = 0;  ///< bytes that a group may fill; 0: unknown
};

/// By lane name. Where lanes of one piece of hardware tell different sizes, the smallest counts.
using HardwareTable = std::unordered_map<std::string, Hardware>;

HardwareTable hardware_table(const LaneTable& lanes) {
  HardwareTable table;
  std::unordered_map<std::string, double> rooms;
  for (const BackendLanes& backend : lanes) {
    for (const Lane& lane : backend.lanes) {
      const std::string identity = hardware_of(lane);
      table[lane.name()].identity = identity;
      const double room = usable_share * static_cast<double>(lane.device.limits.memory_bytes);
      double& known = rooms[identity];
      if (room > 0 && (known == 0 || room < known)) known = room;
    }
  }
  for (auto& [name, hardware] : table) hardware.room = rooms[hardware.identity];
  return table;
}

using Places = std::vector<std::size_t>;  ///< in a list of points

/// Splits the points of one problem by lanes and sizes so that on each piece of hardware the buffers of all
/// fit. What does not fit even alone gets what there is.
std::vector<Places> split(const Places& problem, const std::vector<Point>& points, const Workload& workload,
                          const HardwareTable& table) {
  const Point& first = points[problem.front()];
  const auto on_first_lane = [&](std::size_t place) { return points[place].device == first.device; };
  if (workload.size_tunables().empty() && std::ranges::all_of(problem, on_first_lane)) return {problem};
  struct Part {
    Places points;
    std::unordered_map<std::string, double> used;  // bytes by piece of hardware
  };
  std::vector<Part> parts;
  std::map<std::pair<std::string, ProblemKey>, std::size_t> place;  // of lane and size among the parts
  for (const std::size_t index : problem) {
    const std::string& name = points[index].device;
    const auto known = table.find(name);
    const Hardware hardware = known != table.end() ? known->second : Hardware{name, 0};
    const ProblemKey size(first.workload, problem_values(workload, points[index]));
    const auto [entry, fresh] = place.try_emplace({name, size}, parts.size());
    if (fresh) {
      const auto bytes = static_cast<double>(problem_of(workload, points[index]).bytes());
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

/// Runnable points that share their inputs, in order of first appearance.
std::vector<Places> by_problem(const std::vector<Point>& points) {
  std::unordered_map<InputsKey, std::size_t, KeyHash> numbers;
  std::vector<Places> problems;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].status != Status::not_run) continue;
    const auto [number, fresh] = numbers.try_emplace(InputsKey(points[i]), problems.size());
    if (fresh) problems.emplace_back();
    problems[number->second].push_back(i);
  }
  return problems;
}

}  // namespace

std::vector<Group> group_points(const std::vector<Point>& points, const Workloads& workloads,
                                const LaneTable& lanes) {
  const HardwareTable table = hardware_table(lanes);
  std::vector<Group> groups;
  for (const Places& problem : by_problem(points)) {
    const Point& first = points[problem.front()];
    const Workload& workload = *workloads.find(first.workload);
    const double work = workload.cost(problem_values(workload, first)).work();
    for (Places& part : split(problem, points, workload, table))
      groups.push_back({InputsKey(first), work, std::move(part)});
  }
  return groups;
}

void put_in_random_order(std::vector<Group>& groups, std::uint64_t seed) {
  std::multimap<std::pair<bool, std::string>, Group> ordered;
  for (Group& group : groups) {
    InputsKey inputs = group.inputs;
    inputs.seed = seed;
    const bool late = inputs.problem.workload != roof_workload().name();
    ordered.emplace(std::pair(late, digest_text(inputs.text())), std::move(group));
  }
  std::ranges::transform(ordered, groups.begin(), [](auto& entry) { return std::move(entry.second); });
}

void put_cheapest_first(std::vector<Group>& groups) {
  std::ranges::stable_sort(groups, {}, [](const Group& group) {
    return std::pair(group.inputs.problem.workload != roof_workload().name(), group.work);
  });
}

}  // namespace benchctl
