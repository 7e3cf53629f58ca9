// What runs with a budget do, and in which order.
#include "engine/scripted_run.hpp"

#include <fmt/format.h>

using namespace benchctl;
using namespace benchctl::test;

namespace {

const std::string wide = "n = [8, 9]\nns = [1000000]\nnoise = [0.02, 0.3, 0.8]";
const std::string all = "precision = \"all\"\n";

}  // namespace

TEST_CASE("without a budget the points of a problem cover a span together") {
  const std::string quick = "n = [8, 9]\nns = [100000, 150000]\nnoise = [0.001]";
  const auto spans = [&](const std::string& measure, double budget) {
    std::vector<double> seconds;
    for (const auto& [n, sum] : run(quick, measure, budget).sampling_seconds) seconds.push_back(sum);
    REQUIRE(seconds.size() == 2);
    return seconds;
  };
  const std::string measure = "max_seconds = 4\nspan_seconds = ";
  for (const double seconds : spans(measure + "0.3", unlimited)) {
    CHECK(seconds >= 0.299);
    CHECK(seconds <= 0.32);
  }
  for (const double seconds : spans(measure + "0", unlimited)) CHECK(seconds < 0.15);
  for (const double seconds : spans(measure + "0.3", 40)) CHECK(seconds < 0.15);
  // Each process covers its part.
  for (const double seconds : spans(measure + "0.3\nreplicates = 2", unlimited)) {
    CHECK(seconds >= 0.298);
    CHECK(seconds <= 0.34);
  }
  // In pairs, rounds may go on for the sake of the ratio.
  for (const double seconds : spans("mode = \"paired\"\n" + measure + "1", unlimited))
    CHECK(seconds >= 0.999);
}

TEST_CASE("problems are measured in an order that the seed decides, and stored as written") {
  const auto order = [](const std::string& n, int seed, const std::string& written = "random") {
    const Performed result = run("n = " + n, fmt::format("seed = {}\nsamples = 3", seed), unlimited,
                                 TemporaryDirectory(), written);
    std::vector<std::int64_t> stored;
    for (const Result& point : result.points)
      stored.push_back(std::get<std::int64_t>(point.row.point.problem.at("n")));
    CHECK(std::ranges::is_sorted(stored));
    return result.problems;
  };
  const std::string eight = "[1, 2, 3, 4, 5, 6, 7, 8]";
  const std::vector<std::int64_t> one = order(eight, 1);
  CHECK(one.size() == 8);
  CHECK_FALSE(std::ranges::is_sorted(one));
  CHECK(order(eight, 1) == one);
  CHECK(order(eight, 2) != one);
  CHECK(std::ranges::is_sorted(order(eight, 1, "written")));
  // What is left of an interrupted run comes in the order that it would have come in.
  std::vector<std::int64_t> odd = one;
  std::erase_if(odd, [](std::int64_t n) { return n % 2 == 0; });
  CHECK(order("[1, 3, 5, 7]", 1) == odd);
}

TEST_CASE("a budget that does not suffice is used to 95 %, and never exceeded by more than a turn's end") {
  for (const double budget : {6.0, 12.0, 20.0}) {
    const Performed result = run(wide, all + "max_seconds = 30\ntarget = 0.002", budget);
    CAPTURE(budget, result.now);
    CHECK(result.points.size() == 6);
    CHECK(result.now >= 0.95 * budget);
    CHECK(result.now <= 1.02 * budget);
    CHECK(result.stopped_by(StopReason::budget) >= 2);
    CHECK_FALSE(result.outcome.out_of_budget);  // every point has its result
  }
}

TEST_CASE("what is left of a budget goes where intervals are widest") {
  const Performed result = run("n = [8]\nns = [1000000]\nnoise = [0.05, 0.6]",
                               all + "max_seconds = 60\nmax_samples = 100000\ntarget = 0.001", 20);
  REQUIRE(result.points.size() == 2);
  // Shared equally, the noisy one would have fewer: its executions take longer on average.
  CHECK(2 * result.points[1].measurement->n_samples > 3 * result.points[0].measurement->n_samples);
}

TEST_CASE("points that the budget of an interrupted session ended get more in the next one") {
  const TemporaryDirectory folder;
  const std::string measure = all + "max_seconds = 4\ntarget = 0.01";
  // One reference and one group take what there is; the second problem is left.
  const Performed first = run(wide, measure, 0.15, folder);
  CHECK(first.outcome.out_of_budget);
  CHECK(first.stopped_by(StopReason::budget) >= 1);
  const Performed second = run(wide, measure, 60, folder);
  CHECK(second.outcome.run == first.outcome.run);
  CHECK_FALSE(second.outcome.out_of_budget);
  CHECK(second.points.size() == 6);
  CHECK(second.stopped_by(StopReason::budget) == 0);
  CHECK(second.stopped_by(StopReason::target) >= 2);
}

TEST_CASE("what a budget ended goes on in a session without one") {
  const TemporaryDirectory folder;
  const std::string measure = all + "max_seconds = 4\ntarget = 0.01";
  const Performed first = run(wide, measure, 0.15, folder);
  REQUIRE(first.stopped_by(StopReason::budget) >= 1);
  const Performed second = run(wide, measure, unlimited, folder);
  CHECK(second.outcome.run == first.outcome.run);
  CHECK(second.points.size() == 6);
  CHECK(second.stopped_by(StopReason::budget) == 0);
}

TEST_CASE("a resumed run refines points of a device on which nothing is open") {
  const TemporaryDirectory folder;
  REQUIRE(setenv("BENCHCTL_FAKE_DEVICES", "2", 1) == 0);
  const std::string measure = all + "max_seconds = 4\ntarget = 0.01";
  const std::string apart =
      "n = [8]\nns = [1000000]\nnoise = [0.3]\n[[sweep.override]]\nmatch = { device = \"fake:1\" }\n"
      "parameters = { n = [9] }";
  Performed result = run(apart, measure, 0.15, folder);
  CHECK(result.outcome.counts[Status::not_run] == 1);
  CHECK(result.stopped_by(StopReason::budget) == 1);
  result = run(apart, measure, 60, folder);
  unsetenv("BENCHCTL_FAKE_DEVICES");
  REQUIRE(result.points.size() == 2);
  CHECK(result.stopped_by(StopReason::budget) == 0);
}

TEST_CASE("a reference is computed once for all sessions of a run, and where points are refined") {
  const TemporaryDirectory folder;
  const std::string measure = all + "max_seconds = 4\ntarget = 0.001";
  const Performed first = run(wide, measure, 0.15, folder);
  CHECK(first.references == 1);
  const Performed second = run(wide, measure, 10, folder);
  CHECK(second.references == 1);
  CHECK(second.stopped_by(StopReason::budget) > 0);
  CHECK(run(wide, measure, 10, folder).references == 0);
  CHECK_FALSE(std::filesystem::is_empty(folder.path() / "references"));
}

TEST_CASE("references of a drawn seed are kept until the run is complete") {
  const TemporaryDirectory folder;
  const std::filesystem::path kept = folder.path() / "references";
  // Little noise: of a drawn seed nothing is known beforehand.
  const std::string few = "n = [8, 9]\nns = [1000000]\nnoise = [0.02, 0.1]";
  const std::string measure = "seed = 0\nmax_seconds = 4\ntarget = 0.01";
  CHECK(run(few, measure, 0.15, folder).outcome.out_of_budget);
  CHECK_FALSE(std::filesystem::is_empty(kept));
  CHECK_FALSE(run(few, measure, 60, folder).outcome.out_of_budget);
  CHECK(std::filesystem::is_empty(kept));
}

TEST_CASE("a point that can have few rounds does not end those of the pairs beside it") {
  const Performed result = run("n = [8]\nns = [1000000, 1100000, 2000000000]\nnoise = [0.02]",
                               "max_seconds = 5\ntarget = 0.003\nmode = \"paired\"\n"
                               "[compare]\nbaseline = { ns = 1000000 }",
                               1000);
  REQUIRE(result.points.size() == 3);
  CHECK(result.points[2].measurement->n_samples <= 3);
  const Comparison* comparison = result.points[1].compared(Against::baseline);
  REQUIRE(comparison);
  CHECK(comparison->rounds > 20);
  CHECK(comparison->verdict == stats::Verdict::slower);
  CHECK(result.points[1].measurement->stop == StopReason::target);
  CHECK(result.points[0].measurement->stop == StopReason::target);
}

TEST_CASE("a baseline that can have few rounds ends those of the points that are compared with it") {
  const Performed result = run("n = [8]\nns = [1000000, 2000000000]\nnoise = [0.02]",
                               "max_seconds = 5\ntarget = 0.003\nmode = \"paired\"\n"
                               "[compare]\nbaseline = { ns = 2000000000 }",
                               1000);
  REQUIRE(result.points.size() == 2);
  CHECK(result.points[0].measurement->n_samples <= 10);
  CHECK(result.points[1].measurement->n_samples <= 3);
}

TEST_CASE("what is faster than the measured roof of its path is audited three times, and says so") {
  const TemporaryDirectory folder;
  const std::string parameters = "n = [8]\nns = [1000000]\nnoise = [0.0]";
  const Performed before = run(parameters, "max_seconds = 1", 40, folder);
  REQUIRE(before.points.size() == 1);
  CHECK(before.audits == 1);
  CHECK_FALSE(before.points[0].notes.contains("above_roof"));
  {
    Store store = Store::open(folder.path() / "store.db");
    NewRun peaks;
    peaks.name = peaks.config_hash = "peaks";
    peaks.environment = store.run(before.outcome.run)->environment;
    peaks.lanes = store.lanes(before.outcome.run);
    const RunId run = store.create_run(peaks);
    PointRow row;
    row.point.workload = "peaks";
    row.point.variant = "probe";
    row.point.backend = "fake";
    row.point.device = "fake:0";
    row.point.problem = {{"probe", std::string("fma_f32")}};
    row.cost.flops = 1000;
    Result result;
    result.row.point.status = Status::ok;
    result.measurement = Measurement{};
    result.measurement->median_ns = 1e9;  // a thousand operations a second
    store.finish_point(store.add_points(run, std::vector{row}).at(0), result);
    store.finish_run(run, RunState::complete);
  }
  const Performed after = run(parameters, "max_seconds = 1", 40, folder);
  CHECK(after.audits == 3);
  CHECK(after.points[0].row.point.status == Status::ok);
  CHECK_THAT(after.points[0].notes.at("above_roof"), ContainsSubstring("the measured roof fma_f32"));
}

TEST_CASE("a budget that only pays for part of a group leaves the others to the next session") {
  const TemporaryDirectory folder;
  const std::string group = "n = [8]\nns = [1000000]\nnoise = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9]";
  const std::string measure = all + "max_seconds = 4\ntarget = 0.01";
  // The reference alone takes ten times as long.
  std::size_t finished = 0;
  for (int session = 1; finished < 6; ++session) {
    REQUIRE(session <= 6);
    const Performed result = run(group, measure, 0.01, folder);
    const auto now = static_cast<std::size_t>(
        std::ranges::count_if(result.points, [](const Result& point) { return point.row.finished; }));
    CHECK(now > finished);
    CHECK(result.outcome.out_of_budget == (now < 6));
    if (session == 1) {
      CHECK(result.outcome.counts.at(Status::not_run) == 5);
      CHECK(result.prepared == 1);  // of the others nothing was begun
    }
    finished = now;
  }
}

TEST_CASE("a pair that the budget interrupts is compared by what it has") {
  const Performed result = run("n = [8]\nns = [1000000, 1100000]\nnoise = [0.1]",
                               "max_seconds = 60\ntarget = 0.001\nmode = \"paired\"\n"
                               "[compare]\nbaseline = { ns = 1000000 }",
                               0.01);
  REQUIRE(result.points.size() == 2);
  CHECK_FALSE(result.outcome.out_of_budget);
  CHECK(result.points[1].compared(Against::baseline) != nullptr);
}

TEST_CASE("with a budget a library that compiles comes when all others have a time") {
  const std::string two = "n = [8, 16]\nns = [1000000]\nnoise = [0.02]";
  const Performed quick = run(two, "max_seconds = 1", 8, {}, "written", 0, 0.5);
  REQUIRE(quick.points.size() == 4);
  REQUIRE(quick.variants.size() > 4);
  CHECK(quick.variants[0] == "noisy");
  CHECK(quick.variants[1] == "noisy");
  for (const Result& point : quick.points) {
    REQUIRE(point.measurement);
    INFO(point.row.point.label() << ' ' << point.measurement->n_samples << ' '
                                 << to_string(point.measurement->stop));
    CHECK(against_best(point).rounds >= 3);  // also of the library beside the fastest
  }
  // Where there is no time to compile, the others have all of it.
  const Performed late =
      run(two, "max_seconds = 100\nspan_seconds = 0\ntarget = 0.0001", 8, {}, "written", 0, 6);
  for (const Result& point : late.points) {
    if (point.row.point.variant == "noisy") CHECK(point.measurement);
  }
  // Without a budget it is one of the rounds of its group.
  const Performed free = run(two, "max_seconds = 1", unlimited, {}, "written", 0, 0.5);
  CHECK(free.variants.size() == 4);
}

TEST_CASE("a contest that the budget leaves open gets what is left of it, the smallest problem first") {
  const Performed result =
      run("n = [8, 16]\nns = [1000000, 1012000]\nnoise = [0.3]", "max_seconds = 100\ntarget = 0.3", 8);
  REQUIRE(result.points.size() == 4);
  CHECK(result.now >= 7.5);
  CHECK(result.now <= 8.8);
  for (const Result& point : result.points) CHECK(against_best(point).rounds > 20);
}
