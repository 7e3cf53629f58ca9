// Which runs of a store tell how far times scatter from process to process.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "report/compared_sides.hpp"

#include <cmath>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::WithinRel;

namespace {

class Runs {
 public:
  RunId add(double median, RunWanted wanted = {}) {
    if (wanted.lanes.empty()) wanted.lanes = {lane_of("gpu:0", "Card")};
    if (wanted.points.empty()) wanted.points = {measured("gpu:0", "tiled", median, median * 0.001)};
    return store_run(store_, wanted);
  }
  [[nodiscard]] CompareResult compare(RunId base, RunId fresh) {
    base_ = side_of(store_, base);
    fresh_ = side_of(store_, fresh);
    return compare_runs(base_, fresh_, {});
  }

 private:
  TemporaryDirectory folder_;
  Store store_ = Store::open(folder_.path() / "s.db");
  CompareSide base_;
  CompareSide fresh_;
};

}  // namespace

TEST_CASE("the spread is that of the other runs of the same point on the same device") {
  Runs runs;
  const RunId base = runs.add(100);
  runs.add(102);
  runs.add(100);
  // Another card, another driver, a replay, an interrupted run, and a point that failed say nothing.
  RunWanted other;
  other.lanes = {lane_of("gpu:0", "Other")};
  runs.add(300, other);
  Lane newer = lane_of("gpu:0", "Card");
  newer.device.driver = "driver 2";
  other.lanes = {newer};
  runs.add(300, other);
  RunWanted replay;
  replay.title = "replay of run 1:0";
  runs.add(300, replay);
  RunWanted interrupted;
  interrupted.state = RunState::interrupted;
  runs.add(300, interrupted);
  RunWanted failed;
  failed.points = {untimed("gpu:0", "tiled", Status::crashed, "SIGSEGV")};
  runs.add(0, failed);
  const RunId fresh = runs.add(103);

  const CompareResult result = runs.compare(base, fresh);
  REQUIRE(result.pairs.size() == 1);
  CHECK(result.spread.from_runs == 1);
  CHECK(result.spread.runs == 3);
  CHECK(result.spread.builds == 1);
  const double difference = std::log(1.02);
  CHECK_THAT(result.pairs[0].process_spread, WithinRel(difference / std::sqrt(2), 1e-6));
  // Student's t with 8/5 degrees of freedom is far more than 2.
  CHECK(result.pairs[0].interval.low < 0.95);
  CHECK(result.pairs[0].outcome == PairOutcome::not_resolved);
  CHECK_FALSE(result.pairs[0].doubted);
}

TEST_CASE("two runs alone tell nothing of the spread, and a difference is no failure") {
  Runs runs;
  const RunId base = runs.add(100);
  const RunId fresh = runs.add(110);
  const CompareResult result = runs.compare(base, fresh);
  CHECK(result.spread.unknown == 1);
  CHECK(std::isnan(result.pairs[0].process_spread));
  CHECK(result.pairs[0].doubted == PairOutcome::slower);
  CHECK(result.pairs[0].outcome == PairOutcome::not_resolved);
  CHECK(result.verdict == GateVerdict::not_resolved);
  CHECK(runs.compare(fresh, base).pairs[0].doubted == PairOutcome::faster);
  CHECK(runs.compare(fresh, base).verdict == GateVerdict::fine);
  CHECK_FALSE(runs.compare(base, base).pairs[0].doubted);
}

TEST_CASE("replicates of one run stand for the processes of the other") {
  const auto with_processes = [](double median, std::vector<double> medians) {
    ComparedPoint point = sampled_point("tiled", median, 0.0001);
    point.samples.clear();
    for (const double own : medians)
      point.samples.push_back(sampled_point("tiled", own, 0.0001).samples[0]);
    point.metrics.set("replicates", static_cast<double>(medians.size()));
    return point;
  };
  const CompareSide base = side_with({with_processes(100, {99, 100, 101, 100, 100})});
  const CompareSide fresh = side_with({sampled_point("tiled", 101, 0.0001)});
  const CompareResult result = compare_runs(base, fresh, {});
  CHECK(result.spread.replicated == 1);
  CHECK_THAT(result.pairs[0].process_spread, WithinRel(std::sqrt(0.5) * 0.01, 0.01));
  CHECK(result.pairs[0].outcome == PairOutcome::not_resolved);
  const CompareSide slow = side_with({sampled_point("tiled", 110, 0.0001)});
  CHECK(compare_runs(base, slow, {}).pairs[0].outcome == PairOutcome::slower);
}
