// Everything that goes into the store comes out of it, read by a second Store object.
#include <catch2/catch_test_macros.hpp>

#include "store/fixtures.hpp"

#include <regex>

using namespace benchctl;
using namespace benchctl::test;

namespace {

struct TwoViews {
  TemporaryDirectory folder;
  std::filesystem::path file = folder.path() / "a b?#%.db";
  Store writer = Store::open(file);
  Store reader = Store::open(file, Store::Access::read_only);
};

bool looks_like_time(const std::string& text) {
  return std::regex_match(text, std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"));
}

void check_measurement(const Measurement& a, const Measurement& b) {
  CHECK(a.n_samples == b.n_samples);
  CHECK(a.batch == b.batch);
  CHECK(a.gated == b.gated);
  CHECK(a.median_ns == b.median_ns);
  CHECK(a.ci_low_ns == b.ci_low_ns);
  CHECK(a.ci_high_ns == b.ci_high_ns);
  CHECK(a.min_ns == b.min_ns);
  CHECK(a.max_ns == b.max_ns);
  CHECK(a.mean_ns == b.mean_ns);
  CHECK(a.mad_ns == b.mad_ns);
  CHECK(a.p5_ns == b.p5_ns);
  CHECK(a.p25_ns == b.p25_ns);
  CHECK(a.p75_ns == b.p75_ns);
  CHECK(a.p95_ns == b.p95_ns);
  CHECK(a.warmup_ns == b.warmup_ns);
  CHECK(a.stop == b.stop);
  CHECK(a.note == b.note);
}

void check_verification(const Verification& a, const Verification& b) {
  CHECK(a.ok == b.ok);
  CHECK(a.reason == b.reason);
  CHECK(a.error_norm == b.error_norm);
  CHECK(a.tolerance_norm == b.tolerance_norm);
  CHECK(a.worst_error == b.worst_error);
  CHECK(a.worst_tolerance == b.worst_tolerance);
  CHECK(a.worst_element == b.worst_element);
  CHECK(a.checked == b.checked);
  CHECK(a.not_a_number == b.not_a_number);
  CHECK(a.guard_bytes_changed == b.guard_bytes_changed);
}

void check_block(const SampleBlock& a, const SampleBlock& b) {
  CHECK(a.ns == b.ns);
  CHECK(a.batch == b.batch);
  CHECK(a.gated == b.gated);
  CHECK(a.note == b.note);
  REQUIRE(a.readings.size() == b.readings.size());
  for (const auto& [metric, values] : a.readings) {
    const auto& others = b.readings.at(metric);
    REQUIRE(values.size() == others.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK((values[i] == others[i] || (std::isnan(values[i]) && std::isnan(others[i]))));
    }
  }
}

}  // namespace

TEST_CASE("a run comes back field by field") {
  TwoViews views;
  const NewRun given = a_run();
  const RunId id = views.writer.create_run(given);
  const RunRow run = views.reader.run(id).value();
  CHECK(run.id == id);
  CHECK(run.name == given.name);
  CHECK(run.title == given.title);
  CHECK(run.config_text == given.config_text);
  CHECK(run.config_hash == given.config_hash);
  CHECK(run.command == given.command);
  CHECK(run.version == given.version);
  CHECK(run.seed == given.seed);
  CHECK(run.environment == given.environment);
  CHECK(run.state == RunState::running);
  CHECK(run.owner == this_process());
  CHECK(looks_like_time(run.created_at));
  CHECK(run.finished_at.empty());
  CHECK_FALSE(views.reader.run(RunId{99}));
}

TEST_CASE("lanes come back in order with all of their device") {
  TwoViews views;
  const NewRun given = a_run();
  const RunId id = views.writer.create_run(given);
  static_cast<void>(views.writer.create_run(a_run("other")));
  const auto lanes = views.reader.lanes(id);
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[1].name() == "fake:1");
  const DeviceInfo& device = lanes[0].device;
  const DeviceInfo& expected = given.lanes[0].device;
  CHECK(device.name == expected.name);
  CHECK(device.vendor == expected.vendor);
  CHECK(device.type == expected.type);
  CHECK(device.driver == expected.driver);
  CHECK(device.architecture == expected.architecture);
  CHECK(device.physical == expected.physical);
  CHECK(device.limits.memory_bytes == expected.limits.memory_bytes);
  CHECK(device.limits.max_grid == expected.limits.max_grid);
  CHECK(device.features == expected.features);
  CHECK(device.properties == expected.properties);
}

TEST_CASE("events come back in order") {
  TwoViews views;
  const RunId id = views.writer.create_run(a_run());
  views.writer.add_event(id, "resumed");
  views.writer.add_event(id, awkward);
  const auto events = views.reader.events(id);
  REQUIRE(events.size() == 2);
  CHECK(events[0].text == "resumed");
  CHECK(events[1].text == awkward);
  CHECK(looks_like_time(events[0].time));
}

TEST_CASE("points come back field by field, by ordinal") {
  TwoViews views;
  const RunId id = views.writer.create_run(a_run());
  PointRow skipped = a_point(0);
  skipped.point.status = Status::skipped;
  skipped.point.reason = awkward;
  skipped.point.measure.basis = Basis::device;
  skipped.point.problem = {};
  skipped.cost.flops = std::nan("");
  skipped.vendor = false;
  const PointRow open = a_point(1);
  const auto ids = views.writer.add_points(id, std::vector{open, skipped});
  const auto points = views.reader.points(id);
  REQUIRE(points.size() == 2);
  CHECK(points[0].id == ids[1]);
  CHECK(points[1].id == ids[0]);

  CHECK(points[0].finished);
  CHECK(points[0].point.status == Status::skipped);
  CHECK(points[0].point.reason == awkward);
  CHECK(points[0].point.measure == skipped.point.measure);
  CHECK(points[0].point.problem.empty());
  CHECK(std::isnan(points[0].cost.flops));
  CHECK_FALSE(points[0].vendor);

  const PointRow& point = points[1];
  CHECK(point.run == id);
  CHECK(point.ordinal == 1);
  CHECK(point.point.sweep == 3);
  CHECK(point.point.workload == "matmul");
  CHECK(point.point.variant == "tiled");
  CHECK(point.point.backend == "fake");
  CHECK(point.point.device == "fake:0");
  CHECK(point.point.problem == open.point.problem);
  CHECK(point.point.layout == "soa");
  CHECK(point.point.tunables == open.point.tunables);
  CHECK(point.point.measure == open.point.measure);
  CHECK(point.point.expect == Expect::wrong);
  CHECK(point.point.status == Status::not_run);
  CHECK(point.content_key == "key1");
  CHECK(point.vendor);
  CHECK(point.cost.flops == 1e9);
  CHECK(point.cost.bytes_read == 2e6);
  CHECK(point.cost.bytes_written == 3e6);
  CHECK_FALSE(point.finished);
  CHECK_FALSE(point.reused_from);
  CHECK(views.reader.status_counts(id) == StatusCounts{{Status::skipped, 1}, {Status::not_run, 1}});
}

TEST_CASE("samples come back bit by bit, in the order in which they were added") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  const PointId point = views.writer.add_points(run, std::vector{a_point(0)}).front();
  views.writer.append_samples(point, 1, 1, a_block(200));
  views.writer.append_samples(point, 0, 0, a_block(100));
  views.writer.append_samples(point, 0, 2, {});
  const auto rows = views.reader.samples(point);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].point == point);
  CHECK(rows[0].session == 1);
  CHECK(rows[0].round == 1);
  CHECK(rows[0].used);
  CHECK(looks_like_time(rows[0].stored_at));
  check_block(rows[0].block, a_block(200));
  check_block(rows[1].block, a_block(100));
  CHECK(rows[2].block.ns.empty());
  CHECK_FALSE(rows[2].block.gated);
  CHECK(used_ns(rows) == std::vector<double>{200, 200.1, 200 + 1e-9, 100, 100.1, 100 + 1e-9});

  views.writer.mark_unused(point, 1);
  const auto marked = views.reader.samples(point);
  REQUIRE(marked.size() == 3);
  CHECK_FALSE(marked[0].used);
  CHECK(marked[1].used);
  CHECK(used_ns(marked) == std::vector<double>{100, 100.1, 100 + 1e-9});
}

TEST_CASE("rounds of different replicates stand side by side") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  const PointId point = views.writer.add_points(run, std::vector{a_point(0)}).front();
  views.writer.append_samples(point, 0, 0, a_block(100));
  views.writer.append_samples(point, 0, 0, a_block(200), 1);
  CHECK_THROWS_AS(views.writer.append_samples(point, 0, 0, a_block(200), 1), StoreError);
  views.writer.mark_unused(point, 0, 1);
  const auto rows = views.reader.samples(point);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].replicate == 0);
  CHECK(rows[0].used);
  CHECK(rows[1].replicate == 1);
  CHECK_FALSE(rows[1].used);
}

TEST_CASE("comparisons come back field by field, and a new result takes them away") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  const PointId point = views.writer.add_points(run, std::vector{a_point(0)}).front();
  views.writer.finish_point(point, a_result());
  CHECK(views.reader.results(run).front().comparisons.empty());
  const std::vector<Comparison> comparisons{
      {Against::baseline, 4, "the base", 30, 1.25, 1.2, 1.3, 7, 0.02, "slower"},
      {Against::best, 0, "itself", 30, 1, 1, 1, 3, 0.01, "same"}};
  views.writer.set_comparisons(point, comparisons);
  views.writer.set_comparisons(point, comparisons);
  CHECK(views.reader.results(run).front().comparisons == comparisons);
  CHECK(views.reader.results(run).front().compared(Against::best)->label == "itself");
  CHECK(views.reader.results(run).front().compared(Against::own) == nullptr);
  views.writer.reopen(point);
  CHECK(views.reader.results(run).front().comparisons == comparisons);
  views.writer.finish_point(point, a_result());
  CHECK(views.reader.results(run).front().comparisons.empty());
}

TEST_CASE("a reopened point keeps its result, takes samples, and can be settled as it was") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  const PointId point = views.writer.add_points(run, std::vector{a_point(0)}).front();
  views.writer.append_samples(point, 0, 0, a_block(100));
  views.writer.finish_point(point, a_result());
  CHECK_THROWS_AS(views.writer.append_samples(point, 0, 1, a_block(100)), StoreError);
  views.writer.reopen(point);
  CHECK_FALSE(views.reader.points(run).front().finished);
  CHECK(views.reader.results(run).front().measurement.has_value());
  views.writer.append_samples(point, 0, 1, a_block(100));
  views.writer.settle(point);
  CHECK(views.reader.points(run).front().finished);
  CHECK_THROWS_AS(views.writer.append_samples(point, 0, 2, a_block(100)), StoreError);
}

TEST_CASE("a result comes back field by field") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  const auto ids = views.writer.add_points(run, std::vector{a_point(0), a_point(1)});
  views.writer.finish_point(ids[0], a_result());
  PointResult failed;
  failed.status = Status::launch_error;
  failed.reason = "no";
  views.writer.finish_point(ids[1], failed);

  const auto results = views.reader.results(run);
  REQUIRE(results.size() == 2);
  CHECK(results[0].row.finished);
  CHECK(results[0].row.point.status == Status::ok);
  CHECK(results[0].row.point.reason == awkward);
  check_measurement(results[0].measurement.value(), a_measurement());
  REQUIRE(results[0].verifications.size() == 2);
  check_verification(results[0].verifications.at(VerificationPhase::before), a_verification(1e-7));
  check_verification(results[0].verifications.at(VerificationPhase::after), a_verification(2e-7));
  CHECK(results[0].resources == a_result().resources);
  CHECK(results[0].notes == a_result().notes);
  CHECK(results[1].row.point.status == Status::launch_error);
  CHECK(results[1].row.finished);
  CHECK_FALSE(results[1].measurement);
  CHECK(results[1].verifications.empty());
}

TEST_CASE("what is no number is kept as such in every figure") {
  TwoViews views;
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const RunId run = views.writer.create_run(a_run());
  const PointId point = views.writer.add_points(run, std::vector{a_point(0)}).front();
  PointResult result = a_result();
  Measurement& m = *result.measurement;
  m.median_ns = m.ci_low_ns = m.ci_high_ns = m.min_ns = m.max_ns = m.mean_ns = m.mad_ns = m.p5_ns = nan;
  m.p25_ns = m.p75_ns = m.p95_ns = m.warmup_ns = nan;
  Verification& v = result.verifications[VerificationPhase::after];
  v.error_norm = v.worst_error = nan;
  v.tolerance_norm = infinity;
  result.resources["occupancy"] = nan;
  views.writer.finish_point(point, result);

  const auto stored = views.reader.results(run).front();
  const Measurement& read = *stored.measurement;
  for (const double figure :
       {read.median_ns, read.ci_low_ns, read.ci_high_ns, read.min_ns, read.max_ns, read.mean_ns,
        read.mad_ns, read.p5_ns, read.p25_ns, read.p75_ns, read.p95_ns, read.warmup_ns}) {
    CHECK(std::isnan(figure));
  }
  CHECK(std::isnan(stored.verifications.at(VerificationPhase::after).error_norm));
  CHECK(stored.verifications.at(VerificationPhase::after).tolerance_norm == infinity);
  CHECK(std::isnan(stored.resources.at("occupancy")));
  CHECK(stored.resources.at("registers") == 40);
}

TEST_CASE("bytes that are no UTF-8 do not stop a result from being stored") {
  TwoViews views;
  const RunId run = views.writer.create_run(a_run());
  PointRow odd = a_point(0);
  odd.point.tunables.set("text", std::string("a\xff") + "b");
  const PointId point = views.writer.add_points(run, std::vector{odd}).front();
  PointResult result;
  result.status = Status::compile_error;
  result.reason = std::string("log \xfe\0 end", 10);
  views.writer.finish_point(point, result);
  const auto stored = views.reader.results(run).front();
  CHECK(stored.row.point.reason == result.reason);
  CHECK(stored.row.point.tunables.at("text") == Value(std::string("a\uFFFDb")));
}
