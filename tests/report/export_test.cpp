// Exports are read back by a parser of CSV that shares nothing with the writer, and compared with JSON.
#include "report/export.hpp"
#include "model/metrics.hpp"
#include "report/compared_sides.hpp"
#include "report/page.hpp"
#include "support/catch.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;
using nlohmann::json;

namespace {

const std::string awkward = "a,\"b\"\r\nµ; '|\t";

/// RFC 4180, one character at a time. Fails the test on a bare quote or line end.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1);
  std::string field;
  enum class State { start, bare, quoted, quote_seen } state = State::start;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (state == State::quoted) {
      if (c == '"') {
        state = State::quote_seen;
      } else {
        field += c;
      }
    } else if (c == '"') {
      REQUIRE(state != State::bare);
      if (state == State::quote_seen) field += '"';
      state = State::quoted;
    } else if (c == ',' || c == '\r') {
      records.back().push_back(field);
      field.clear();
      state = State::start;
      if (c == '\r') {
        REQUIRE(i + 1 < text.size());
        REQUIRE(text[++i] == '\n');
        records.emplace_back();
      }
    } else {
      REQUIRE(c != '\n');
      REQUIRE(state != State::quote_seen);
      field += c;
      state = State::bare;
    }
  }
  REQUIRE(records.back().empty());
  records.pop_back();
  return records;
}

/// Control characters are written out.
std::string in_csv(std::string text) {
  for (std::size_t at = 0; (at = text.find('\r', at)) != std::string::npos;) text.replace(at, 1, "\\x0d");
  return text;
}

/// The text that a JSON value has in CSV, found without the writer's help.
void check_same(const std::string& field, const json& value) {
  CAPTURE(field, value.dump());
  if (value.is_null()) {
    CHECK(field.empty());
  } else if (value.is_boolean()) {
    CHECK(field == (value.get<bool>() ? "true" : "false"));
  } else if (value.is_string()) {
    CHECK(field == in_csv(value.get<std::string>()));
  } else if (value.is_number_float()) {
    double number = 0;
    const auto result = std::from_chars(field.data(), field.data() + field.size(), number);
    CHECK(result.ptr == field.data() + field.size());
    CHECK(number == value.get<double>());
  } else {
    CHECK(field == value.dump());
  }
}

/// A store with a run of three points: measured with everything, failed with an awkward reason, skipped.
struct StoredRun : OneStore {
  RunId run{};

  StoredRun() {
    RunWanted wanted;
    wanted.title = awkward;
    wanted.environment = R"([{"key":"system.host","value":"node7","class":"information"}])";
    wanted.lanes = {lane_of("fake:0", "A device")};
    Result good = with_tile(measured("fake:0", "tiled", 1000.5, 10), 8);
    good.measurement->ci_high_ns = std::nan("");
    good.measurement->note = "noted";
    good.resources = {{"registers", 40}, {"occupancy", std::nan("")}, {"label", 1}};
    good.notes = {{"isa", "x"}, {"kernel", awkward}};
    Result bad = with_tile(untimed("fake:0", "tiled", Status::compile_error, awkward), 16);
    bad.row.point.tunables.set("mode", awkward);
    bad.row.point.tunables.set("registers", std::int64_t{5});
    bad.row.point.tunables.set("status", true);
    bad.row.point.layout = "soa";
    wanted.points = {good, bad, with_tile(untimed("fake:0", "tiled", Status::skipped, "no room"), 32)};
    run = store_run(store, wanted);
  }
};

std::map<std::string, std::string> record(const std::vector<std::vector<std::string>>& csv,
                                          std::size_t row) {
  std::map<std::string, std::string> fields;
  for (std::size_t i = 0; i < csv[0].size(); ++i) fields[csv[0][i]] = csv[row + 1].at(i);
  return fields;
}

}  // namespace

TEST_CASE("every figure has its text in the table of metrics, once") {
  std::set<std::string_view> ids;
  for (const MetricInfo& metric : metric_table) {
    CAPTURE(metric.id);
    CHECK(ids.insert(metric.id).second);
    CHECK_FALSE(metric.label.empty());
    CHECK(metric.doc.size() > 10);
    CHECK(find_metric(metric.id) == &metric);
  }
  CHECK(find_metric("nothing") == nullptr);
  const nlohmann::ordered_json fixed = row_json(Result{});
  for (const auto& [column, value] : fixed.items()) {
    CAPTURE(column);
    if (column.ends_with("_ns")) {
      REQUIRE(find_metric(column) != nullptr);
      CHECK(find_metric(column)->unit == "ns");
      CHECK(find_metric(column)->basis_dependent);
    }
  }
  for (const char* column : {"n_samples", "batch", "gflops", "gbytes_per_s", "error_norm"}) {
    CHECK(find_metric(column) != nullptr);
  }
}

TEST_CASE_METHOD(StoredRun,
                 "CSV keeps awkward texts, parameters that have a column's name, and what has no number") {
  const auto csv = parse_csv(report_csv(make_report(store, run)));
  REQUIRE(csv.size() == 4);
  for (const auto& line : csv) CHECK(line.size() == csv[0].size());
  const auto good = record(csv, 0);
  CHECK(good.at("ci_high_ns").empty());
  CHECK(good.at("host") == "node7");
  CHECK(good.at("notes.isa") == "x");
  CHECK(good.at("notes.kernel") == in_csv(awkward));
  CHECK(good.at("registers") == "40");
  CHECK(good.at("occupancy").empty());
  CHECK(good.at("resources.label") == "1");
  CHECK(good.at("tunables.registers").empty());
  const auto bad = record(csv, 1);
  CHECK(bad.at("reason") == in_csv(awkward));
  CHECK(bad.at("mode") == in_csv(awkward));
  CHECK(bad.at("tunables.registers") == "5");
  CHECK(bad.at("tunables.status") == "true");
  CHECK(bad.at("notes.isa").empty());
  CHECK(bad.at("registers").empty());
  CHECK(bad.at("layout") == "soa");
  for (const char* empty : {"median_ns", "rank", "versus_best", "range_low_ns", "n_samples", "gated",
                            "stop", "gflops", "verified", "error_norm"}) {
    CAPTURE(empty);
    CHECK(bad.at(empty).empty());
  }
  CHECK(record(csv, 2).at("reason") == "no room");
}

TEST_CASE_METHOD(StoredRun, "JSON has the same names and values as CSV, and what CSV repeats only once") {
  const std::string text = report_json(make_report(store, run), {});
  CHECK_THAT(text, EndsWith("}\n"));
  const json document = json::parse(text);
  const auto csv = parse_csv(report_csv(make_report(store, run)));
  REQUIRE(document.at("rows").size() == csv.size() - 1);
  for (std::size_t i = 0; i + 1 < csv.size(); ++i) {
    const json& row = document["rows"][i];
    CHECK(row.at("problem") == json({{"dtype", "f32"}, {"n", 64}}));
    CHECK(row.at("tunables").at("tile") == (i == 0 ? 8 : i == 1 ? 16 : 32));
    CHECK(row.contains("registers") == (i == 0));
    std::map<std::string, std::string> fields = record(csv, i);
    for (const auto& [column, value] : row.items()) {
      CAPTURE(column);
      if (column == "problem" || column == "tunables" || column == "content_key") continue;
      if (column == "notes") {
        for (const auto& [key, note] : value.items()) CHECK(fields.at("notes." + key) == in_csv(note));
        continue;
      }
      REQUIRE(fields.contains(column));
      check_same(fields.at(column), value);
      fields.erase(column);
    }
    const nlohmann::ordered_json fixed = row_json(Result{});
    for (const auto& [column, value] : fixed.items()) CHECK_FALSE(fields.contains(column));
  }
  CHECK(document.at("units").at("median_ns") == "ns");
  CHECK(document["units"].at("gflops") == "GFLOP/s");
  CHECK_FALSE(document["units"].contains("n_samples"));
}

TEST_CASE_METHOD(StoredRun, "raw samples on request") {
  const Report report = make_report(store, run);
  CHECK_FALSE(json::parse(report_json(report, {}))["rows"][0].contains("samples_ns"));
  const json document = json::parse(report_json(report, {.samples = true}));
  CHECK(document["rows"][0].at("samples_ns") == json({999.5, 1000.5, 1001.5}));
  CHECK(document["rows"][1].at("samples_ns") == json::array());
}

TEST_CASE_METHOD(OneStore, "a parameter that has the name of a column, or of a metric, says what it is") {
  Result point = measured("gpu:0", "a", 1, 0);
  point.row.point.problem = {{"status", std::int64_t{1}}, {"power", std::int64_t{2}}};
  point.row.point.tunables = {{"host", std::int64_t{3}}};
  RunWanted wanted;
  wanted.points = {point};
  const RunId run = store_run(store, wanted);
  const auto fields = record(parse_csv(report_csv(make_report(store, run))), 0);
  CHECK(fields.at("problem.status") == "1");
  CHECK(fields.at("problem.power") == "2");
  CHECK(fields.at("tunables.host") == "3");
  CHECK(fields.at("status") == "ok");
}

TEST_CASE("a text of CSV is no formula, a number stays one") {
  const auto field = [](const nlohmann::ordered_json& cell) { return csv_line({cell}); };
  for (const std::string text : {"=1+1", "+1", "@SUM(A1)", "\t=1"})
    CHECK(field(text) == "'" + text + "\r\n");
  CHECK(field(std::string("-x,y")) == "\"'-x,y\"\r\n");
  CHECK(field(std::string("\r=1\x1b[2J\u202e")) == "\\x0d=1\\x1b[2J\\u202e\r\n");
  CHECK(field(std::string("a=1")) == "a=1\r\n");
  CHECK(field(std::int64_t{-1}) == "-1\r\n");
  CHECK(csv_line({-0.5, nullptr, true}) == "-0.5,,true\r\n");
}

TEST_CASE_METHOD(OneStore, "settings that alone tell points apart are in CSV, JUnit and pages") {
  RunWanted wanted;
  wanted.points = {measured("gpu:0", "tiled", 100, 1), measured("gpu:0", "tiled", 200, 1)};
  wanted.points[0].row.point.apart = "samples=5";
  wanted.points[1].row.point.apart = "samples=7";
  const RunId one = store_run(store, wanted);
  std::ranges::reverse(wanted.points);
  const RunId two = store_run(store, wanted);

  const auto points = parse_csv(report_csv(make_report(store, one)));
  CHECK_THAT(record(points, 0).at("label"), EndsWith(" samples=5"));
  CHECK_THAT(record(points, 1).at("label"), EndsWith(" samples=7"));
  CHECK_THAT(json::parse(page_points(make_report(store, one))).at("variant").dump(),
             HasAll({"\"tiled samples=5\"", "\"tiled samples=7\""}));

  const CompareSide base = side_of(store, one);
  const CompareSide fresh = side_of(store, two);
  const CompareResult result = compare_within(base, fresh);
  for (std::size_t i = 0; i < 2; ++i) {
    const ComparedPair& pair = result.pairs.at(i);
    CHECK(pair.point().apart == (i == 0 ? "samples=5" : "samples=7"));
    CHECK(median_of(*pair.base_point) == (i == 0 ? 100 : 200));
    CHECK(median_of(*pair.fresh_point) == median_of(*pair.base_point));
  }
  CHECK_THAT(compare_junit(result), HasAll({" samples=5 (device, hot, stream)\" time=\"",
                                            " samples=7 (device, hot, stream)\" time=\""}));
}
