// One report in every form: the same numbers, all text escaped.
#include "report/export.hpp"
#include "report/page.hpp"
#include "report/stored_run.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <array>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

const std::string hostile_text =
    "</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"&' | `x`";

/// A run whose every text comes from an enemy.
struct Hostile : OneStore {
  std::vector<ReportSource> sources;

  Hostile() {
    RunWanted wanted;
    wanted.title = hostile_text;
    wanted.lanes = {lane_of("gpu:0", hostile_text)};
    wanted.environment =
        json::array({{{"key", hostile_text}, {"value", hostile_text}, {"class", "information"}}}).dump();
    Result point = measured("gpu:0", hostile_text, 100, 1);
    point.row.point.tunables = {{hostile_text, hostile_text}};
    wanted.points = {point, untimed("gpu:0", "bad", Status::crashed, hostile_text)};
    sources.push_back({&store, store_run(store, wanted)});
  }
};

}  // namespace

TEST_CASE_METHOD(
    TwoMachines,
    "the JSON report holds roofs with their intervals, and which rows and platforms are a run's") {
  const RunId run = sources[0].run;
  first.set_roofs(run, std::array{RoofRow{"gpu:0", "dram_copy", 3e12, PointId{1}}});
  const json document = json::parse(report_json(report(), {}));
  CHECK(document.at("title") == "a title · another");
  REQUIRE(document.at("runs").size() == 2);
  const json& roof = document["runs"][0].at("roofs").at(0);
  CHECK(roof.at("lane") == "gpu:0");
  CHECK(roof.at("probe") == "dram_copy");
  CHECK(roof.at("per_second") == 3e12);
  CHECK_THAT(roof.at("low_per_second").get<double>(), WithinRel(3e12 / 1.01));
  CHECK_THAT(roof.at("high_per_second").get<double>(), WithinRel(3e12 / 0.99));
  CHECK(roof.at("clock_mhz").is_null());
  CHECK(document["runs"][1].at("first_row") == 6);
  CHECK(document["runs"][1].at("row_count") == 1);
  CHECK(document["runs"][0].at("platforms").at("gpu:0") == 0);
  CHECK(document["runs"][1].at("platforms").at("gpu:0") == 2);
  CHECK(document.at("rows").size() == 7);
}

TEST_CASE_METHOD(TwoMachines, "CSV names run and platform of each point") {
  const std::string text = report_csv(report());
  CHECK_THAT(text, HasAll({",first.db,name,20", ",gpu:0 (Fast card),Fast card,"}));
  CHECK(std::ranges::count(text, '\n') == 8);
}

TEST_CASE_METHOD(TwoMachines, "Markdown compares devices, and puts portability before the notes") {
  const std::string text = report_markdown(report());
  CHECK_THAT(text,
             StartsWith("# a title · another\n\n- matmul f32, n = 64: which tile?\n  - gpu:0 (Fast card): "
                        "tile 8, 100 ns (99.0–101), 2.0× ") &&
                 HasAll({"| cpu:0 | tiled tile=8 | 1.00 µs (0.990–1.01) | 20.0× | 524.3 | "
                         "49.15 | 20 % | naive |  |",
                         "| matmul dtype=f32 n=64 | tiled | 0.750 | 0.316 |"}));
  CHECK(text.find("## Performance portability") <
        text.find("## 2 notes\n\n- The runs were made on different"));
}

TEST_CASE("hostile_text texts stay texts in every form") {
  const Hostile enemy;
  const Report report = make_report(enemy.sources);
  CHECK(json::parse(report_json(report, {}))["runs"][0].at("title") == hostile_text);
  const std::string markdown = report_markdown(report);
  for (std::size_t at = markdown.find('<'); at != std::string::npos; at = markdown.find('<', at + 1)) {
    CAPTURE(markdown.substr(0, at + 10));
    CHECK((at > 0 && markdown[at - 1] == '\\'));
  }

  const std::filesystem::path page = enemy.folder.write(
      "page.html", "<title><!--benchctl:title--></title><script id=data><!--benchctl:data--></script>");
  const std::string html = html_page(report, page, {});
  CHECK_THAT(html, StartsWith("<title>&lt;/script&gt;&lt;script&gt;"));
  const std::size_t begin = html.find("<script id=data>") + std::string("<script id=data>").size();
  const std::size_t end = html.find("</script>", begin);
  REQUIRE(end == html.size() - std::string("</script>").size());
  const std::string data = html.substr(begin, end - begin);
  CHECK(data.find('<') == std::string::npos);
  CHECK(json::parse(data).at("title") == hostile_text);
  CHECK(json::parse(data).at("environment").at(1).at("rows").at(0).at(1) == hostile_text);
}

TEST_CASE_METHOD(
    TwoMachines,
    "the page's data are columns; texts and parameters are coded, one value stands for all rows") {
  const json data = json::parse(page_data(report(), {}));
  const json& points = data.at("points");
  CHECK(points.at("time") == json({100.0, 200.0, 50.0, 1000.0, 1005.0, nullptr, 80.0}));
  CHECK(points.at("time_low").at(0) == 99);
  CHECK(points.at("time_high").at(0) == 101);
  CHECK_THAT(points.at("gflops_low").at(0).get<double>(),
             WithinRel(points.at("gflops").at(0).get<double>() * 100 / 101, 1e-4));
  CHECK(points.at("order") == json({2, 3, 0, 4, 5, 6, 1}));
  CHECK(points.at("competes") == json({1, 1, 1, 1, 1, 0, 1}));
  CHECK(points.at("variant").at("values") == json({"tiled", "vendor", "naive", "broken"}));
  CHECK(points.at("variant").at("codes") == json({0, 0, 1, 0, 2, 3, 0}));
  CHECK(points.at("tunables").at("tile").at("codes") == json({0, 1, -1, 0, -1, -1, 0}));
  CHECK(data.at("runs_repeat") == false);
  CHECK(points.at("predicted_ns").is_null());
  CHECK(data.at("environment").at(3).at("rows") ==
        json::parse(R"([["cpu.model", "must match", "x", "y"]])"));
  REQUIRE(data.at("sections").size() == 2);
  CHECK(data["sections"][1].at("rows") == json::parse(R"([[0, "tiled", "0.750", "0.316"]])"));
  REQUIRE(data.at("headlines").size() == 2);
  CHECK(data["headlines"][0].at("rows") == json({0, 1, 3}));
  CHECK(data["sections"][0].at("rows").at(2).at(4) == "1.60×");
  CHECK_FALSE(data.contains("history"));
  CHECK(json::parse(page_data(report(), {.history = "{\"series\":[]}"})).contains("history"));
}

TEST_CASE_METHOD(TwoMachines, "the page carries no more samples than it may, those of the fastest first") {
  // 32 at least for a point: there is room for one.
  const json data = json::parse(page_data(report(), {.samples = 33}));
  CHECK(data.at("samples").at("point") == json({0}));
  CHECK(data["samples"].at("points") == 6);
  CHECK(data["samples"].at("near") == json::parse("[[97, 103]]"));
}

TEST_CASE_METHOD(TwoMachines, "without a template there is no page, and the error says what to do") {
  try {
    (void)html_page(report(), folder.path() / "none.html", {});
    FAIL("no error");
  } catch (const PageError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("built without npm"));
    CHECK_THAT(error.what(), ContainsSubstring("--format md"));
  }
  const auto damaged = folder.write("damaged.html", "<html></html>");
  CHECK_THROWS_AS(html_page(report(), damaged, {}), PageError);
}
