// Roofs, published figures and metrics that are added when a run ends.
#include <catch2/catch_test_macros.hpp>

#include "store/fixtures.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct RoofsFixture {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  std::uint64_t next = 0;

  PointId add(RunId run, const std::string& workload, Status status, bool measured) {
    PointRow row;
    row.ordinal = next++;
    row.point.workload = workload;
    row.point.device = a_lane("gpu", "0").name();
    const PointId id = store.add_points(run, std::vector{row}).at(0);
    PointResult result;
    result.status = status;
    result.resources = {{"registers", 40.0}};
    if (measured) result.measurement = Measurement{};
    store.finish_point(id, result);
    return id;
  }
};

}  // namespace

TEST_CASE("published figures come back with their run") {
  RoofsFixture fixture;
  Published published;
  published.source = awkward;
  published.match = {{"workload", std::string("w")}, {"n", std::int64_t{5}}};
  published.axis = "tile";
  published.values = {{std::int64_t{2}, 1.5}, {std::string("x"), 2.5}};
  published.relative_to = std::string("x");
  NewRun run = a_run();
  run.published = {published};
  const RunId id = fixture.store.create_run(run);
  CHECK(fixture.store.run(id)->published == std::vector{published});
}

TEST_CASE("roofs are a run's own and replaced as a whole") {
  RoofsFixture fixture;
  const RunId run = fixture.store.create_run(a_run());
  const PointId source = fixture.add(run, "peaks", Status::ok, true);
  const std::vector<RoofRow> roofs{{"gpu:0", "dram_copy", 3e12, source},
                                   {"gpu:0", "fma_f32", 5e13, source}};
  fixture.store.set_roofs(run, roofs);
  CHECK(fixture.store.roofs(run) == roofs);
  fixture.store.set_roofs(run, std::span(roofs).first(1));
  CHECK(fixture.store.roofs(run).size() == 1);
  CHECK(fixture.store.roofs(fixture.store.create_run(a_run("other"))).empty());
}

TEST_CASE("a roof has the interval and the clock of its point") {
  RoofsFixture fixture;
  const RunId run = fixture.store.create_run(a_run());
  const PointId source = fixture.add(run, "peaks", Status::ok, false);
  PointResult result;
  result.measurement = Measurement{};
  result.measurement->median_ns = 100;
  result.measurement->ci_low_ns = 80;
  result.measurement->ci_high_ns = 125;
  result.resources = {{"sm_clock", 1980.0}};
  fixture.store.reopen(source);
  fixture.store.finish_point(source, result);
  fixture.store.set_roofs(run, std::vector<RoofRow>{{"gpu:0", "dram_copy", 1000, source}});
  const RoofRow roof = fixture.store.roofs(run).at(0);
  CHECK(roof.low_per_second == 800);
  CHECK(roof.high_per_second == 1250);
  CHECK(roof.clock_mhz == 1980);
}

TEST_CASE("metrics and notes can be added to a settled point") {
  RoofsFixture fixture;
  const RunId run = fixture.store.create_run(a_run());
  const PointId id = fixture.add(run, "w", Status::ok, true);
  fixture.store.add_metrics(id, {{"predicted_ns", 12.5}, {"registers", 41.0}});
  fixture.store.add_note(id, "predicted_by", "dram_copy");
  const StoredPoint point = fixture.store.results(run).at(0);
  CHECK(point.resources.at("predicted_ns") == 12.5);
  CHECK(point.resources.at("registers") == 41);
  CHECK(point.notes.at("predicted_by") == "dram_copy");
}

TEST_CASE("measured points of a workload come from all runs, the newest first, with their devices") {
  RoofsFixture fixture;
  NewRun with_lane = a_run();
  with_lane.lanes = {a_lane("gpu", "0")};
  const RunId first = fixture.store.create_run(with_lane);
  const PointId old = fixture.add(first, "peaks", Status::ok, true);
  fixture.add(first, "peaks", Status::wrong, false);
  fixture.add(first, "other", Status::ok, true);
  const RunId second = fixture.store.create_run(with_lane);
  const PointId unstable = fixture.add(second, "peaks", Status::unstable, true);
  const auto points = fixture.store.measured("peaks");
  REQUIRE(points.size() == 2);
  CHECK(points[0].point.row.id == unstable);
  CHECK(points[1].point.row.id == old);
  CHECK(points[0].lane.device.name == "Device 0");
  CHECK(fixture.store.measured("nothing").empty());
}
