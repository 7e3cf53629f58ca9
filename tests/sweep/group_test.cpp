#include "sweep/group.hpp"
#include "support/catch.hpp"
#include "workloads/declared.hpp"

#include "fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

using Indices = std::vector<std::size_t>;

/// A point of n = m elements of 4 bytes each.
Point point(const std::string& device, std::int64_t n) {
  Point result;
  result.workload = "grid";
  result.variant = "plain";
  result.device = device;
  result.problem = {{"n", n}, {"m", n}, {"dtype", "f32"}};
  result.layout = "aos";
  return result;
}

std::vector<Indices> indices(const std::vector<Group>& groups) {
  std::vector<Indices> result;
  for (const Group& group : groups) result.push_back(group.points);
  return result;
}

/// gpu:0 and cpu:0 on one piece of hardware, gpu:1 on another, all with `memory` bytes.
LaneTable shared_hardware(std::uint64_t memory) {
  LaneTable table = lanes();
  for (BackendLanes& backend : table) {
    for (Lane& lane : backend.lanes) lane.device.limits.memory_bytes = memory;
  }
  table[0].lanes[0].device.physical = "chip";
  table[1].lanes[0].device.physical = "chip";
  return table;
}

}  // namespace

TEST_CASE("points of one problem are one group across lanes, in order of appearance") {
  const std::vector<Point> points{point("gpu:0", 8), point("gpu:0", 4), point("cpu:0", 8),
                                  point("gpu:1", 4), point("gpu:0", 8)};
  const auto groups = group_points(points, Workloads::built_in(), lanes());
  CHECK(indices(groups) == std::vector<Indices>{{0, 2, 4}, {1, 3}});
  CHECK(groups[0].inputs == InputsKey(points[0]));
}

TEST_CASE("only points that are to run are grouped") {
  std::vector<Point> points{point("gpu:0", 8), point("gpu:0", 8), point("gpu:0", 8)};
  points[0].status = Status::skipped;
  points[2].status = Status::ok;
  CHECK(indices(group_points(points, Workloads::built_in(), lanes())) == std::vector<Indices>{{1}});
  CHECK(group_points({}, Workloads::built_in(), lanes()).empty());
}

TEST_CASE("another layout or seed is another group, another measure setting is not") {
  std::vector<Point> points(4, point("gpu:0", 8));
  points[1].layout = "soa";
  points[2].measure.seed = 2;
  points[3].measure.cache = CacheMode::cold;
  CHECK(indices(group_points(points, Workloads::built_in(), lanes())) ==
        std::vector<Indices>{{0, 3}, {1}, {2}});
}

TEST_CASE("lanes of one chip part when their buffers fill more than four fifths of its memory") {
  // 2 · 8 · 4 = 64 bytes a lane, 128 on the chip: four fifths of 160.
  const std::vector<Point> points{point("gpu:0", 8), point("gpu:1", 8), point("cpu:0", 8),
                                  point("gpu:0", 8), point("cpu:0", 8)};
  CHECK(indices(group_points(points, Workloads::built_in(), shared_hardware(160))) ==
        std::vector<Indices>{{0, 1, 2, 3, 4}});
  CHECK(indices(group_points(points, Workloads::built_in(), shared_hardware(159))) ==
        std::vector<Indices>{{0, 1, 3}, {2, 4}});
  CHECK(indices(group_points(points, Workloads::built_in(), shared_hardware(0))) ==
        std::vector<Indices>{{0, 1, 2, 3, 4}});
}

TEST_CASE("a lane that does not fit even alone is measured alone") {
  const std::vector<Point> points{point("gpu:0", 8), point("cpu:0", 8)};
  CHECK(indices(group_points(points, Workloads::built_in(), shared_hardware(10))) ==
        std::vector<Indices>{{0}, {1}});
}

TEST_CASE("of different opinions on a chip's memory the smallest counts, the unknown none") {
  const std::vector<Point> points{point("gpu:0", 8), point("cpu:0", 8)};
  LaneTable table = shared_hardware(1000);
  table[0].lanes[0].device.limits.memory_bytes = 159;
  CHECK(group_points(points, Workloads::built_in(), table).size() == 2);
  table[0].lanes[0].device.limits.memory_bytes = 0;
  CHECK(group_points(points, Workloads::built_in(), table).size() == 1);
  table[1].lanes[0].device.limits.memory_bytes = 159;
  CHECK(group_points(points, Workloads::built_in(), table).size() == 2);
}

TEST_CASE("lanes without a physical identity share nothing") {
  const std::vector<Point> points{point("gpu:0", 8), point("gpu:1", 8), point("cpu:0", 8)};
  LaneTable table = shared_hardware(100);
  for (BackendLanes& backend : table) {
    for (Lane& lane : backend.lanes) lane.device.physical.clear();
  }
  CHECK(group_points(points, Workloads::built_in(), table).size() == 1);
}

TEST_CASE("sizes of one problem are one group on a device while their buffers fit") {
  WorkloadDeclaration sums;
  sums.name = "sums";
  sums.parameters = {{"n", "", "8", false, {}, 1, 1e12}};
  sums.buffers = {{"x", "f32", "n", BufferRole::in, {}}, {"y", "f32", "T", BufferRole::out, {}}};
  const Workloads workloads = Workloads::built_in().with(make_workload(sums));
  std::vector<Point> points;
  for (const std::int64_t size : {4, 8, 4}) {
    Point one = point("gpu:0", 8);
    one.workload = "sums";
    one.problem = {{"n", std::int64_t{8}}};
    one.layout.clear();
    one.tunables = {{"T", size}};
    points.push_back(std::move(one));
  }
  // 4 · (8 + 4) and 4 · (8 + 8) bytes: four fifths of 140.
  const auto groups = group_points(points, workloads, shared_hardware(140));
  CHECK(indices(groups) == std::vector<Indices>{{0, 1, 2}});
  CHECK(groups.front().work == 48);  // bytes of the first
  CHECK(indices(group_points(points, workloads, shared_hardware(139))) ==
        std::vector<Indices>{{0, 2}, {1}});
}
