// Everything that goes into the store comes out of it, read by a second Store object.
#include "store/fixtures.hpp"
#include "support/catch.hpp"

#include <regex>
#include <tuple>

using namespace benchctl;
using namespace benchctl::test;

namespace {

/// A run of one point, written by one object and read by another.
struct OnePoint {
  TemporaryDirectory folder;
  std::filesystem::path file = folder.path() / "a b?#%.db";
  Store writer = Store::open(file);
  Store reader = Store::open(file, Store::Access::read_only);
  RunId run = writer.create_run(a_run());
  PointId point = writer.add_points(run, std::vector{a_point(0)}).front();

  [[nodiscard]] Result result() const { return reader.results(run).front(); }
};

bool looks_like_time(const std::string& text) {
  return std::regex_match(text, std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"));
}

auto run_fields(const auto& run) {
  return std::tie(run.name, run.title, run.question, run.config_text, run.config_hash, run.command,
                  run.version, run.seed, run.environment);
}

auto fields(const DeviceInfo& d) {
  return std::tie(d.name, d.vendor, d.type, d.driver, d.architecture, d.physical, d.limits.memory_bytes,
                  d.limits.max_grid, d.features, d.properties);
}

auto fields(const PointRow& row) {
  const Point& p = row.point;
  return std::tie(row.ordinal, p.sweep, p.workload, p.variant, p.backend, p.device, p.problem, p.layout,
                  p.tunables, p.measure, p.apart, p.expect, p.status, p.reason, row.content_key, row.vendor,
                  row.cost.flops, row.cost.bytes_read, row.cost.bytes_written, row.finished,
                  row.reused_from);
}

auto fields(const Measurement& m) {
  return std::tie(m.n_samples, m.batch, m.gated, m.median_ns, m.ci_low_ns, m.ci_high_ns, m.min_ns, m.max_ns,
                  m.mean_ns, m.mad_ns, m.p5_ns, m.p25_ns, m.p75_ns, m.p95_ns, m.warmup_ns, m.processes,
                  m.stop, m.note);
}

auto fields(const Verification& v) {
  return std::tie(v.ok, v.reason, v.error_norm, v.tolerance_norm, v.worst_error, v.worst_tolerance,
                  v.worst_element, v.checked, v.not_a_number, v.guard_bytes_changed);
}

void check_block(const SampleBlock& a, const SampleBlock& b) {
  CHECK(std::tie(a.ns, a.batch, a.gated, a.note) == std::tie(b.ns, b.batch, b.gated, b.note));
  REQUIRE(a.readings.size() == b.readings.size());
  for (const auto& [metric, values] : a.readings) {
    CHECK(std::ranges::equal(values, b.readings.at(metric), [](double one, double other) {
      return one == other || (std::isnan(one) && std::isnan(other));
    }));
  }
}

}  // namespace

TEST_CASE_METHOD(OnePoint, "a run comes back field by field") {
  const NewRun given = a_run();
  const RunRow row = reader.run(run).value();
  CHECK(row.id == run);
  CHECK(run_fields(row) == run_fields(given));
  CHECK(row.state == RunState::running);
  CHECK(looks_like_time(row.created_at));
  CHECK(row.finished_at.empty());
  CHECK_FALSE(reader.run(RunId{99}));
}

TEST_CASE_METHOD(OnePoint, "lanes come back in order with all of their device") {
  static_cast<void>(writer.create_run(a_run("other")));
  const NewRun given = a_run();
  const auto lanes = reader.lanes(run);
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[1].name() == "fake:1");
  CHECK(fields(lanes[0].device) == fields(given.lanes[0].device));
}

TEST_CASE_METHOD(OnePoint, "events come back in order") {
  writer.add_event(run, "resumed");
  writer.add_event(run, awkward);
  const auto events = reader.events(run);
  REQUIRE(events.size() == 2);
  CHECK(events[0].text == "resumed");
  CHECK(events[1].text == awkward);
  CHECK(looks_like_time(events[0].time));
}

TEST_CASE_METHOD(OnePoint, "points come back field by field, by ordinal") {
  const RunId other = writer.create_run(a_run("other"));
  PointRow skipped = a_point(0);
  skipped.point.status = Status::skipped;
  skipped.point.reason = awkward;
  skipped.point.measure.basis = Basis::device;
  skipped.point.problem = {};
  skipped.cost.flops = std::nan("");
  skipped.vendor = false;
  const PointRow open = a_point(1);
  const auto ids = writer.add_points(other, std::vector{open, skipped});
  const auto points = reader.points(other);
  REQUIRE(points.size() == 2);
  CHECK(points[0].id == ids[1]);
  CHECK(points[0].finished);
  CHECK(points[0].point.status == Status::skipped);
  CHECK(points[0].point.reason == awkward);
  CHECK(points[0].point.measure == skipped.point.measure);
  CHECK(points[0].point.problem.empty());
  CHECK(std::isnan(points[0].cost.flops));
  CHECK_FALSE(points[0].vendor);
  CHECK(points[1].id == ids[0]);
  CHECK(points[1].run == other);
  CHECK(fields(points[1]) == fields(open));
  CHECK(reader.status_counts(other) == StatusCounts{{Status::skipped, 1}, {Status::not_run, 1}});
}

TEST_CASE_METHOD(OnePoint, "samples come back bit by bit, in the order in which they were added") {
  writer.append_samples(point, 1, 1, a_block(200));
  writer.append_samples(point, 0, 0, a_block(100));
  writer.append_samples(point, 0, 2, {});
  const auto rows = reader.samples(point);
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
  writer.mark_unused(point, 1);
  const auto marked = reader.samples(point);
  REQUIRE(marked.size() == 3);
  CHECK_FALSE(marked[0].used);
  CHECK(marked[1].used);
  CHECK(used_ns(marked) == std::vector<double>{100, 100.1, 100 + 1e-9});
}

TEST_CASE_METHOD(OnePoint, "rounds of different replicates stand side by side") {
  writer.append_samples(point, 0, 0, a_block(100));
  writer.append_samples(point, 0, 0, a_block(200), 1);
  CHECK_THROWS_AS(writer.append_samples(point, 0, 0, a_block(200), 1), StoreError);
  writer.mark_unused(point, 0, 1);
  const auto rows = reader.samples(point);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].replicate == 0);
  CHECK(rows[0].used);
  CHECK(rows[1].replicate == 1);
  CHECK_FALSE(rows[1].used);
}

TEST_CASE_METHOD(OnePoint, "comparisons come back field by field, and a new result takes them away") {
  writer.finish_point(point, a_result());
  CHECK(result().comparisons.empty());
  const std::vector<Comparison> comparisons{
      {Against::baseline, 4, "the base", 30, 1.25, 1.2, 1.3, 7, 0.02, stats::Verdict::slower},
      {Against::best, 0, "itself", 30, 1, 1, 1, 3, 0.01, stats::Verdict::same}};
  writer.set_comparisons({{point, comparisons}});
  writer.set_comparisons({{point, comparisons}});
  CHECK(result().comparisons == comparisons);
  CHECK(result().compared(Against::best)->label == "itself");
  CHECK(result().compared(Against::own) == nullptr);
  writer.reopen(point);
  CHECK(result().comparisons == comparisons);
  writer.finish_point(point, a_result());
  CHECK(result().comparisons.empty());
  writer.set_comparisons({{point, comparisons}});
  execute(file, "UPDATE comparisons SET verdict = 'quick'");
  CHECK_THROWS_MATCHES(result(), StoreError, MessageMatches(ContainsSubstring("unknown word 'quick'")));
}

TEST_CASE_METHOD(OnePoint, "verdicts are stored as words") {
  using stats::Verdict;
  for (const auto& [verdict, word] :
       {std::pair(Verdict::faster, "faster"), std::pair(Verdict::slower, "slower"),
        std::pair(Verdict::same, "same"), std::pair(Verdict::not_resolved, "not_resolved")}) {
    Comparison comparison;
    comparison.verdict = verdict;
    writer.set_comparisons({{point, {comparison}}});
    CHECK(execute(file, "SELECT verdict FROM comparisons") == word);
  }
}

TEST_CASE_METHOD(OnePoint,
                 "a reopened point keeps its result, takes samples, and can be settled as it was") {
  writer.append_samples(point, 0, 0, a_block(100));
  writer.finish_point(point, a_result());
  writer.reopen(point);
  CHECK_FALSE(result().row.finished);
  CHECK(result().measurement.has_value());
  writer.append_samples(point, 0, 1, a_block(100));
  writer.settle(point);
  CHECK(result().row.finished);
  CHECK_THROWS_AS(writer.append_samples(point, 0, 2, a_block(100)), StoreError);
}

TEST_CASE_METHOD(OnePoint, "a result comes back field by field") {
  writer.finish_point(point, a_result());
  Result failed;
  failed.row.point.status = Status::launch_error;
  failed.row.point.reason = "no";
  writer.finish_point(writer.add_points(run, std::vector{a_point(1)}).front(), failed);
  const auto results = reader.results(run);
  REQUIRE(results.size() == 2);
  CHECK(results[0].row.finished);
  CHECK(results[0].row.point.status == Status::ok);
  CHECK(results[0].row.point.reason == awkward);
  const Result given = a_result();
  CHECK(fields(results[0].measurement.value()) == fields(*given.measurement));
  REQUIRE(results[0].verifications.size() == 2);
  for (const auto& [phase, verification] : given.verifications)
    CHECK(fields(results[0].verifications.at(phase)) == fields(verification));
  CHECK(results[0].resources == given.resources);
  CHECK(results[0].notes == given.notes);
  CHECK(results[1].row.point.status == Status::launch_error);
  CHECK(results[1].row.finished);
  CHECK_FALSE(results[1].measurement);
  CHECK(results[1].verifications.empty());
}

TEST_CASE_METHOD(OnePoint, "what is no number is kept as such in every figure") {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  Result given = a_result();
  Measurement& m = *given.measurement;
  m.median_ns = m.ci_low_ns = m.ci_high_ns = m.min_ns = m.max_ns = m.mean_ns = m.mad_ns = m.p5_ns = nan;
  m.p25_ns = m.p75_ns = m.p95_ns = m.warmup_ns = nan;
  Verification& v = given.verifications[VerificationPhase::after];
  v.error_norm = v.worst_error = nan;
  v.tolerance_norm = infinity;
  given.resources["occupancy"] = nan;
  writer.finish_point(point, given);

  const Result stored = result();
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

TEST_CASE_METHOD(OnePoint, "bytes that are no UTF-8 do not stop a result from being stored") {
  PointRow odd = a_point(1);
  odd.point.tunables.set("text", std::string("a\xff") + "b");
  const PointId id = writer.add_points(run, std::vector{odd}).front();
  Result given;
  given.row.point.status = Status::compile_error;
  given.row.point.reason = std::string("log \xfe\0 end", 10);
  writer.finish_point(id, given);
  const Result stored = reader.result(id);
  CHECK(stored.row.point.reason == given.row.point.reason);
  CHECK(stored.row.point.tunables.at("text") == Value(std::string("a\uFFFDb")));
}
