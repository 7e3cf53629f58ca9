// Who is the fastest, stored from rounds that a store holds.
#include "engine/contest.hpp"

#include "store/store.hpp"
#include "support/paths.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace benchctl;

namespace {

/// The verdict on a point of three rounds beside one of forty that scatters widely; 2.4 times as long in
/// the rounds that both have, and stopped for that reason.
std::string verdict_of(StopReason stop) {
  const test::TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  NewRun run;
  run.name = run.title = "x";
  run.environment = "[]";
  const RunId id = store.create_run(run);
  std::vector<PointRow> rows(2);
  std::vector<RunPoint> points(2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Point& point = rows[i].point;
    point.workload = "matmul";
    point.backend = "gpu";
    point.device = "gpu:0";
    point.variant = i == 0 ? "fast" : "left";
    point.problem = {{"n", std::int64_t{64}}};
    rows[i].ordinal = i;
  }
  const std::vector<PointId> ids = store.add_points(id, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    points[i].point = rows[i].point;
    points[i].id = ids[i];
    points[i].finished = true;
    const std::uint32_t rounds = i == 0 ? 40 : 3;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      SampleBlock block;
      block.ns = {(i == 0 ? 100.0 : 240.0) * (round % 3 == 1 ? 6 : 1)};
      store.append_samples(ids[i], 0, round, block, 0);
    }
    PointResult result;
    result.status = Status::ok;
    result.measurement.emplace();
    result.measurement->n_samples = rounds;
    result.measurement->median_ns = i == 0 ? 100 : 240;
    result.measurement->stop = i == 0 ? StopReason::target : stop;
    result.verifications[VerificationPhase::before].ok = true;
    store.finish_point(ids[i], result);
  }
  const Catalogue catalogue;
  RunComparisons(store, points, catalogue, "", 0.01).update(std::vector<std::size_t>{0, 1}, {});
  const Result left = store.result(ids[1]);
  REQUIRE(left.compared(Against::best) != nullptr);
  CHECK(left.compared(Against::best)->reference == 0);
  return left.compared(Against::best)->verdict;
}

}  // namespace

TEST_CASE("who left the rounds as slower stays slower, however few rounds it has") {
  CHECK(verdict_of(StopReason::slower) == "slower");
  CHECK(verdict_of(StopReason::budget) == "not_resolved");
}
