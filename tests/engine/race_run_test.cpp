// Who is the fastest, and who leaves early, in runs on the scripted plugin.
#include "engine/scripted_run.hpp"

using namespace benchctl;
using namespace benchctl::test;

TEST_CASE("points that are shown slower leave early, and who is the fastest is stored") {
  const std::string three = "n = [8]\nns = [1000000, 1500000, 3000000]\nnoise = [0.02]";
  const Performed result = run(three, "max_seconds = 4\ntarget = 0.002", unlimited);
  REQUIRE(result.points.size() == 3);
  CHECK(result.points[0].measurement->stop == StopReason::target);
  CHECK(result.points[1].measurement->stop == StopReason::slower);
  CHECK(result.points[2].measurement->stop == StopReason::slower);
  CHECK(result.points[2].measurement->n_samples >= 3);
  CHECK(result.points[2].measurement->n_samples * 5 < result.points[0].measurement->n_samples);
  for (const Result& point : result.points) {
    CHECK(point.row.point.status == Status::ok);
    CHECK(against_best(point).other == 0);
    CHECK(against_best(point).verdict ==
          (point.row.ordinal == 0 ? stats::Verdict::same : stats::Verdict::slower));
    CHECK(point.compared(Against::own)->other == 0);
    // `ns` is the tunable with several values.
    CHECK(point.compared(Against::question)->other == 0);
  }
  CHECK(std::abs(against_best(result.points[2]).time_ratio - 3) < 0.1);
  // A covering sample is no common round.
  CHECK(against_best(result.points[2]).rounds >= 3);
  const Performed everyone = run(three, "precision = \"all\"\nmax_seconds = 4\ntarget = 0.005", unlimited);
  CHECK(everyone.stopped_by(StopReason::target) == 3);
}

TEST_CASE("the few samples that a cap allows are spread over rounds, which tell who is faster") {
  const Performed result =
      run("n = [8]\nns = [100000, 200000]\nnoise = [0.01]", "max_samples = 12\nmin_samples = 6", unlimited);
  REQUIRE(result.points.size() == 2);
  CHECK(result.points[0].measurement->n_samples == 12);
  CHECK(against_best(result.points[1]).verdict == stats::Verdict::slower);
  CHECK(against_best(result.points[1]).rounds >= 3);
}

TEST_CASE("a single round is enough for an execution of most of a second") {
  const Performed result = run("n = [8]\nns = [1000000, 900000000, 3000000]\nnoise = [0.02]",
                               "max_seconds = 4\ntarget = 0.002", unlimited);
  REQUIRE(result.points.size() == 3);
  REQUIRE(result.points[1].measurement);
  CHECK(result.points[1].row.point.status == Status::ok);
  CHECK(result.points[1].measurement->n_samples == 1);
  CHECK(result.points[1].measurement->stop == StopReason::slower);
  CHECK(against_best(result.points[1]).verdict == stats::Verdict::slower);
  CHECK(against_best(result.points[1]).rounds == 1);
  CHECK(result.points[2].measurement->n_samples >= 3);
}

TEST_CASE("who left behind a cheat takes part again when the cheat is caught") {
  const Performed result = run("n = [8]\nns = [1000000, 1500000, 1510000, 3000000]\nnoise = [0.02]",
                               "max_seconds = 4\ntarget = 0.002", unlimited, {}, "written", 1.2e6);
  REQUIRE(result.points.size() == 4);
  CHECK(result.points[0].row.point.status == Status::implausible);
  CHECK_FALSE(result.points[0].measurement);
  // Both of 1.5 ms had left after three rounds; then they are each other's rivals.
  for (const std::size_t i : {1U, 2U}) {
    REQUIRE(result.points[i].measurement);
    CHECK(result.points[i].measurement->n_samples > 20);
    CHECK(against_best(result.points[i]).other == 1);
    CHECK(against_best(result.points[i]).verdict == stats::Verdict::same);
  }
  CHECK(result.points[3].measurement->stop == StopReason::slower);
  CHECK(against_best(result.points[3]).verdict == stats::Verdict::slower);
}

TEST_CASE("equal points go on until they are known to be the same, and tie") {
  const Performed result = run("n = [8]\nns = [1000000]\nnoise = [0.01]\ncorrelation = [0.0, 0.001]",
                               "max_seconds = 20\ntarget = 0.5", unlimited);
  REQUIRE(result.points.size() == 2);
  for (const Result& point : result.points) {
    CHECK(point.measurement->stop == StopReason::target);
    CHECK(against_best(point).verdict == stats::Verdict::same);
    CHECK(against_best(point).rounds > 9);
  }
}
