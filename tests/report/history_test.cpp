// Points over runs: series, and what else changed between the runs.
#include "report/history.hpp"
#include "report/compare.hpp"
#include "report/report.hpp"
#include "report/stored_run.hpp"
#include "store/fixtures.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

std::string environment(const std::string& cpu, const std::string& plugin) {
  return json::array({{{"key", "cpu.model"}, {"value", cpu}, {"class", "must_match"}},
                      {{"key", "plugin.gpu"}, {"value", plugin}, {"class", "should_match"}}})
      .dump();
}

struct Runs : OneStore {
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

TEST_CASE("a series has its medians by run, with what else changed there") {
  Runs runs;
  for (const double median : {100.1, 99.9}) runs.add(median);
  for (const double median : {110.1, 109.8}) runs.add(median, "2");
  const History history = runs.history();
  REQUIRE(history.runs.size() == 4);
  CHECK(history.runs.front().row.id == RunId{1});
  REQUIRE(history.series.size() == 2);
  const HistorySeries& tiled = of(history, "tiled");
  REQUIRE(tiled.points.size() == 4);
  CHECK(tiled.points[0].median_ns == 100.1);
  CHECK(tiled.points[2].run == 2);
  CHECK(tiled.points[2].median_ns == 110.1);
  REQUIRE(tiled.points[2].changes.size() == 1);
  CHECK_THAT(tiled.points[2].changes[0], ContainsSubstring("plugin.gpu differs (1 / 2)"));
  CHECK_FALSE(tiled.points[2].cut);
  CHECK(tiled.points[3].changes.empty());
}

TEST_CASE_METHOD(Runs, "runs that cannot be compared are marked") {
  add(100);
  // Another processor: a GPU's times of the device go on, and it is said that something changed.
  add(150, "1", "driver 1", "y");
  const History gpu = history();
  CHECK_FALSE(of(gpu, "tiled").points[1].cut);
  CHECK_THAT(of(gpu, "tiled").points[1].changes.at(0), ContainsSubstring("cpu.model"));
  // Times of the host's clock do not.
  execute(store.path(),
          "UPDATE points SET measure_json = replace(measure_json, '\"basis\":\"device\"', "
          "'\"basis\":\"end_to_end\"')");
  const History host = history();
  CHECK(of(host, "tiled").points[1].cut);
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

TEST_CASE_METHOD(Runs, "a kernel whose source changed says so, one that is another's does not") {
  const auto with_source = [&](const std::string& text, const std::string& key) {
    const RunId run = add(100);
    store.add_files(run, std::vector<RunFile>{{"add.cl", text}, {"same.h", "x"}});
    execute(store.path(), "UPDATE points SET content_key = '" + key +
                              "' WHERE variant = 'tiled' AND run = " + std::to_string(to_number(run)));
  };
  with_source("one", "a");
  with_source("one", "a");
  with_source("two", "b");
  const History known = history();
  CHECK(of(known, "tiled").points[1].changes.empty());
  CHECK(of(known, "tiled").points[2].changes == std::vector<std::string>{"add.cl changed"});
  CHECK_FALSE(of(known, "tiled").points[2].cut);
  CHECK(of(known, "naive").points[2].changes.empty());
  CHECK_THAT(history_text(known, {}), ContainsSubstring("  run 3: add.cl changed"));

  const CompareSide first = side_of(store, RunId{1});
  const CompareSide base = side_of(store, RunId{2});
  const CompareSide fresh = side_of(store, RunId{3});
  const CompareResult compared = compare_runs(base, fresh, {});
  CHECK_THAT(compare_text(compared, {}), ContainsSubstring("  kernels: add.cl changed"));
  CHECK(json::parse(compare_json(compared, 0)).at("changed_files") == json::array({"add.cl changed"}));
  CHECK(compare_runs(first, base, {}).changed_files.empty());
  CHECK(changed_files(FileDigests{{"a", "1"}}, FileDigests{{"b\n", "1"}}) ==
        std::vector<std::string>{"a is gone", "b\\x0a is new"});
  const std::vector<ReportSource> sources{{&store, RunId{1}}, {&store, RunId{2}}, {&store, RunId{3}}};
  std::vector<std::string> warnings = make_report(sources).warnings;
  std::erase_if(warnings, [](const std::string& text) { return !text.starts_with("Kernels"); });
  CHECK(warnings ==
        std::vector<std::string>{"Kernels of one name differ between run 2 and run 3: add.cl changed."});
}

TEST_CASE_METHOD(Runs, "a history shows what was asked for: workloads, labels, the newest runs") {
  for (int i = 0; i < 5; ++i) add(100);
  CHECK(history({.workloads = {"copy"}}).series.empty());
  CHECK(history({.labels = {"*naive*"}}).series.size() == 1);
  const History last = history({.last = 2});
  REQUIRE(last.runs.size() == 2);
  CHECK(last.runs[0].row.id == RunId{4});
  CHECK(of(last, "tiled").points.size() == 2);
  CHECK(last.runs[1].row.id == RunId{5});
}

TEST_CASE("times that were taken over are no runs of their own") {
  Runs runs;
  const RunId first = runs.add(100);
  const auto file = runs.store.path();
  runs.add(100);
  execute(file, "UPDATE points SET reused_from = (SELECT min(id) FROM points) WHERE run = 2");
  const History history = runs.history();
  REQUIRE(history.runs.size() == 1);
  CHECK(history.runs[0].row.id == first);
}

TEST_CASE_METHOD(Runs, "an empty store and one run have a history, too") {
  CHECK(history().series.empty());
  CHECK(json::parse(history_json(history())).at("series").empty());
  add(100);
  const History one = history();
  CHECK(of(one, "tiled").points.size() == 1);
  CHECK_THAT(history_text(one, {}), !ContainsSubstring("newest / first"));
}

TEST_CASE("the conditions of a history are told, and escaped") {
  Runs runs;
  for (const double median : {100.1, 99.9, 100.0, 100.2}) runs.add(median);
  for (const double median : {110.1, 109.8, 110.0}) runs.add(median, "2", "<img src=x> | *d*");
  const History history = runs.history();
  CHECK_THAT(history_text(history, {}), ContainsSubstring("  run 5: plugin.gpu differs"));
  CHECK_THAT(history_text(history, {.markdown = true}),
             HasAll({"### Conditions\n\n- run 5: ", "\\<img src=x> \\| \\*d\\*"}));
  const json document = json::parse(history_json(history));
  CHECK(document.at("series").at(0).at("points").at(4).at("changes").size() == 2);  // plugin and driver
  const json page = json::parse(history_page_data(history));
  CHECK(page.at("heads") == json::array({"runs", "first", "newest", "newest / first"}));
  REQUIRE(page.at("series").size() == 2);
  CHECK(page.at("series").at(0).at("cells") == json::array({"7", "100.1 ns", "110.0 ns", "1.099"}));
}

TEST_CASE("the page has the series that changed most first, whichever way") {
  Runs runs;
  runs.add(100);
  runs.add(101);
  History history = runs.history();
  REQUIRE(history.series.size() == 2);
  for (const double newest : {50.0, 250.0}) {
    history.series[0].points.back().median_ns = 1.5 * history.series[0].points.front().median_ns;
    history.series[1].points.back().median_ns = newest;
    history.series[1].points.front().median_ns = 100;
    const json page = json::parse(history_page_data(history));
    CHECK(page.at("series").at(0).at("variant") == history.series[1].point.variant);
  }
}
