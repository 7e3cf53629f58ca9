// The model of a report: platforms, comparisons, ranks, portability, warnings.
#include "report/compare.hpp"
#include "report/headline.hpp"
#include "report/point_names.hpp"
#include "report/stored_run.hpp"
#include "support/catch.hpp"

#include <filesystem>

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

const Portability& portability_of(const Report& report, const std::string& variant) {
  const auto found = std::ranges::find(report.portability, variant, &Portability::variant);
  REQUIRE(found != report.portability.end());
  return *found;
}

}  // namespace

TEST_CASE("performance portability is the harmonic mean, and 0 with one unsupported platform") {
  CHECK_THAT(portability_score(std::vector{0.5, 1.0}), WithinRel(2 / 3.0, 1e-12));
  CHECK_THAT(portability_score(std::vector{0.25}), WithinRel(0.25, 1e-12));
  CHECK(portability_score(std::vector{1.0, 0.0}) == 0);
  CHECK(portability_score(std::vector{std::nan(""), 0.0}) == 0);
  CHECK(std::isnan(portability_score(std::vector{std::nan(""), 1.0})));
  CHECK(std::isnan(portability_score(std::vector<double>{})));
}

TEST_CASE("runs of two machines meet: devices of one lane name are told apart") {
  const TwoMachines machines;
  const Report report = machines.report();
  REQUIRE(report.platforms.size() == 3);
  CHECK(report.platforms[0].label == "gpu:0 (Fast card)");
  CHECK(report.platforms[1].label == "cpu:0");
  CHECK(report.platforms[2].label == "gpu:0 (Other card)");
  CHECK(report.runs[0].label == "first.db run 1");
  CHECK(report.runs[1].label == "second.db run 1");
  REQUIRE(report.comparisons.size() == 1);
  CHECK(report.comparisons[0].rows == std::vector<std::size_t>{0, 1, 2, 3, 4, 6});
  CHECK(report.comparisons[0].platforms == std::vector<std::size_t>{0, 1, 2});
  // Each device has its own best; cpu:0's two tie.
  std::string marks;
  for (const RowPlace& place : report.places) marks += place.rank.mark().empty() ? "." : place.rank.mark();
  CHECK(marks == "*.**=.*");
  CHECK(report.places[5].comparison == RowPlace::none);
  CHECK(report.places[1].rank.versus_best == 4);
}

TEST_CASE("devices of one name, and stores of one name, are told apart by what differs") {
  const TemporaryDirectory folder;
  std::filesystem::create_directories(folder.path() / "a");
  std::filesystem::create_directories(folder.path() / "b");
  Store one = Store::open(folder.path() / "a/x.db");
  Store other = Store::open(folder.path() / "b/x.db");
  RunWanted wanted;
  wanted.points = {measured("gpu:0", "tiled", 100, 1)};
  std::vector<ReportSource> sources{{&one, store_run(one, wanted)}};
  wanted.lanes.front().device.compute_units = 7;
  sources.push_back({&other, store_run(other, wanted)});
  const Report report = make_report(sources);
  REQUIRE(report.platforms.size() == 2);
  CHECK(report.platforms[0].label == "gpu:0 (0 units)");
  CHECK(report.platforms[1].label == "gpu:0 (7 units)");
  CHECK(report.runs[0].label == one.path().string() + " run 1");
  CHECK(report.runs[1].label == other.path().string() + " run 1");
  CompareSide base = side_of(one, sources[0].run);
  CompareSide fresh = side_of(other, sources[1].run);
  name_apart(base, fresh);
  CHECK(base.label == "run 1 of " + one.path().string());
  CHECK(fresh.label == "run 1 of " + other.path().string());
}

TEST_CASE_METHOD(OneStore,
                 "two cards of one product are two devices, though each node calls its own gpu:0") {
  RunWanted wanted;
  wanted.points = {measured("gpu:0", "tiled", 100, 1)};
  wanted.lanes.front().device.properties["uuid"] = "GPU-1";
  const RunId one = store_run(store, wanted);
  wanted.lanes.front().device.properties["uuid"] = "GPU-2";
  const std::vector<ReportSource> sources{{&store, one}, {&store, store_run(store, wanted)}};
  const Report report = make_report(sources);
  REQUIRE(report.platforms.size() == 2);
  CHECK(report.platforms[0].label == "gpu:0 (GPU-1)");
  CHECK(report.platforms[1].label == "gpu:0 (GPU-2)");
  CHECK(report.places[0].rank.best);
  CHECK(report.places[1].rank.best);
}

TEST_CASE_METHOD(OneStore, "what tells points of one label apart is stored and shown") {
  RunWanted wanted;
  wanted.points = {measured("gpu:0", "tiled", 100, 1), measured("gpu:0", "tiled", 200, 1)};
  wanted.points[0].row.point.apart = "samples=5";
  wanted.points[1].row.point.apart = "samples=7";
  const Report report = make_report(store, store_run(store, wanted));
  PointWords words;
  for (const Result& row : report.rows) words.add(row.point());
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string apart = i == 0 ? "samples=5" : "samples=7";
    CHECK(report.rows[i].point().apart == apart);
    CHECK(words.variant(report.rows[i].point()) == "tiled " + apart);
    CHECK(variant_text(report.rows[i]) == "tiled " + apart);
    CHECK(report.rows[i].point().label().ends_with(' ' + apart));
  }
}

TEST_CASE_METHOD(OneStore, "the same lane and device in two runs is one platform") {
  RunWanted wanted;
  wanted.points = {measured("gpu:0", "a", 100, 1)};
  const RunId one = store_run(store, wanted);
  wanted.points = {measured("gpu:0", "a", 90, 1)};
  const RunId two = store_run(store, wanted);
  const std::vector<ReportSource> sources{{&store, one}, {&store, two}};
  const Report report = make_report(sources);
  REQUIRE(report.platforms.size() == 1);
  CHECK(report.platforms[0].label == "gpu:0");
  CHECK(report.runs[1].label == "run 2");
  CHECK(report.comparisons.size() == 1);
  CHECK_FALSE(report.places[0].rank.best);
  CHECK(report.places[1].rank.best);
  CHECK(report.portability.empty());
}

TEST_CASE("portability of a variant over three devices") {
  const TwoMachines machines;
  const Report report = machines.report();
  const Portability& tiled = portability_of(report, "tiled");
  CHECK(tiled.application == std::vector<double>{0.5, 1, 1});
  CHECK(tiled.architectural == std::vector<double>{0.5, 0.2, 0.4});
  CHECK_THAT(tiled.application_score, WithinRel(3 / (2.0 + 1 + 1), 1e-12));
  CHECK_THAT(tiled.architectural_score, WithinRel(3 / (2.0 + 5 + 2.5), 1e-12));
  // What a device has no variant for is left out; what fails there counts as 0.
  CHECK(report.portability.size() == 1);
}

TEST_CASE_METHOD(OneStore, "portability: a variant that fails on a device has no efficiency there") {
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = {measured("gpu:0", "a", 100, 1), measured("cpu:0", "a", 100, 1),
                   measured("gpu:0", "b", 50, 1),  untimed("cpu:0", "b", Status::wrong, "no"),
                   measured("gpu:0", "c", 50, 1),  untimed("cpu:0", "c", Status::skipped, "not supported")};
  const Report report = make_report(store, store_run(store, wanted));
  CHECK(report.portability.size() == 2);
  CHECK_THAT(portability_of(report, "a").application_score, WithinRel(2 / 3.0, 1e-12));
  CHECK(portability_of(report, "b").application_score == 0);
}

TEST_CASE("the answer: the fastest of each device, its ties, and ours beside a vendor's") {
  const TwoMachines machines;
  const Report report = machines.report();
  const std::vector<Answer> answers = answers_of(report);
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].best == std::optional<std::size_t>(2));
  CHECK(answers[0].ties.empty());
  CHECK(answers[0].own == std::optional<std::size_t>(0));
  CHECK(answers[1].best == std::optional<std::size_t>(3));
  CHECK(answers[1].ties == std::vector<std::size_t>{4});
  CHECK_FALSE(answers[1].own.has_value());
  CHECK(answers[2].best == std::optional<std::size_t>(6));
  CHECK(report.places[2].rank.versus_devices == 1);
  CHECK_THAT(report.places[3].rank.versus_devices, WithinRel(20.0, 1e-12));
}

TEST_CASE_METHOD(TwoMachines, "warnings say what a reader must know") {
  const std::string text = joined(report().warnings);
  CHECK_THAT(text, HasAll({"different machines or with different programs (cpu.model)",
                           "No roofs were measured for"}) &&
                       !ContainsSubstring("not complete"));

  OneStore other;
  RunWanted wanted;
  wanted.state = RunState::interrupted;
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("other:0", "Card")};
  for (Lane& lane : wanted.lanes) lane.device.physical = "pci:1";
  wanted.lanes[0].device.properties["unproven"] = "tell us.";
  wanted.lanes[1].device.properties["software"] = "yes";
  Result unstable = measured("gpu:0", "a", 100, 1);
  unstable.row.point.status = Status::unstable;
  const Result few = of_samples(measured("other:0", "a", 100, 1), 4);
  Result in_modes = with_roof(measured("other:0", "b", 100, 1), 2);
  in_modes.resources["mode_low_ns"] = 100;
  in_modes.resources["mode_high_ns"] = 130;
  in_modes.resources["mode_high_share"] = 0.25;
  wanted.points = {unstable, few, in_modes};
  const std::string own = joined(make_report(other.store, store_run(other.store, wanted)).warnings);
  CHECK_THAT(
      own,
      HasAll({"run 1 is not complete: it is interrupted", "1 of 3 times are noisy: half of their samples",
              "1 of 3 times are above the measured roof and cannot win",
              "1 of 3 times have fewer than 6 samples", "1 of 3 times lie around two values",
              "b @ other:0 dtype=f32 n=64, bimodal 100/130 ns", "gpu:0, other:0 are the same hardware",
              "gpu:0 is unproven: tell us.", "other:0 is software"}) &&
          !ContainsSubstring("gpu:0 is software"));
}

TEST_CASE("a report of nothing, and of a run that is not there") {
  CHECK(make_report({}).rows.empty());
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "a.db");
  const std::vector<ReportSource> sources{{&store, RunId{4}}};
  CHECK_THROWS_AS(make_report(sources), StoreError);
}
