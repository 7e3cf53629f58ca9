// Roofs, published figures and metrics that are added when a run ends.
#include "store/fixtures.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct RoofsFixture : OneFile {
  std::uint64_t next = 0;

  PointId add(RunId run, const std::string& workload, Status status, bool measured) {
    PointRow row;
    row.ordinal = next++;
    row.point.workload = workload;
    row.point.device = a_lane("gpu", "0").name();
    const PointId id = store.add_points(run, std::vector{row}).at(0);
    Result result;
    result.row.point.status = status;
    result.resources = {{"registers", 40.0}};
    if (measured) result.measurement = Measurement{};
    store.finish_point(id, result);
    return id;
  }
};

}  // namespace

TEST_CASE_METHOD(RoofsFixture, "published figures come back with their run") {
  Published published;
  published.source = awkward;
  published.match = {{"workload", std::string("w")}, {"n", std::int64_t{5}}};
  published.axis = "tile";
  published.values = {{std::int64_t{2}, 1.5}, {std::string("x"), 2.5}};
  published.relative_to = std::string("x");
  NewRun run = a_run();
  run.published = {published};
  const RunId id = store.create_run(run);
  CHECK(store.run(id)->published == std::vector{published});
}

TEST_CASE_METHOD(RoofsFixture, "roofs are a run's own and replaced as a whole") {
  const RunId run = store.create_run(a_run());
  const PointId source = add(run, "peaks", Status::ok, true);
  const std::vector<RoofRow> roofs{{"gpu:0", "dram_copy", 3e12, source},
                                   {"gpu:0", "fma_f32", 5e13, source}};
  store.set_roofs(run, roofs);
  CHECK(store.roofs(run) == roofs);
  store.set_roofs(run, std::span(roofs).first(1));
  CHECK(store.roofs(run).size() == 1);
  CHECK(store.roofs(store.create_run(a_run("other"))).empty());
}

TEST_CASE_METHOD(RoofsFixture, "a roof has the interval and the clock of its point") {
  const RunId run = store.create_run(a_run());
  const PointId source = add(run, "peaks", Status::ok, false);
  Result result;
  result.measurement = Measurement{};
  result.measurement->median_ns = 100;
  result.measurement->ci_low_ns = 80;
  result.measurement->ci_high_ns = 125;
  result.resources = {{"sm_clock", 1980.0}};
  store.reopen(source);
  store.finish_point(source, result);
  store.set_roofs(run, std::vector<RoofRow>{{"gpu:0", "dram_copy", 1000, source}});
  const RoofRow roof = store.roofs(run).at(0);
  CHECK(roof.low_per_second == 800);
  CHECK(roof.high_per_second == 1250);
  CHECK(roof.clock_mhz == 1980);
}

TEST_CASE_METHOD(RoofsFixture, "notes can be added to a settled point") {
  const RunId run = store.create_run(a_run());
  const PointId id = add(run, "w", Status::ok, true);
  store.add_note(id, "predicted_by", "dram_copy");
  CHECK(store.results(run).at(0).notes.at("predicted_by") == "dram_copy");
}

TEST_CASE_METHOD(RoofsFixture,
                 "measured points of a workload come from all runs, the newest first, with their devices") {
  NewRun with_lane = a_run();
  with_lane.lanes = {a_lane("gpu", "0")};
  const RunId first = store.create_run(with_lane);
  const PointId old = add(first, "peaks", Status::ok, true);
  add(first, "peaks", Status::wrong, false);
  add(first, "other", Status::ok, true);
  const RunId second = store.create_run(with_lane);
  const PointId unstable = add(second, "peaks", Status::unstable, true);
  const auto points = store.measured("peaks");
  REQUIRE(points.size() == 2);
  CHECK(points[0].point.row.id == unstable);
  CHECK(points[1].point.row.id == old);
  CHECK(points[0].lane.device.name == "Device 0");
  CHECK(store.measured("nothing").empty());
}
