// A comparison as text, Markdown, JSON and CSV.
#include "report/compared_sides.hpp"
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
  return median_estimate(side, side.points[0], comparisons);
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

TEST_CASE_METHOD(Compared, "in documents a side that a pair lacks is null, and reasons are whole") {
  const json document = json::parse(compare_json(result, 3));
  const json& pairs = document.at("pairs");
  REQUIRE(pairs.size() == 4);
  CHECK(pairs[2].at("ratio").is_null());
  CHECK(pairs[2].at("new").at("reason") == hostile);
  CHECK(pairs[3].at("new").is_null());
}

TEST_CASE_METHOD(Compared, "JUnit has a test for each pair, and no text is markup") {
  base.points[2].row.point.workload = fresh.points[2].row.point.workload = "a<b>&\"c\"\x01";
  result = compare_within(base, fresh, {});
  const std::string xml = compare_junit(result);
  CHECK_THAT(xml,
             HasAll({"tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\"",
                     "classname=\"a&lt;b&gt;&amp;&quot;c&quot;\\x01\"", "<skipped message=\"missing"}) &&
                 !ContainsSubstring("\x01"));
}

TEST_CASE("intervals without samples are widened as those of blocks and of processes are") {
  const CompareSide side = side_with({point_with("v", 100, 90, 110)});
  const stats::MedianEstimate one = estimate(side, 1);
  CHECK(one.interval.low == 90);
  const stats::MedianEstimate two = estimate(side, 2);
  // Student's t with nine degrees of freedom, of ten blocks.
  const double factor = 2.685010847 / 2.262157163;
  CHECK(std::abs(two.interval.high - 100 * std::pow(1.1, factor)) < 1e-5);
  CHECK(std::abs(two.interval.low - 100 * std::pow(0.9, factor)) < 1e-5);
  CompareSide repeated = side;
  repeated.points[0].resources["replicates"] = 3;
  // Student's t with two degrees of freedom: 6.20535 instead of 4.30265.
  CHECK(std::abs(estimate(repeated, 2).interval.high - 100 * std::pow(1.1, 6.205346817 / 4.302652730)) <
        1e-5);
}

TEST_CASE_METHOD(Stored, "samples in a store are read for the joint level") {
  const CompareSide side = side_of(store, run);
  CHECK(estimate(side, 1).interval.high == 101);
  CHECK(estimate(side, 2).interval.high > 101);
}

TEST_CASE("processes have the medians of their samples in use, in their order") {
  CompareSide side = side_with({point_with("v", 100, 90, 110)});
  const auto row = [](std::uint32_t replicate, std::vector<double> ns, bool used = true) {
    SampleRow made;
    made.replicate = replicate;
    made.block.ns = std::move(ns);
    made.used = used;
    return made;
  };
  side.samples = [&](PointId) {
    return std::vector{row(1, {5, 4}), row(0, {3, 9}), row(0, {1}), row(0, {100}, false),
                       row(2, {7}, false)};
  };
  CHECK(process_medians(side, side.points[0]) == std::vector<double>{3, 4.5});
}
