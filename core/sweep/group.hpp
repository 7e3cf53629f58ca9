// Points of one problem belong together: they are verified against one reference and measured in turns.
#pragma once

#include "model/keys.hpp"
#include "model/point.hpp"
#include "sweep/lanes.hpp"
#include "workloads/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace benchctl {

struct Group {
  InputsKey inputs;
  double work = 0;                  ///< Cost::work() of its first point
  std::vector<std::size_t> points;  ///< positions in the list that was grouped
};

/// Groups runnable points (Status::not_run) by workload, problem, layout and seed, in order of first
/// appearance. Lanes of one group that share a piece of hardware, and sizes of one lane (problem_values()),
/// are split into groups of their own when their buffers together would fill more than 80 % of its memory.
[[nodiscard]] std::vector<Group> group_points(const std::vector<Point>& points, const Workloads& workloads,
                                              const LaneTable& lanes);

/// Roofs first, since the others are compared with them. The same groups of a run come in the same order,
/// whichever of them are still to be measured.
void put_in_random_order(std::vector<Group>& groups, std::uint64_t seed);
/// Under a budget: the roofs that the others are compared with, then what computes and moves least, so that
/// as many points as possible are covered.
void put_cheapest_first(std::vector<Group>& groups);

}  // namespace benchctl
