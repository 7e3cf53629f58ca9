// Runs with a budget, by a clock that only the scripted plugin's samples and a fixed cost of every verb
// move: what a point gets does not depend on the machine.
#include "engine/coordinator.hpp"
#include "model/json.hpp"
#include "store/store.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/scripted_channel.hpp"
#include "sweep/expand.hpp"
#include "sweep/validate.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace benchctl;
using nlohmann::json;

namespace {

constexpr double verb_seconds = 0.001;
constexpr double reference_seconds = 0.1;

struct Script {
  double now = 0;
  double caught_below_ns = 0;  ///< audits of what is said to take less see a hundred times as much
  std::size_t references = 0;  ///< computed of the run's own seed
  std::size_t audits = 0;
  std::size_t prepared = 0;
  std::vector<std::int64_t> problems;  ///< their n, in the order in which they were brought up
  double library_seconds = 0;          ///< that making the library ready takes
  std::vector<std::string> variants;   ///< in the order in which they were made ready
};

json scripted(Script& script, Verb verb, const json& arguments, json answer) {
  if (verb == Verb::blas) return answer;  // asked before the budget's clock begins
  script.now += verb == Verb::reference ? reference_seconds : verb_seconds;
  if (verb == Verb::reference && arguments.at("seed") == 1) ++script.references;
  if (verb == Verb::audit) {
    ++script.audits;
    answer["host"] = nullptr;  // the machine's own clock: it would contradict the script where it is slow
    if (arguments.at("execution_ns") < script.caught_below_ns) {
      for (json& execution : answer.at("executions"))
        execution["ns"] = 100 * execution.at("ns").get<double>();
    }
  }
  if (verb == Verb::problem) script.problems.push_back(arguments.at("parameters").at("n"));
  if (verb == Verb::prepare) {
    ++script.prepared;
    script.variants.push_back(arguments.at("variant"));
    if (arguments.at("variant") == "steady") script.now += script.library_seconds;
  }
  if (verb == Verb::sample) {
    const SampleBlock block = sample_block_from_json(answer);
    for (const double ns : block.ns) script.now += ns * 1e-9 * block.batch;
  }
  return answer;
}

struct Performed : Script {
  std::vector<Result> points;
  RunOutcome outcome;
  std::map<std::int64_t, double> sampling_seconds;  ///< duration of rounds, by the n of their problem

  [[nodiscard]] std::size_t stopped_by(StopReason reason) const {
    return static_cast<std::size_t>(std::ranges::count_if(points, [&](const Result& point) {
      return point.measurement && point.measurement->stop == reason;
    }));
  }
};

Performed run(const std::string& parameters, const std::string& measure, double budget,
              const test::TemporaryDirectory& folder = {}, const std::string& order = "written",
              double caught_below_ns = 0, std::optional<double> library_seconds = {}) {
  setenv("BENCHCTL_LOCK_FILE", (folder.path() / "lock").c_str(), 1);
  Performed result;
  const PluginHost host = PluginHost::load({test::test_plugin_directory()});
  const PluginTable plugins = loaded_plugins(host);
  Script& script = result;
  script.caught_below_ns = caught_below_ns;
  test::ScriptedFactory factory(host, [&script] {
    return [&script](Verb verb, const json& arguments, const auto& pass) {
      return scripted(script, verb, arguments, pass());
    };
  });
  Catalogue catalogue = make_catalogue(plugins);
  VariantInfo probe;
  probe.workload = "peaks";
  probe.name = "probe";
  catalogue.backends.front().variants.push_back(probe);
  if (library_seconds) {
    // `steady` becomes a library that compiles: it is a vendor's, and others of its backend are compiled.
    script.library_seconds = *library_seconds;
    for (VariantInfo& variant : catalogue.backends.front().variants) {
      variant.vendor = variant.name == "steady";
      if (variant.name == "twin") variant.kernel.emplace();
    }
  }
  const LaneTable lanes = probe_lanes(plugins, factory, {"fake"}, 10);
  const char* variants = library_seconds ? R"(variants = ["steady", "noisy"])" : R"(variants = ["noisy"])";
  std::string text =
      test::fake_config(variants, parameters, (measure.starts_with("seed") ? "" : "seed = 1\n") + measure);
  text.replace(text.find("written"), std::string("written").size(), order);
  const Config config = parse_config(text, "budget.toml");
  REQUIRE_FALSE(has_errors(validate(config, catalogue)));
  RunOptions options;
  options.store = folder.path() / "store.db";
  options.folder = folder.path();
  if (std::isfinite(budget)) options.budget_seconds = budget;
  options.clock = [&] { return script.now; };
  options.offline_compile = false;
  test::SilentProgress progress;
  script.now = 0;
  result.outcome = run_points(config, expand(config, catalogue, lanes), lanes, catalogue, plugins, factory,
                              options, progress);
  result.points = Store::open(options.store, Store::Access::read_only).results(result.outcome.run);
  for (const Result& point : result.points) {
    INFO(point.row.point.label() << ": " << point.row.point.reason);
    if (!point.row.finished) continue;
    if (caught_below_ns > 0 && point.row.point.status == Status::implausible) continue;
    REQUIRE(point.measurement);
    std::size_t samples = 0;
    for (const SampleRow& row :
         Store::open(options.store, Store::Access::read_only).samples(point.row.id)) {
      if (row.used) samples += row.block.ns.size();
      double& seconds = result.sampling_seconds[std::get<std::int64_t>(point.row.point.problem.at("n"))];
      seconds += verb_seconds;
      for (const double ns : row.block.ns) seconds += ns * 1e-9 * row.block.batch;
    }
    CHECK(samples == point.measurement->n_samples);
  }
  return result;
}

const std::string wide = "n = [8, 9]\nns = [1000000]\nnoise = [0.02, 0.3, 0.8]";
const std::string all = "precision = \"all\"\n";

constexpr double unlimited = std::numeric_limits<double>::infinity();

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
                                 test::TemporaryDirectory(), written);
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
  const test::TemporaryDirectory folder;
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

TEST_CASE("a reference is computed once for all sessions of a run, and where points are refined") {
  const test::TemporaryDirectory folder;
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
  const test::TemporaryDirectory folder;
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
  CHECK(comparison->verdict == "slower");
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
  const test::TemporaryDirectory folder;
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
    PointResult result;
    result.status = Status::ok;
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
  const test::TemporaryDirectory folder;
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

namespace {

const Comparison& against_best(const Result& point) {
  const Comparison* comparison = point.compared(Against::best);
  REQUIRE(comparison);
  return *comparison;
}

}  // namespace

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
    CHECK(against_best(point).reference == 0);
    CHECK(against_best(point).verdict == (point.row.ordinal == 0 ? "same" : "slower"));
    CHECK(point.compared(Against::own)->reference == 0);
    // `ns` is the tunable with several values.
    CHECK(point.compared(Against::question)->reference == 0);
  }
  CHECK(std::abs(against_best(result.points[2]).time_ratio - 3) < 0.1);
  // A covering sample is no common round.
  CHECK(against_best(result.points[2]).rounds >= 3);
  const Performed everyone = run(three, all + "max_seconds = 4\ntarget = 0.005", unlimited);
  CHECK(everyone.stopped_by(StopReason::target) == 3);
}

TEST_CASE("the few samples that a cap allows are spread over rounds, which tell who is faster") {
  const Performed result =
      run("n = [8]\nns = [100000, 200000]\nnoise = [0.01]", "max_samples = 12\nmin_samples = 6", unlimited);
  REQUIRE(result.points.size() == 2);
  CHECK(result.points[0].measurement->n_samples == 12);
  CHECK(against_best(result.points[1]).verdict == "slower");
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
  CHECK(against_best(result.points[1]).verdict == "slower");
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
    CHECK(against_best(result.points[i]).reference == 1);
    CHECK(against_best(result.points[i]).verdict == "same");
  }
  CHECK(result.points[3].measurement->stop == StopReason::slower);
  CHECK(against_best(result.points[3]).verdict == "slower");
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

TEST_CASE("equal points go on until they are known to be the same, and tie") {
  const Performed result = run("n = [8]\nns = [1000000]\nnoise = [0.01]\ncorrelation = [0.0, 0.001]",
                               "max_seconds = 20\ntarget = 0.5", unlimited);
  REQUIRE(result.points.size() == 2);
  for (const Result& point : result.points) {
    CHECK(point.measurement->stop == StopReason::target);
    CHECK(against_best(point).verdict == "same");
    CHECK(against_best(point).rounds > 9);
  }
}

TEST_CASE("a contest that the budget leaves open gets what is left of it, the smallest problem first") {
  const Performed result =
      run("n = [8, 16]\nns = [1000000, 1012000]\nnoise = [0.3]", "max_seconds = 100\ntarget = 0.3", 8);
  REQUIRE(result.points.size() == 4);
  CHECK(result.now >= 7.5);
  CHECK(result.now <= 8.8);
  for (const Result& point : result.points) CHECK(against_best(point).rounds > 20);
}
