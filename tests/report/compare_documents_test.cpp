// A comparison as text, Markdown, JSON and CSV; sides from stores and from documents.
#include "model/keys.hpp"
#include "report/compared_sides.hpp"
#include "report/export.hpp"
#include "report/table.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;
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
struct Stored : OneStore {
  RunId run{};

  Stored() {
    RunWanted wanted;
    Result tiled = with_tile(measured("gpu:0", "tiled", 100, 1), 8);
    tiled.resources = {{"registers", 40}};
    tiled.row.content_key = "k";
    wanted.points = {tiled, measured("gpu:0", "naive", 300, 1),
                     untimed("gpu:0", "bad", Status::wrong, "C[1]")};
    run = store_run(store, wanted);
  }
};

/// Of its first point.
stats::MedianEstimate estimate(const CompareSide& side, std::size_t comparisons) {
  return median_estimate(side.points[0], times_reader(side), comparisons);
}

}  // namespace

TEST_CASE_METHOD(
    Compared, "the text says what is missing and what differs between the machines; colours on request") {
  const std::string text = compare_text(result, {});
  CHECK_THAT(text,
             HasAll({"gpu:0: comparable with reservations", "slower (!)  with reservations", "missing"}) &&
                 !ContainsSubstring("\x1b["));
  CHECK_THAT(compare_text(result, {.colours = true}), ContainsSubstring("\x1b[1;32m"));
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
  CHECK_THAT(brief, HasAll({"49 pairs that are the same or have no times are not listed; --all", " v3 "}) &&
                        !ContainsSubstring(" v4 "));
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
  CHECK_THAT(brief, HasAll({"\n4 more rows are not listed; --all lists them.\n\n", " v999 ", " v1002 ",
                            " v2001 "}) &&
                        !ContainsSubstring(" v1000 ") && !ContainsSubstring(" v2002 ") &&
                        EndsWith("regressed: 1,002 slower\n"));
  const std::string whole = compare_text(result, {.all = true});
  CHECK_THAT(whole, HasAll({" v1001 ", " v2003 "}) && !ContainsSubstring("not listed"));
}

TEST_CASE_METHOD(Compared, "in Markdown no text is more than text") {
  const std::string text = compare_text(result, {.markdown = true});
  CHECK_THAT(text, HasAll({"\\<img", "\\`x\\`", "\\*y\\*"}) && !ContainsSubstring("\n# head"));
  CHECK(text.find("<img") == text.find("\\<img") + 1);
}

TEST_CASE_METHOD(Compared,
                 "in documents a side that a pair lacks is null or empty, and reasons are whole") {
  const json document = json::parse(compare_json(result, 3));
  const json& pairs = document.at("pairs");
  REQUIRE(pairs.size() == 4);
  CHECK(pairs[2].at("ratio").is_null());
  CHECK(pairs[2].at("new").at("reason") == hostile);
  CHECK(pairs[3].at("new").is_null());
  CHECK_THAT(compare_csv(result), ContainsSubstring("\r\nmissing,false,,matmul,gone,gpu,gpu:0,,"));
}

TEST_CASE_METHOD(Compared, "JUnit has a test for each pair, and no text is markup") {
  base.points[2].point.workload = fresh.points[2].point.workload = "a<b>&\"c\"\x01";
  result = compare_within(base, fresh, {});
  const std::string xml = compare_junit(result);
  CHECK_THAT(xml,
             HasAll({"tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\"",
                     "classname=\"a&lt;b&gt;&amp;&quot;c&quot;\\x01\"", "<skipped message=\"missing"}) &&
                 !ContainsSubstring("\x01"));
}

TEST_CASE_METHOD(Stored,
                 "a run is the same side from its store and from documents of one and of two runs") {
  const CompareSide direct = side_of(store, run);
  CHECK(direct.label == "run 1 of store.db");
  RunWanted other;
  other.lanes = {lane_of("gpu:0", "Card")};
  other.points = {measured("gpu:0", "other", 7, 1)};
  const RunId second = store_run(store, other);
  const std::vector<ReportSource> one{{&store, run}};
  const std::vector<ReportSource> two{{&store, second}, {&store, run}};
  for (const auto& sources : {one, two}) {
    const std::string text = report_json(make_report(sources), {.samples = true});
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
      CHECK(PointKey(side.points[i].point) == PointKey(direct.points[i].point));
      CHECK(side.points[i].point.status == direct.points[i].point.status);
    }
    CHECK(side.points[0].measurement->ci_high_ns == 101);
    CHECK(side.points[0].samples == std::vector<std::vector<double>>{{99, 100, 101}});
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
  const stats::MedianEstimate one = estimate(side, 1);
  CHECK(one.interval.low == 90);
  const stats::MedianEstimate two = estimate(side, 2);
  // Student's t with nine degrees of freedom, of ten blocks.
  const double factor = 2.685010847 / 2.262157163;
  CHECK(std::abs(two.interval.high - 100 * std::pow(1.1, factor)) < 1e-5);
  CHECK(std::abs(two.interval.low - 100 * std::pow(0.9, factor)) < 1e-5);
  CompareSide repeated = side;
  repeated.points[0].replicates = 3;
  // Student's t with two degrees of freedom: 6.20535 instead of 4.30265.
  CHECK(std::abs(estimate(repeated, 2).interval.high - 100 * std::pow(1.1, 6.205346817 / 4.302652730)) <
        1e-5);
}

TEST_CASE_METHOD(Stored, "samples in a store are read for the joint level") {
  const CompareSide side = side_of(store, run);
  CHECK(estimate(side, 1).interval.high == 101);
  CHECK(estimate(side, 2).interval.high > 101);
}
