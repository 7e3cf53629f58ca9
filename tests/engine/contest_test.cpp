// Who may still be the fastest, on numbers alone; and who is, stored from rounds that a store holds.
#include "engine/contest.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#include <random>

using namespace benchctl;

namespace {

Contestant contestant(double ns, std::uint32_t rounds, std::uint64_t seed, double noise = 0.002) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise);
  Contestant one;
  one.may_leave = true;
  for (std::uint32_t round = 1; round <= rounds; ++round)
    one.rounds[stats::round_key(0, round)] = ns * std::exp(normal(random));
  return one;
}

using Prospects = std::vector<Prospect>;

/// The verdict on a point of three rounds beside one of forty that scatters widely; 2.4 times as long in
/// the rounds that both have, and stopped for that reason.
stats::Verdict verdict_of(StopReason stop) {
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
    points[i].let_go();
    const std::uint32_t rounds = i == 0 ? 40 : 3;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      SampleBlock block;
      block.ns = {(i == 0 ? 100.0 : 240.0) * (round % 3 == 1 ? 6 : 1)};
      store.append_samples(ids[i], 0, round, block, 0);
    }
    Result result;
    result.row.point.status = Status::ok;
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
  CHECK(left.compared(Against::best)->other == 0);
  return left.compared(Against::best)->verdict;
}

}  // namespace

TEST_CASE("who is shown slower may leave, whoever is close is contested, and so is the best") {
  CHECK(prospects(std::vector{contestant(100, 12, 1), contestant(103, 12, 2), contestant(300, 12, 3)},
                  0.01) == Prospects{Prospect::settled, Prospect::slower, Prospect::slower});
  // 1 % apart at a threshold of 1 %: neither the same nor different.
  CHECK(prospects(std::vector{contestant(100, 12, 1), contestant(101, 12, 2)}, 0.01) ==
        Prospects{Prospect::contested, Prospect::contested});
  CHECK(prospects(std::vector{contestant(100, 12, 1), contestant(100, 12, 2)}, 0.01) ==
        Prospects{Prospect::settled, Prospect::settled});
}

TEST_CASE("a rival that has no more rounds contests nothing") {
  std::vector<Contestant> both{contestant(100, 12, 1), contestant(101, 12, 2)};
  both[1].open = false;
  CHECK(prospects(both, 0.01) == Prospects{Prospect::settled, Prospect::settled});
}

TEST_CASE("nobody leaves without the samples and the common rounds that it must have") {
  std::vector<Contestant> both{contestant(100, 12, 1), contestant(300, 12, 2)};
  both[1].may_leave = false;
  CHECK(prospects(both, 0.01)[1] == Prospect::contested);
  both[1].may_leave = true;
  both[1].rounds.erase(std::next(both[1].rounds.begin(), 2), both[1].rounds.end());
  CHECK(prospects(both, 0.01)[1] == Prospect::contested);
  both[1].fewest_rounds = 0;
  CHECK(prospects(both, 0.01)[1] == Prospect::slower);
}

TEST_CASE("points compete with those of their own circle: asked about, no library, any") {
  std::vector<Contestant> all{contestant(10, 12, 1), contestant(50, 12, 2), contestant(100, 12, 3),
                              contestant(150, 12, 4)};
  all[0].vendor = true;
  all[2].asked = all[3].asked = true;
  // The library is the fastest; of the others the second; of those asked about the third, which stays.
  CHECK(prospects(all, 0.01) ==
        Prospects{Prospect::settled, Prospect::settled, Prospect::settled, Prospect::slower});
  all[1].asked = true;
  CHECK(prospects(all, 0.01) ==
        Prospects{Prospect::settled, Prospect::settled, Prospect::slower, Prospect::slower});
  // A slower library leaves.
  all[0] = contestant(99, 12, 5);
  all[0].vendor = true;
  CHECK(prospects(all, 0.01)[0] == Prospect::slower);
}

TEST_CASE("other devices and other ways of measuring do not compete") {
  std::vector<Contestant> both{contestant(100, 12, 1), contestant(300, 12, 2)};
  both[1].table = 1;
  CHECK(prospects(both, 0.01) == Prospects{Prospect::settled, Prospect::settled});
}

TEST_CASE("one looks after 3, 4, 6, 9 and 14 rounds, then at half as many more") {
  std::vector<std::int64_t> looks;
  for (std::int64_t rounds = 0; looks.size() < 9;) looks.push_back(rounds = next_look(rounds));
  CHECK(looks == std::vector<std::int64_t>{3, 4, 6, 9, 14, 21, 32, 48, 72});
}

TEST_CASE("who left the rounds as slower stays slower, however few rounds it has") {
  CHECK(verdict_of(StopReason::slower) == stats::Verdict::slower);
  CHECK(verdict_of(StopReason::budget) == stats::Verdict::not_resolved);
}
