// A comparison as text, Markdown, JSON and CSV; sides from stores and from documents.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/compare_documents.hpp"
#include "report/compared_sides.hpp"
#include "report/export.hpp"
#include "report/format.hpp"
#include "report/point_names.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

const std::string hostile = "<img src=x onerror=alert(1)> | `x` *y*\n# head";

struct Compared {
  CompareSide base =
      side_with({point_with("tiled", 100, 99, 101), point_with("naive", 500, 499, 501),
                 without_time("odd", Status::skipped, hostile), point_with("gone", 7, 7, 7)});
  CompareSide fresh = side_with({point_with("tiled", 110, 109, 111), point_with("naive", 500, 499, 501),
                                 without_time("odd", Status::skipped, hostile)});
  CompareResult result;

  Compared() {
    base.label = "run 1 of a.db";
    fresh.label = hostile;
    fresh.circumstances.environment.entries[1].value = hostile;
    result = compare_within(base, fresh, {});
  }
};

/// A store with one run of three points: two timed, one failed.
struct Stored {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  RunId run{};

  Stored() {
    RunWanted wanted;
    wanted.lanes = {lane_of("gpu:0", "Card")};
    StoredPoint tiled = with_tile(measured("gpu:0", "tiled", 100, 1), 8);
    tiled.resources = {{"registers", 40}};
    tiled.row.content_key = "k";
    wanted.points = {tiled, measured("gpu:0", "naive", 300, 1),
                     untimed("gpu:0", "bad", Status::wrong, "C[1]")};
    run = store_run(store, wanted);
  }
};

}  // namespace

TEST_CASE("the text has every pair, the conditions, the summary and the verdict") {
  const Compared compared;
  const std::string text = compare_text(compared.result, {});
  CHECK_THAT(text, StartsWith("base: run 1 of a.db, "));
  CHECK_THAT(text, ContainsSubstring("Differences of up to 1.0 % do not matter; 2 ratios judged"));
  CHECK_THAT(text, ContainsSubstring("gpu:0: comparable with reservations"));
  CHECK_THAT(text, ContainsSubstring(
                       "100.0 ns  110.0 ns       1.100    1.085–1.115  slower (!)  with reservations"));
  CHECK_THAT(text, ContainsSubstring("500.0 ns  500.0 ns       1.000"));
  CHECK_THAT(text, ContainsSubstring("missing"));
  CHECK_THAT(text, ContainsSubstring("matmul        2           1.049"));
  CHECK_THAT(text, EndsWith("regressed: 1 slower\n"));
  CHECK_THAT(text, !ContainsSubstring("\x1b["));
  CHECK_THAT(compare_text(compared.result, {.colours = true}), ContainsSubstring("\x1b[1;32m"));
}

TEST_CASE("long comparisons list what has changed, and say so") {
  std::vector<ComparedPoint> points;
  for (int i = 0; i < 50; ++i) points.push_back(point_with("v" + std::to_string(i), 100, 100, 100));
  std::vector<ComparedPoint> other = points;
  other[3] = point_with("v3", 200, 200, 200);
  const CompareSide base = side_with(points);
  const CompareSide fresh = side_with(other);
  const CompareResult result = compare_within(base, fresh, {});
  const std::string brief = compare_text(result, {});
  CHECK_THAT(brief, ContainsSubstring("49 pairs that are the same or have no times are not listed; --all"));
  CHECK_THAT(brief, ContainsSubstring(" v3 ") && !ContainsSubstring(" v4 "));
  CHECK_THAT(compare_text(result, {.all = true}), ContainsSubstring(" v4 "));
}

TEST_CASE("of many changes a part is listed, those that fail as many as others") {
  std::vector<ComparedPoint> points;
  std::vector<ComparedPoint> other;
  constexpr std::size_t each = rows_listed + 2;
  for (std::size_t i = 0; i < 2 * each; ++i) {
    const bool slower = i >= each;
    points.push_back(point_with("v" + std::to_string(i), 100, 100, 100));
    const double now = slower ? 200 : 50;
    other.push_back(point_with("v" + std::to_string(i), now, now, now));
  }
  const CompareSide base = side_with(points);
  const CompareSide fresh = side_with(other);
  const CompareResult result = compare_within(base, fresh, {});
  const std::string brief = compare_text(result, {});
  CHECK_THAT(brief, ContainsSubstring("\n4 more rows are not listed; --all lists them.\n\n"));
  CHECK_THAT(brief, ContainsSubstring(" v999 ") && !ContainsSubstring(" v1000 ") &&
                        ContainsSubstring(" v1002 ") && ContainsSubstring(" v2001 ") &&
                        !ContainsSubstring(" v2002 "));
  CHECK_THAT(brief, EndsWith("regressed: 1,002 slower\n"));
  const std::string whole = compare_text(result, {.all = true});
  CHECK_THAT(whole, ContainsSubstring(" v1001 ") && ContainsSubstring(" v2003 ") &&
                        !ContainsSubstring("not listed"));
}

TEST_CASE("in Markdown no text is more than text") {
  const Compared compared;
  const std::string text = compare_text(compared.result, {.markdown = true});
  CHECK_THAT(text, StartsWith("## Comparison\n\n- base: "));
  CHECK_THAT(text,
             ContainsSubstring("\\<img") && ContainsSubstring("\\`x\\`") && ContainsSubstring("\\*y\\*"));
  CHECK_THAT(text, !ContainsSubstring("\n# head"));
  CHECK(text.find("<img") == text.find("\\<img") + 1);
  CHECK_THAT(text, ContainsSubstring("| 100.0 ns | 110.0 ns | 1.100 | 1.085–1.115 | slower (!) |"));
  CHECK_THAT(text, EndsWith("**regressed: 1 slower**\n"));
}

TEST_CASE("JSON and CSV hold the same numbers") {
  const Compared compared;
  const json document = json::parse(compare_json(compared.result, 3));
  CHECK(document.at("schema") == "benchctl.compare");
  CHECK(document.at("verdict") == "regressed");
  CHECK(document.at("comparisons") == 2);
  CHECK(document.at("correction") == "table");
  CHECK(document.at("corrected") == 2);
  CHECK(document.at("lanes").at(0).at("verdict") == "comparable_with_warnings");
  REQUIRE(document.at("pairs").size() == 4);
  const json& slower = document["pairs"][0];
  CHECK(slower.at("outcome") == "slower");
  CHECK(slower.at("fails") == true);
  CHECK(slower.at("ratio").get<double>() == compared.result.pairs[0].ratio);
  CHECK(slower.at("joint_interval").at(0).get<double>() == compared.result.pairs[0].joint_interval.low);
  CHECK(slower.at("base").at("median_ns") == 100.0);
  CHECK(slower.at("base").at("problem") == json({{"n", 64}, {"dtype", "f32"}}));
  CHECK(slower.at("new").at("variant") == "tiled");
  CHECK(document["pairs"][2].at("ratio").is_null());
  CHECK(document["pairs"][2].at("new").at("reason") == hostile);
  CHECK(document["pairs"][3].at("new").is_null());
  CHECK(document.at("all").at("counts") ==
        json({{"slower", 1}, {"same", 1}, {"missing", 1}, {"untimed", 1}}));
  const std::string csv = compare_csv(compared.result);
  CHECK_THAT(csv,
             StartsWith("outcome,fails,reason,workload,variant,backend,base_device,new_device,problem,"));
  CHECK_THAT(csv, ContainsSubstring(
                      "\r\nslower,true,,matmul,tiled,gpu,gpu:0,gpu:0,dtype=f32 n=64,,,hot,stream,device,"
                      "100,99,101,110,109,111,"));
  CHECK_THAT(csv, ContainsSubstring("\r\nmissing,false,,matmul,gone,gpu,gpu:0,,"));
}

TEST_CASE("the verdict file has the verdict, the exit code and what they stand on") {
  const Compared compared;
  const json document = json::parse(compare_verdict(compared.result, 3));
  CHECK(document.at("schema") == "benchctl.compare");
  CHECK(document.at("verdict") == "regressed");
  CHECK(document.at("exit_code") == 3);
  CHECK(document.at("text") == "regressed: 1 slower");
  CHECK(document.at("new").at("label") == hostile);
  CHECK(document.at("looks").is_null());
  REQUIRE(document.at("pairs").size() == 1);
  CHECK(document["pairs"][0].at("outcome") == "slower");
  CHECK(document["pairs"][0].at("label") == full_label(compared.base.points[0].point));
  CHECK(document["pairs"][0].at("joint_interval").at(0).get<double>() ==
        compared.result.pairs[0].joint_interval.low);
  CHECK_THAT(compare_summary(compared.result), StartsWith("**regressed: 1 slower**\n\n## Comparison\n"));
}

TEST_CASE("JUnit has a test for each pair, and no text is markup") {
  Compared compared;
  compared.base.points[2].point.workload = compared.fresh.points[2].point.workload = "a<b>&\"c\"\x01";
  compared.result = compare_within(compared.base, compared.fresh, {});
  const std::string xml = compare_junit(compared.result);
  CHECK_THAT(xml, ContainsSubstring("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\""));
  CHECK_THAT(xml,
             ContainsSubstring("time=\"0.000000110\"><failure type=\"slower\" message=\"slower, new / base "
                               "1.100 [1.082, 1.118]\"/></testcase>") ||
                 ContainsSubstring("<failure type=\"slower\" message=\"slower, new / base 1.100 ["));
  CHECK_THAT(xml, ContainsSubstring("classname=\"a&lt;b&gt;&amp;&quot;c&quot;\\x01\"") &&
                      !ContainsSubstring("\x01"));
  CHECK_THAT(xml, ContainsSubstring("<skipped message=\"missing"));
  CHECK_THAT(xml,
             EndsWith("<system-out>regressed: 1 slower</system-out>\n  </testsuite>\n</testsuites>\n"));
}

TEST_CASE("every form of a comparison has a name of its own and a text") {
  const Compared compared;
  std::set<std::string_view> ids;
  for (const CompareFormat& format : compare_formats()) {
    CAPTURE(format.id);
    CHECK(ids.insert(format.id).second);
    CHECK_FALSE(format.doc.empty());
    CHECK_THAT(format.write(compared.result, {}, 3), EndsWith("\n"));
  }
  CHECK(compare_formats().front().id == "text");
}

TEST_CASE("a run is the same side from its store and from documents of one and of two runs") {
  Stored stored;
  const CompareSide direct = side_of(stored.store, stored.run);
  CHECK(direct.label == "run 1 of s.db");
  RunWanted other;
  other.lanes = {lane_of("gpu:0", "Card")};
  other.points = {measured("gpu:0", "other", 7, 1)};
  const RunId second = store_run(stored.store, other);
  const std::vector<ReportSource> one{{&stored.store, stored.run}};
  const std::vector<ReportSource> two{{&stored.store, second}, {&stored.store, stored.run}};
  for (const auto& sources : {one, two}) {
    const std::string text = report_json(make_report(sources), {.title = {}, .samples = true});
    const CompareSide side = side_of_document(text, "a.json", 1);
    CHECK(side.label == "a.json");
    CHECK(side.run.title == "a title");
    CHECK(side.run.config_text == "[experiment]");
    CHECK(side.circumstances.environment == direct.circumstances.environment);
    REQUIRE(side.circumstances.lanes.size() == 1);
    CHECK(side.circumstances.lanes[0].name() == direct.circumstances.lanes[0].name());
    CHECK(side.circumstances.lanes[0].device.driver == "driver 1");
    REQUIRE(side.points.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(point_identity(side.points[i].point) == point_identity(direct.points[i].point));
      CHECK(side.points[i].point.status == direct.points[i].point.status);
      CHECK(side.points[i].content_key == direct.points[i].content_key);
    }
    CHECK(side.points[0].measurement->ci_high_ns == 101);
    CHECK(side.points[0].samples == std::vector<std::vector<double>>{{99, 100, 101}});
    CHECK(side.points[0].metrics.get("registers") == 40);
    CHECK_FALSE(side.points[0].metrics.has("tile"));
    CHECK_FALSE(side.points[2].measurement);
    CHECK(json::parse(side.points[0].row).at("registers") == 40);
    CHECK_FALSE(json::parse(side.points[0].row).contains("samples_ns"));
    const CompareResult result = compare_within(direct, side, {});
    const json pair = json::parse(compare_json(result, 0)).at("pairs").at(0);
    for (const auto& [column, value] : pair.at("base").items()) {
      CAPTURE(column);
      REQUIRE(pair.at("new").contains(column));
      // What a report ranks has no rank by itself.
      const bool ranked = column == "rank" || column.starts_with("fastest") || column == "versus_best";
      CHECK((ranked || pair["new"].at(column) == value));
    }
    CHECK(result.all.counts.size() == 2);
    CHECK(result.all.counts.at(PairOutcome::untimed) == 1);
  }
}

TEST_CASE("documents that are no run say what they are, and what to do") {
  const Stored stored;
  const auto refuses = [](const std::string& text, const std::string& words,
                          std::optional<std::int64_t> run = {}) {
    CHECK_THROWS_MATCHES(side_of_document(text, "x.json", run), DocumentError,
                         MessageMatches(ContainsSubstring("x.json") && ContainsSubstring(words)));
  };
  refuses("{", "export the run again");
  refuses("[]", "export the run again");
  refuses("{\"schema\": \"other\"}", "no document of `benchctl export");
  refuses("{\"schema\": \"benchctl.report\"}", "export the run again");
  const std::string exported = report_json(make_report(stored.store, stored.run), {});
  refuses(exported, "holds run 1, not run 2", 2);
  json broken = json::parse(exported);
  broken["rows"][0]["status"] = "splendid";
  refuses(broken.dump(), "unknown status");
  broken["rows"][0].erase("problem");
  refuses(broken.dump(), "export the run again");
  json longer = json::parse(exported);
  longer["runs"][0]["row_count"] = 4;
  refuses(longer.dump(), "export the run again");
  Stored again;
  const std::vector<ReportSource> sources{{&stored.store, stored.run}, {&again.store, again.run}};
  const std::string two = report_json(make_report(sources), {});
  refuses(two, "a report of 2 runs");
  refuses(two, "2 of them with the number 1", 1);
}

TEST_CASE("intervals of documents without samples are widened as those of blocks and of processes are") {
  const CompareSide side = side_with({point_with("v", 100, 90, 110)});
  const stats::MedianEstimate one = SideEstimates(side).of(side.points[0], 1);
  CHECK(one.interval.low == 90);
  const stats::MedianEstimate two = SideEstimates(side).of(side.points[0], 2);
  // Student's t with nine degrees of freedom, of ten blocks.
  const double factor = 2.685010847 / 2.262157163;
  CHECK(std::abs(two.interval.high - 100 * std::pow(1.1, factor)) < 1e-5);
  CHECK(std::abs(two.interval.low - 100 * std::pow(0.9, factor)) < 1e-5);
  CompareSide repeated = side;
  repeated.points[0].metrics.set("replicates", 3);
  // Student's t with two degrees of freedom: 6.20535 instead of 4.30265.
  CHECK(std::abs(SideEstimates(repeated).of(repeated.points[0], 2).interval.high -
                 100 * std::pow(1.1, 6.205346817 / 4.302652730)) < 1e-5);
}

TEST_CASE("samples in a store are read for the joint level") {
  const Stored stored;
  const CompareSide side = side_of(stored.store, stored.run);
  CHECK(SideEstimates(side).of(side.points[0], 1).interval.high == 101);
  CHECK(SideEstimates(side).of(side.points[0], 2).interval.high > 101);
}
