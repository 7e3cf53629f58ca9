#include "sweep/group.hpp"

#include "config/digest.hpp"
#include "model/key_text.hpp"
#include "sweep/point_hash.hpp"
#include "workloads/workload.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
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

/// Positions in a list of points. PointSet counts them in as many bits.
using Places = std::span<const std::uint32_t>;

/// Splits the points of one problem by lanes so that on each piece of hardware the buffers of all lanes
/// fit. A lane that does not fit even alone gets what there is.
std::vector<std::vector<std::uint32_t>> split(Places problem, const std::vector<Point>& points,
                                              const HardwareTable& table) {
  const Point& first = points[problem.front()];
  const auto bytes =
      static_cast<double>(find_workload(first.workload)->problem(first.problem, first.layout).bytes());
  struct Part {
    std::vector<std::uint32_t> points;
    std::unordered_map<std::string, double> used;  // bytes by piece of hardware
  };
  std::vector<Part> parts;
  std::unordered_map<std::string, std::size_t> place;  // of a lane among the parts
  for (const std::uint32_t index : problem) {
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
  std::vector<std::vector<std::uint32_t>> result;
  for (Part& part : parts) result.push_back(std::move(part.points));
  return result;
}

/// Runnable points by problem, in order of first appearance. One list for all: a million problems in lists
/// of their own take ten times the memory.
class Problems {
 public:
  explicit Problems(const std::vector<Point>& points) {
    const std::vector<std::uint32_t> problem_of = number(points);
    // From how many there are to where they end; filled from the back, each becomes where they begin.
    std::inclusive_scan(begins_.begin(), begins_.end(), begins_.begin());
    places_.resize(begins_.empty() ? 0 : begins_.back());
    for (std::size_t i = points.size(); i-- > 0;) {
      if (problem_of[i] != none) places_[--begins_[problem_of[i]]] = static_cast<std::uint32_t>(i);
    }
  }

  [[nodiscard]] std::size_t size() const { return begins_.size(); }
  [[nodiscard]] Places operator[](std::size_t problem) const {
    const std::size_t end = problem + 1 < begins_.size() ? begins_[problem + 1] : places_.size();
    return std::span(places_).subspan(begins_[problem], end - begins_[problem]);
  }

 private:
  /// The number of each point's problem, or none; counts the points of each in `begins_`.
  std::vector<std::uint32_t> number(const std::vector<Point>& points) {
    PointSet<SameProblem> known(points);
    known.reserve(points.size());  // a table that grows leaves its older ones in the heap
    std::vector<std::uint32_t> problem_of(points.size(), none);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i].status != Status::not_run) continue;
      const std::size_t first = known.first_like(i);
      if (first == i) begins_.push_back(0);
      problem_of[i] = first == i ? static_cast<std::uint32_t>(begins_.size() - 1) : problem_of[first];
      ++begins_[problem_of[i]];
    }
    return problem_of;
  }

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> begins_;  ///< by problem: its first among the places
};

template <class Use>
void for_each_group(const std::vector<Point>& points, const LaneTable& lanes, Use use) {
  const HardwareTable table = hardware_of(lanes);
  const Problems problems(points);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Places problem = problems[i];
    const auto on_first_lane = [&](std::uint32_t index) {
      return points[index].device == points[problem.front()].device;
    };
    if (std::ranges::all_of(problem, on_first_lane)) {
      use(problem);
    } else {
      for (const Places part : split(problem, points, table)) use(part);
    }
  }
}

}  // namespace

std::vector<Group> group_points(const std::vector<Point>& points, const LaneTable& lanes) {
  std::vector<Group> groups;
  for_each_group(points, lanes, [&](Places part) {
    const Point& first = points[part.front()];
    groups.push_back({first.workload, first.problem, first.layout, {part.begin(), part.end()}});
  });
  return groups;
}

std::size_t count_groups(const std::vector<Point>& points, const LaneTable& lanes) {
  std::size_t count = 0;
  for_each_group(points, lanes, [&](Places) { ++count; });
  return count;
}

void put_in_random_order(std::vector<Group>& groups, std::uint64_t seed) {
  std::multimap<std::pair<bool, std::string>, Group> ordered;
  for (Group& group : groups) {
    const std::string problem =
        KeyText().add(std::to_string(seed)).add(group.workload).add(group.problem).add(group.layout).take();
    const bool late = group.workload != "peaks";
    ordered.emplace(std::pair(late, digest_text(problem)), std::move(group));
  }
  std::ranges::transform(ordered, groups.begin(), [](auto& entry) { return std::move(entry.second); });
}

void put_cheapest_first(std::vector<Group>& groups) {
  std::ranges::stable_sort(groups, {}, [](const Group& group) {
    const Cost cost = find_workload(group.workload)->cost(group.problem);
    return std::pair(group.workload != "peaks",
                     cost.flops + cost.bytes_read + cost.bytes_written + cost.accesses);
  });
}

}  // namespace benchctl
