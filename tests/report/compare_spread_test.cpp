// Which runs of a store tell how far times scatter from process to process.
#include "report/compared_sides.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

class Runs : OneStore {
 public:
  RunId add(double median, RunWanted wanted = {}) {
    if (wanted.points.empty()) wanted.points = {measured("gpu:0", "tiled", median, median * 0.001)};
    return store_run(store, wanted);
  }
  [[nodiscard]] CompareResult compare(RunId base, RunId fresh) {
    base_ = side_of(store, base);
    fresh_ = side_of(store, fresh);
    return compare_runs(base_, fresh_, {});
  }

 private:
  CompareSide base_;
  CompareSide fresh_;
};

}  // namespace

TEST_CASE_METHOD(Runs, "the spread is that of the other runs of the same point on the same device") {
  const RunId base = add(100);
  add(102);
  add(100);
  // Another card, another driver, an interrupted run, and a point that failed say nothing.
  RunWanted other;
  other.lanes = {lane_of("gpu:0", "Other")};
  add(300, other);
  Lane newer = lane_of("gpu:0", "Card");
  newer.device.driver = "driver 2";
  other.lanes = {newer};
  add(300, other);
  RunWanted interrupted;
  interrupted.state = RunState::interrupted;
  add(300, interrupted);
  RunWanted failed;
  failed.points = {untimed("gpu:0", "tiled", Status::crashed, "SIGSEGV")};
  add(0, failed);
  const RunId fresh = add(103);

  const CompareResult result = compare(base, fresh);
  REQUIRE(result.pairs.size() == 1);
  CHECK(result.spread.from_runs == 1);
  CHECK(result.spread.runs == 3);
  CHECK(result.spread.builds == 1);
  const double difference = std::log(1.02);
  CHECK_THAT(result.pairs[0].process_spread(), WithinRel(difference / std::sqrt(2), 1e-6));
  // Student's t with 8/5 degrees of freedom is far more than 2.
  CHECK(result.pairs[0].interval.low < 0.95);
  CHECK(result.pairs[0].outcome == PairOutcome::not_resolved);
  CHECK_FALSE(result.pairs[0].doubted);
}

TEST_CASE("replicates of one run stand for the processes of the other") {
  const auto with_processes = [](double median, std::vector<double> medians) {
    ComparedPoint point = sampled_point("tiled", median, 0.0001);
    point.samples.clear();
    for (const double own : medians)
      point.samples.push_back(sampled_point("tiled", own, 0.0001).samples[0]);
    point.resources["replicates"] = static_cast<double>(medians.size());
    return point;
  };
  const CompareSide base = side_with({with_processes(100, {99, 100, 101, 100, 100})});
  const CompareSide fresh = side_with({sampled_point("tiled", 101, 0.0001)});
  const CompareResult result = compare_runs(base, fresh, {});
  CHECK(result.spread.replicated == 1);
  CHECK_THAT(result.pairs[0].process_spread(), WithinRel(std::sqrt(0.5) * 0.01, 0.01));
  CHECK(result.pairs[0].outcome == PairOutcome::not_resolved);
  const CompareSide slow = side_with({sampled_point("tiled", 110, 0.0001)});
  CHECK(compare_runs(base, slow, {}).pairs[0].outcome == PairOutcome::slower);
}
