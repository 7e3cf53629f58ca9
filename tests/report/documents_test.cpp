// One report in every form: the same numbers, all text escaped.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/export.hpp"
#include "report/page.hpp"
#include "report/stored_run.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinRel;
using nlohmann::json;

namespace {

const std::string hostile_text =
    "</script><script>alert(1)</script> <img src=x onerror=alert(2)> \"&' | `x`";

/// A run whose every text comes from an enemy.
struct Hostile {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  std::vector<ReportSource> sources;

  Hostile() {
    RunWanted wanted;
    wanted.title = hostile_text;
    wanted.lanes = {lane_of("gpu:0", hostile_text)};
    wanted.environment =
        json::array({{{"key", hostile_text}, {"value", hostile_text}, {"class", "information"}}}).dump();
    StoredPoint point = measured("gpu:0", hostile_text, 100, 1);
    point.row.point.tunables = {{hostile_text, hostile_text}};
    wanted.points = {point, untimed("gpu:0", "bad", Status::crashed, hostile_text)};
    sources.push_back({&store, store_run(store, wanted)});
  }
};

}  // namespace

TEST_CASE("the JSON report holds every row with its place, and what the model says") {
  TwoMachines machines;
  const RunId run = machines.sources[0].run;
  machines.first.set_roofs(run, std::array{RoofRow{"gpu:0", "dram_copy", 3e12, PointId{1}}});
  const std::string text = report_json(machines.report(), {});
  CHECK_THAT(text, EndsWith("}\n"));
  const json document = json::parse(text);
  CHECK(document.at("schema") == "benchctl.report");
  CHECK(document.at("schema_version") == document_version);
  CHECK(document.at("title") == "a title · another");
  CHECK(document.at("runs").size() == 2);
  CHECK(document["runs"][1].at("environment").at(0).at("value") == "y");
  const json& roof = document["runs"][0].at("roofs").at(0);
  CHECK(roof.at("lane") == "gpu:0");
  CHECK(roof.at("probe") == "dram_copy");
  CHECK(roof.at("per_second") == 3e12);
  CHECK_THAT(roof.at("low_per_second").get<double>(), WithinRel(3e12 / 1.01));
  CHECK_THAT(roof.at("high_per_second").get<double>(), WithinRel(3e12 / 0.99));
  CHECK(roof.at("clock_mhz").is_null());
  CHECK(document.at("platforms").at(2).at("lane") == "gpu:0");
  CHECK(document["runs"][1].at("devices").at(0).at("name") == "Other card");
  CHECK(document["runs"][1].at("first_row") == 6);
  CHECK(document["runs"][1].at("row_count") == 1);
  CHECK(document["runs"][0].at("platforms").at("gpu:0") == 0);
  CHECK(document["runs"][1].at("platforms").at("gpu:0") == 2);
  REQUIRE(document.at("rows").size() == 7);
  const json& row = document["rows"][2];
  CHECK(row.at("run") == 1);
  CHECK(row.at("point") == 2);
  CHECK(document.at("comparisons").at(0).at("rows").at(2) == 2);
  CHECK(row.at("rank") == 1);
  CHECK(row.at("fastest") == true);
  CHECK(row.at("versus_best") == 1.0);
  CHECK(row.at("median_ns") == 50.0);
  CHECK(row.at("roof_fraction") == 1.0);
  CHECK(row.at("tunables").empty());
  const json& failed = document["rows"][5];
  CHECK(failed.at("versus_best").is_null());
  CHECK(failed.at("reason") == "line 3: <no> \"such\" | thing");
  CHECK_FALSE(row.contains("samples_ns"));
  const json sampled = json::parse(report_json(machines.report(), {.title = {}, .samples = true}));
  CHECK(sampled["rows"][2].at("samples_ns") == json({49.0, 50.0, 51.0}));
}

TEST_CASE("CSV has a line for each point, named by run and platform") {
  const TwoMachines machines;
  const std::string text = report_csv(machines.report());
  CHECK_THAT(text, StartsWith("status,reason,workload,variant,"));
  CHECK_THAT(text, ContainsSubstring(",store,run_name,created_at,host,platform,device_name,"));
  CHECK_THAT(text, ContainsSubstring("\r\nok,,matmul,vendor,") && ContainsSubstring(",first.db,name,20"));
  CHECK_THAT(text, ContainsSubstring(",gpu:0 (Fast card),Fast card,"));
  CHECK_THAT(text,
             ContainsSubstring("\r\ncompile_error,\"line 3: <no> \"\"such\"\" | thing\",matmul,broken,"));
  CHECK(std::ranges::count(text, '\n') == 8);
}

TEST_CASE("Markdown gives the answer first and compares devices") {
  const TwoMachines machines;
  const std::string text = report_markdown(machines.report(), "My title");
  CHECK_THAT(text, StartsWith("# My title\n\n- matmul f32, n = 64: which tile?\n  - gpu:0 (Fast card): "
                              "tile 8, 100 ns (99.0–101), 2.0× "));
  CHECK_THAT(text,
             ContainsSubstring(
                 "| matmul dtype=f32 n=64 | device, hot, stream | gpu:0 (Fast card) | vendor | "
                 "50.0 ns (49.0–51.0) | 1.00× | 10486 | 983.0 | 100 % |  | tiled tile=8, 100.0 ns |"));
  CHECK_THAT(text, ContainsSubstring("| cpu:0 | tiled tile=8 | 1.00 µs (0.990–1.01) | 20.0× | 524.3 | "
                                     "49.15 | 20 % | naive |  |"));
  CHECK_THAT(text, ContainsSubstring("| matmul dtype=f32 n=64 | tiled | 0.750 | 0.316 |"));
  CHECK(text.find("## Performance portability") <
        text.find("## 2 notes\n\n- The runs were made on different"));
  CHECK_THAT(text, ContainsSubstring("stored in"));
}

TEST_CASE("paired rounds and replicates are in the summary of Markdown and JSON") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card")};
  StoredPoint tiled = measured("gpu:0", "tiled", 100, 1);
  tiled.resources = {{"replicates", 3}, {"within_spread", 0.001}, {"between_spread", 0.02}};
  StoredPoint naive = measured("gpu:0", "naive", 200, 1);
  naive.resources = {{"replicates", 3}, {"within_spread", 0.004}, {"between_spread", 0.03}};
  wanted.points = {tiled, naive};
  const RunId run = store_run(store, wanted);
  const Comparison baseline{Against::baseline, 0, "matmul/tiled @ gpu:0", 20, 2.0, 1.98, 2.02, 1, 0.01,
                            "slower"};
  store.set_comparisons(store.points(run)[1].id, std::array{baseline});
  const std::vector<ReportSource> sources{{&store, run}};
  const Report report = make_report(sources);
  const std::string text = report_markdown(report, {});
  CHECK_THAT(text, ContainsSubstring("## Against the baseline, by paired rounds\n\n| problem |"));
  CHECK_THAT(text,
             ContainsSubstring("| gpu:0 | naive | 0.500× | 0.495–0.505 | slower | matmul/tiled @ gpu:0 |"));
  CHECK_THAT(text, ContainsSubstring("## Between fresh processes"));
  const std::size_t first = text.find("| naive | 3.000 | 0.40 % | 3.0 % |");
  const std::size_t second = text.find("| tiled | 3.000 | 0.10 % | 2.0 % |");
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(first < second);
  const json document = json::parse(report_json(report, {}));
  CHECK(document.at("rows").at(1).at("verdict") == "slower");
  CHECK(document["rows"][1].at("between_spread") == 0.03);
  const json page = json::parse(page_data(report, {}));
  const json& paired = page.at("sections").at(1);
  CHECK(paired.at("title") == "Against the baseline, by paired rounds");
  CHECK(paired.at("heads").at(2) == json{{"title", "speed vs baseline"}, {"number", true}});
  // The problem is a heading; the first number is the point that the row is about.
  CHECK(paired.at("by_problem") == true);
  CHECK(paired.at("rows") ==
        json::parse(
            R"([[1, "gpu:0", ["naive", 1], "0.500×", "0.495–0.505", "slower", "matmul/tiled @ gpu:0"]])"));
  CHECK_FALSE(page.contains("history"));
  CHECK(json::parse(page_data(report, {.history = "{\"series\":[]}"})).at("history").at("series").empty());
}

TEST_CASE("hostile_text texts stay texts in every form") {
  const Hostile enemy;
  const Report report = make_report(enemy.sources);
  CHECK(json::parse(report_json(report, {}))["runs"][0].at("title") == hostile_text);
  const std::string markdown = report_markdown(report, {});
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
  CHECK(json::parse(data).at("platforms").at(0).at("device").at("name") == hostile_text);
}

TEST_CASE("the page's data are columns; texts and parameters are coded") {
  const TwoMachines machines;
  const json data = json::parse(page_data(machines.report(), {}));
  const json& points = data.at("points");
  CHECK(points.at("count") == 7);
  CHECK(points.at("median_ns") == json({100.0, 200.0, 50.0, 1000.0, 1005.0, nullptr, 80.0}));
  CHECK(points.at("best") == json({0, 0, 1, 1, 0, 0, 1}));
  CHECK(points.at("place") == json({2, 3, 1, 1, 1, 0, 1}));
  CHECK(points.at("variant").at("values") == json({"tiled", "vendor", "naive", "broken"}));
  CHECK(points.at("variant").at("codes") == json({0, 0, 1, 0, 2, 3, 0}));
  CHECK(points.at("tunables").at("tile").at("codes") == json({0, 1, -1, 0, -1, -1, 0}));
  CHECK(points.at("tunables").at("tile").at("values") == json({8, 16}));
  CHECK(points.at("roof_fraction").at(2) == 1.0);
  CHECK(points.at("median").at("values").at(4) == "1.005 µs");
  CHECK(points.at("range").at("values").at(0) == "99.0–101");
  CHECK(data.at("facts").at(0) ==
        json{{"id", "median"}, {"label", "median"}, {"shown", "tgd"}, {"by", "median_ns"}});
  const json& samples = data.at("samples");
  CHECK(samples.at("point").at(1) == 2);
  CHECK(samples.at("of").at(1) == 3);
  CHECK(samples.at("from").at(1) == 49);
  CHECK(samples.at("step").at(1) == 0.0049);
  CHECK(samples.at("steps").at(1) == json({0, 204, 408}));
  CHECK(samples.at("traces") == json::object());
  CHECK(data.at("differing") == json({"cpu.model"}));
  REQUIRE(data.at("sections").size() == 2);
  CHECK(data["sections"][1].at("rows") == json::parse(R"([[0, "tiled", "0.750", "0.316"]])"));
  // A column of one value is that value.
  CHECK(points.at("older") == 0);
  CHECK(points.at("predicted_ns").is_null());
  CHECK(points.at("workload") == json{{"values", {"matmul"}}, {"codes", 0}});
  REQUIRE(data.at("headlines").size() == 2);
  CHECK(data["headlines"][0].at("axis") == "tile");
  CHECK(data["headlines"][0].at("rows") == json({0, 1, 3}));
  CHECK(data["headlines"][0].at("lines").at(0).at("row") == 0);
  const json& answers = data["sections"][0].at("rows");
  REQUIRE(answers.size() == 3);
  CHECK(answers.at(0).at(0) == 2);
  CHECK(answers.at(0).at(2) == json{"vendor", 2});
  CHECK(answers.at(0).at(10) == json{"tiled tile=8, 100.0 ns", 0});
  CHECK(answers.at(1).at(9) == "naive");
  CHECK(answers.at(2).at(4) == "1.60×");
}

TEST_CASE("the page carries no more samples than it may, those of the fastest first") {
  const TwoMachines machines;
  // 32 at least for a point: there is room for one.
  const json data = json::parse(page_data(machines.report(), {.title = {}, .samples = 33}));
  CHECK(data.at("samples").at("point") == json({0}));
  CHECK(data.at("samples_of") == json{{"shown", 1}, {"points", 6}});
}

TEST_CASE("without a template there is no page, and the error says what to do") {
  const TwoMachines machines;
  try {
    (void)html_page(machines.report(), machines.folder.path() / "none.html", {});
    FAIL("no error");
  } catch (const PageError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("built without npm"));
    CHECK_THAT(error.what(), ContainsSubstring("--format md"));
  }
  const auto damaged = machines.folder.write("damaged.html", "<html></html>");
  CHECK_THROWS_AS(html_page(machines.report(), damaged, {}), PageError);
}
