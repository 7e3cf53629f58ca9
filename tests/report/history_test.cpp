// Points over runs: series, steps, drifts, disturbed runs, changes of conditions.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/history_documents.hpp"
#include "report/stored_run.hpp"
#include "store/fixtures.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;
using nlohmann::json;

namespace {

std::string environment(const std::string& cpu, const std::string& plugin) {
  return json::array({{{"key", "cpu.model"}, {"value", cpu}, {"class", "must_match"}},
                      {{"key", "plugin.gpu"}, {"value", plugin}, {"class", "should_match"}}})
      .dump();
}

struct Runs {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");

  /// A run of `tiled` with this median, and of `naive` that stays as it is.
  RunId add(double median, const std::string& plugin = "1", const std::string& driver = "driver 1",
            const std::string& cpu = "x", const std::string& card = "Card") {
    RunWanted wanted;
    Lane lane = lane_of("gpu:0", card);
    lane.device.driver = driver;
    wanted.lanes = {lane};
    wanted.environment = environment(cpu, plugin);
    wanted.points = {measured("gpu:0", "tiled", median, median * 0.002), measured("gpu:0", "naive", 500, 1),
                     untimed("gpu:0", "bad", Status::crashed, "signal 11")};
    return store_run(store, wanted);
  }
  [[nodiscard]] History history(const HistoryOptions& options = {}) const {
    return make_history(store, options);
  }
};

const HistorySeries& of(const History& history, const std::string& variant) {
  for (const HistorySeries& series : history.series) {
    if (series.point.variant == variant) return series;
  }
  FAIL("no series of " << variant);
  return history.series.front();
}

}  // namespace

TEST_CASE("a planted step is found at its run, with what else changed there") {
  Runs runs;
  for (const double median : {100.1, 99.9, 100.0, 100.2}) runs.add(median);
  for (const double median : {110.1, 109.8, 110.0}) runs.add(median, "2");
  const History history = runs.history();
  REQUIRE(history.runs.size() == 7);
  CHECK(history.runs.front().row.id == RunId{1});
  REQUIRE(history.series.size() == 2);
  CHECK(history.tested == 2);
  const HistorySeries& tiled = of(history, "tiled");
  REQUIRE(tiled.points.size() == 7);
  CHECK(tiled.points[4].run == 4);
  REQUIRE(tiled.steps.size() == 1);
  CHECK(tiled.steps[0].at == 4);
  const double before =
      std::exp((std::log(100.1) + std::log(99.9) + std::log(100.0) + std::log(100.2)) / 4);
  const double after = std::cbrt(110.1 * 109.8 * 110.0);
  CHECK_THAT(tiled.steps[0].ratio, WithinRel(after / before, 1e-12));
  CHECK(tiled.steps[0].interval.low > 1.08);
  CHECK(tiled.steps[0].interval.high < 1.12);
  REQUIRE(tiled.points[4].changes.size() == 1);
  CHECK_THAT(tiled.points[4].changes[0], ContainsSubstring("plugin.gpu differs (1 / 2)"));
  CHECK(tiled.points[5].changes.empty());
  CHECK_THAT(tiled.change.ratio, WithinRel(110.0 / 100.1, 1e-12));
  CHECK(of(history, "naive").steps.empty());
}

TEST_CASE("noise, small steps and few runs make no step") {
  Runs noisy;
  for (const double median : {100.0, 101.0, 99.0, 100.5, 99.5, 100.7, 99.2}) noisy.add(median);
  CHECK(of(noisy.history(), "tiled").steps.empty());
  Runs small;
  for (const double median : {100.0, 100.0, 100.0, 100.0, 100.0, 100.8, 100.8, 100.8, 100.8, 100.8})
    small.add(median);
  CHECK(of(small.history(), "tiled").steps.empty());
  CHECK(of(small.history({.threshold = 0.001}), "tiled").steps.size() == 1);
  Runs two;
  two.add(100);
  two.add(200);
  CHECK(of(two.history(), "tiled").steps.empty());
  CHECK(two.history().tested == 0);
  CHECK_THAT(of(two.history(), "tiled").change.ratio, WithinRel(2.0, 1e-12));
}

TEST_CASE("a slow drift is called one, in every form") {
  Runs runs;
  for (const double median : {100.0, 102.1, 103.9, 106.0, 108.2, 109.9, 112.1, 114.0}) runs.add(median);
  const History history = runs.history();
  const HistorySeries& tiled = of(history, "tiled");
  CHECK(tiled.steps.empty());
  CHECK(tiled.disturbed.empty());
  REQUIRE(tiled.drifts.size() == 1);
  CHECK(tiled.drifts[0].from == 0);
  CHECK(tiled.drifts[0].to == 7);
  CHECK_THAT(tiled.drifts[0].ratio, WithinRel(1.14, 0.01));
  CHECK(tiled.drifts[0].interval.low > 1.1);
  CHECK(tiled.drifts[0].interval.high < 1.18);
  CHECK(of(history, "naive").drifts.empty());
  const std::string text = history_text(history, {});
  CHECK_THAT(text, ContainsSubstring("drift: ×1.14"));
  CHECK_THAT(text, ContainsSubstring("run 1 to run 8: drifts, slower by ×1.14"));
  const json series = json::parse(history_json(history)).at("series").at(0);
  CHECK(series.at("drifts").at(0).at("to") == 7);
  CHECK(series.at("drifts").at(0).at("ratio").get<double>() == tiled.drifts[0].ratio);
  CHECK_THAT(history_csv(history), ContainsSubstring(fmt::format(",{},no,", tiled.drifts[0].ratio)));
  // A drift that does not matter is not shown.
  CHECK(of(runs.history({.threshold = 0.2}), "tiled").drifts.empty());
}

TEST_CASE("one disturbed run is named and is no step; three new runs are one") {
  Runs runs;
  for (const double median : {100.1, 99.9, 100.0, 125.0, 100.2, 99.8, 100.1, 99.9}) runs.add(median);
  const History between = runs.history();
  CHECK(of(between, "tiled").steps.empty());
  CHECK(of(between, "tiled").disturbed == std::vector<std::size_t>{3});
  CHECK_THAT(history_text(between, {}), ContainsSubstring("run 4 disturbed") &&
                                            ContainsSubstring("run 4: 125.0 ns, far from its level\n"));
  CHECK(json::parse(history_json(between)).at("series").at(0).at("disturbed") == json::array({3}));
  runs.add(120.0);
  CHECK(of(runs.history(), "tiled").steps.empty());
  CHECK(of(runs.history(), "tiled").disturbed == std::vector<std::size_t>{3, 8});
  CHECK_THAT(history_text(runs.history(), {}),
             ContainsSubstring("far from its level; if it is a step, three runs in a row will show it"));
  runs.add(120.2);
  runs.add(119.9);
  REQUIRE(of(runs.history(), "tiled").steps.size() == 1);
  CHECK(of(runs.history(), "tiled").steps[0].at == 8);
  CHECK(of(runs.history(), "tiled").disturbed == std::vector<std::size_t>{3});
}

TEST_CASE("changes are found in the last stretch of comparable runs, at their places in the series") {
  Runs runs;
  for (int i = 0; i < 2; ++i) runs.add(300, "1", "driver 1", "y");
  for (const double median : {100.1, 99.9, 100.0, 100.2, 110.1, 109.8, 110.0}) runs.add(median);
  execute(runs.folder.path() / "s.db",
          "UPDATE points SET measure_json = replace(measure_json, '\"basis\":\"device\"', "
          "'\"basis\":\"end_to_end\"')");
  const History history = runs.history();
  CHECK(history.tested == 2);
  REQUIRE(of(history, "tiled").steps.size() == 1);
  CHECK(of(history, "tiled").steps[0].at == 6);
  CHECK(of(history, "tiled").drifts.empty());
}

TEST_CASE("nothing is said across runs that cannot be compared") {
  Runs runs;
  for (int i = 0; i < 4; ++i) runs.add(100 + 0.01 * i);
  // Another processor: a GPU's times of the device go on, and it is said that something changed.
  for (int i = 0; i < 4; ++i) runs.add(150 + 0.01 * i, "1", "driver 1", "y");
  const History gpu = runs.history();
  CHECK(of(gpu, "tiled").steps.size() == 1);
  CHECK_FALSE(of(gpu, "tiled").points[4].cut);
  CHECK_THAT(of(gpu, "tiled").points[4].changes.at(0), ContainsSubstring("cpu.model"));
  // Times of the host's clock do not.
  execute(runs.folder.path() / "s.db",
          "UPDATE points SET measure_json = replace(measure_json, '\"basis\":\"device\"', "
          "'\"basis\":\"end_to_end\"')");
  const History host = runs.history();
  CHECK(of(host, "tiled").points[4].cut);
  CHECK(of(host, "tiled").steps.empty());
  CHECK_THAT(history_text(host, {}), ContainsSubstring("not comparable with the runs before"));
}

TEST_CASE("another product is another series, another driver is a change") {
  Runs runs;
  runs.add(100);
  runs.add(100, "1", "driver 2");
  runs.add(50, "1", "driver 2", "x", "Other card");
  const History history = runs.history({.workloads = {"mat*"}, .labels = {"*tiled*"}});
  REQUIRE(history.series.size() == 2);
  CHECK(history.series[0].device == "Other card");
  REQUIRE(history.series[1].points.size() == 2);
  CHECK_THAT(history.series[1].points[1].changes.at(0),
             ContainsSubstring("driver differs (driver 1 / driver 2)"));
}

TEST_CASE("a history shows what was asked for: workloads, labels, the newest runs") {
  Runs runs;
  for (int i = 0; i < 5; ++i) runs.add(100);
  CHECK(runs.history({.workloads = {"copy"}}).series.empty());
  CHECK(runs.history({.labels = {"*naive*"}}).series.size() == 1);
  const History last = runs.history({.last = 2});
  REQUIRE(last.runs.size() == 2);
  CHECK(last.runs[0].row.id == RunId{4});
  CHECK(of(last, "tiled").points.size() == 2);
  CHECK(runs_of(last) == std::vector{RunId{4}, RunId{5}});
}

TEST_CASE("replays and times that were taken over are no runs of their own") {
  Runs runs;
  const RunId first = runs.add(100);
  const auto file = runs.folder.path() / "s.db";
  runs.add(7);
  execute(file, "UPDATE runs SET title = 'replay of 1:0' WHERE id = 2");
  runs.add(100);
  execute(file, "UPDATE points SET reused_from = (SELECT min(id) FROM points) WHERE run = 3");
  const History history = runs.history();
  REQUIRE(history.runs.size() == 1);
  CHECK(history.runs[0].row.id == first);
}

TEST_CASE("an empty store and one run have a history, too") {
  Runs runs;
  CHECK(runs.history().series.empty());
  CHECK(history_text(runs.history(), {}) == "no run has a time of such a point\n");
  CHECK(json::parse(history_json(runs.history())).at("series").empty());
  runs.add(100);
  const History one = runs.history();
  CHECK(of(one, "tiled").points.size() == 1);
  CHECK_THAT(history_text(one, {}),
             ContainsSubstring("Changes are looked for from six comparable runs on"));
}

TEST_CASE("every form of a history has its numbers") {
  Runs runs;
  for (const double median : {100.1, 99.9, 100.0, 100.2}) runs.add(median);
  for (const double median : {110.1, 109.8, 110.0}) runs.add(median, "2", "<img src=x> | *d*");
  const History history = runs.history();
  const std::string text = history_text(history, {});
  CHECK_THAT(text, StartsWith("7 runs, from 2"));
  CHECK_THAT(text, ContainsSubstring("run 5: ×1.099"));
  CHECK_THAT(text, ContainsSubstring("slower by ×1.099 ["));
  CHECK_THAT(text, ContainsSubstring("plugin.gpu differs") && !ContainsSubstring("█"));
  CHECK_THAT(history_text(history, {.bars = true}), ContainsSubstring("▁▁▁▁███"));
  const std::string markdown = history_text(history, {.markdown = true});
  CHECK_THAT(markdown,
             StartsWith("## History\n\n") && ContainsSubstring("### Changes\n\n- matmul/tiled @ gpu:0"));
  CHECK_THAT(markdown, ContainsSubstring("\\<img src=x> \\| \\*d\\*"));
  const json document = json::parse(history_json(history));
  CHECK(document.at("schema") == "benchctl.history");
  CHECK(document.at("runs").size() == 7);
  const json& series = document.at("series").at(0);
  CHECK(series.at("points").at(4).at("median_ns") == 110.1);
  CHECK(series.at("steps").at(0).at("at") == 4);
  CHECK(series.at("steps").at(0).at("ratio").get<double>() == of(history, "tiled").steps[0].ratio);
  const std::string csv = history_csv(history);
  CHECK_THAT(csv, StartsWith("run,created_at,workload,"));
  CHECK(std::ranges::count(csv, '\n') == 15);
  const std::string otava = history_otava(history);
  CHECK_THAT(otava, StartsWith("time,run,benchctl,") && ContainsSubstring(",run 1,") &&
                        ContainsSubstring(",110.1,"));
  CHECK(std::ranges::count(otava, '\n') == 8);
  CHECK(whole_series(history).size() == 2);
  History gap = history;
  gap.series[1].points.erase(gap.series[1].points.begin() + 2);
  REQUIRE(whole_series(gap).size() == 1);
  CHECK(whole_series(gap)[0] == &gap.series[0]);
  const json page = json::parse(history_page_data(history));
  CHECK(page.at("series").size() == 2);
  CHECK(page.at("tested") == 2);
}
