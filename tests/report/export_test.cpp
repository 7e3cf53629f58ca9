// Exports are read back by a parser of CSV that shares nothing with the writer, and compared with JSON.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "model/metrics.hpp"
#include "report/export.hpp"
#include "report/stored_run.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::EndsWith;
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

/// The text that a JSON value has in CSV, found without the writer's help.
void check_same(const std::string& field, const json& value) {
  CAPTURE(field, value.dump());
  if (value.is_null()) {
    CHECK(field.empty());
  } else if (value.is_boolean()) {
    CHECK(field == (value.get<bool>() ? "true" : "false"));
  } else if (value.is_string()) {
    CHECK(field == value.get<std::string>());
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
struct StoredRun {
  TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  RunId run{};
  std::vector<PointId> ids;

  StoredRun() {
    NewRun fresh;
    fresh.name = "tile_sweep";
    fresh.title = awkward;
    fresh.config_text = "[experiment]";
    fresh.config_hash = "abc";
    fresh.command = "benchctl run x";
    fresh.version = "1.2.3";
    fresh.seed = 18446744073709551615ULL;
    fresh.environment = R"([{"key":"cpu.model","value":"x","class":"must_match"},)"
                        R"({"key":"system.host","value":"node7","class":"information"}])";
    Lane lane;
    lane.backend = "fake";
    lane.device.id = "0";
    lane.device.name = "A device";
    fresh.lanes = {lane};
    run = store.create_run(fresh);
    std::vector<PointRow> points;
    for (const std::int64_t tile : {8, 16, 32}) {
      PointRow row = with_tile(measured("fake:0", "tiled", 1, 0), tile).row;
      row.ordinal = points.size();
      row.point.status = Status::not_run;
      points.push_back(row);
    }
    points[1].point.tunables.set("mode", awkward);
    points[1].point.tunables.set("registers", std::int64_t{5});
    points[1].point.tunables.set("status", true);
    points[1].point.layout = "soa";
    points[2].point.status = Status::skipped;
    points[2].point.reason = "no room";
    ids = store.add_points(run, points);
    for (std::uint32_t round = 0; round < 3; ++round) {
      SampleBlock block;
      block.ns = {100.0 + round, 0.1 + round};
      store.append_samples(ids[0], 0, round, block);
    }
    store.mark_unused(ids[0], 1);
    PointResult result;
    Measurement& m = result.measurement.emplace();
    m.n_samples = 41;
    m.batch = 7;
    m.gated = true;
    m.median_ns = 1000.1;
    m.ci_low_ns = 990.25;
    m.ci_high_ns = std::nan("");
    m.min_ns = 900;
    m.max_ns = 5000;
    m.mean_ns = 1010;
    m.mad_ns = 11;
    m.p5_ns = 950;
    m.p25_ns = 975;
    m.p75_ns = 1025;
    m.p95_ns = 1100;
    m.warmup_ns = 1e7;
    m.stop = StopReason::max_samples;
    m.note = "noted";
    result.verifications[VerificationPhase::after].ok = true;
    result.verifications[VerificationPhase::after].error_norm = 3e-8;
    result.resources = {{"registers", 40}, {"occupancy", std::nan("")}, {"label", 1}};
    result.notes = {{"isa", "x"}, {"kernel", awkward}};
    store.finish_point(ids[0], result);
    PointResult failed;
    failed.status = Status::compile_error;
    failed.reason = awkward;
    store.finish_point(ids[1], failed);
  }
};

std::map<std::string, std::string> record(const std::vector<std::vector<std::string>>& csv,
                                          std::size_t row) {
  std::map<std::string, std::string> fields;
  for (std::size_t i = 0; i < csv[0].size(); ++i) fields[csv[0][i]] = csv[row + 1].at(i);
  return fields;
}

}  // namespace

TEST_CASE("the fixed columns come first, in their order") {
  const std::vector<std::string> columns = fixed_columns();
  CHECK(std::vector(columns.begin(), columns.begin() + 10) ==
        std::vector<std::string>{"status", "reason", "workload", "variant", "backend", "device",
                                 "median_ns", "ci_low_ns", "ci_high_ns", "n_samples"});
  CHECK(std::set(columns.begin(), columns.end()).size() == columns.size());
  for (const char* name :
       {"label", "layout", "expect", "basis", "cache", "launch", "min_ns", "mean_ns", "mad_ns", "p5_ns",
        "p95_ns", "batch", "gated", "stop", "gflops", "gbytes_per_s", "error_norm", "verified"}) {
    CAPTURE(name);
    CHECK(std::ranges::count(columns, name) == 1);
  }
}

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
  for (const std::string& column : fixed_columns()) {
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

TEST_CASE("CSV holds every value of a point") {
  const StoredRun stored;
  const auto csv = parse_csv(report_csv(make_report(stored.store, stored.run)));
  REQUIRE(csv.size() == 4);
  for (const auto& line : csv) CHECK(line.size() == csv[0].size());
  const auto good = record(csv, 0);
  const std::map<std::string, std::string> expected{
      {"status", "ok"},
      {"reason", ""},
      {"workload", "matmul"},
      {"variant", "tiled"},
      {"backend", "fake"},
      {"device", "fake:0"},
      {"median_ns", "1000.1"},
      {"ci_low_ns", "990.25"},
      {"ci_high_ns", ""},
      {"n_samples", "41"},
      {"datasheet_fraction", ""},
      {"store", "store.db"},
      {"run_name", "tile_sweep"},
      {"host", "node7"},
      {"platform", "fake:0"},
      {"device_name", "A device"},
      {"run", "1"},
      {"point", "0"},
      {"label", "matmul/tiled @ fake:0 dtype=f32 n=64 tile=8"},
      {"layout", ""},
      {"expect", "right"},
      {"basis", "device"},
      {"cache", "hot"},
      {"launch", "stream"},
      {"vendor", "false"},
      {"reused", "false"},
      {"min_ns", "900"},
      {"max_ns", "5000"},
      {"mean_ns", "1010"},
      {"mad_ns", "11"},
      {"p5_ns", "950"},
      {"p25_ns", "975"},
      {"p75_ns", "1025"},
      {"p95_ns", "1100"},
      {"warmup_ns", "10000000"},
      {"batch", "7"},
      {"processes", "1"},
      {"range_low_ns", "950"},
      {"range_high_ns", "1100"},
      {"rank", "1"},
      {"fastest", "true"},
      {"fastest_own", "true"},
      {"versus_best", "1"},
      {"gated", "true"},
      {"stop", "max_samples"},
      {"measurement_note", "noted"},
      {"ns_per_access", ""},
      {"requested_gbytes_per_s", ""},
      {"error_norm", "3e-08"},
      {"baseline", ""},
      {"verdict", ""},
      {"time_ratio", ""},
      {"ratio_ci_low", ""},
      {"ratio_ci_high", ""},
      {"ratio_rounds", ""},
      {"verified", "true"},
      {"notes", "isa=x; kernel=" + awkward},
      {"registers", "40"},
      {"occupancy", ""},
      {"resource_label", "1"},
      {"n", "64"},
      {"dtype", "f32"},
      {"tile", "8"},
      {"mode", ""},
      {"param_registers", ""},
      {"param_status", ""}};
  for (const auto& [column, value] : expected) {
    CAPTURE(column);
    REQUIRE(good.contains(column));
    CHECK(good.at(column) == value);
  }
  CHECK(good.size() == expected.size() + 3);  // and the two rates, and when the run began
  CHECK(good.at("created_at").starts_with("20"));
  CHECK(std::abs(std::stod(good.at("gflops")) - 524288 / 1000.1) < 1e-9);
  CHECK(std::abs(std::stod(good.at("gbytes_per_s")) - 49152 / 1000.1) < 1e-9);

  const auto bad = record(csv, 1);
  CHECK(bad.at("status") == "compile_error");
  CHECK(bad.at("reason") == awkward);
  CHECK(bad.at("mode") == awkward);
  CHECK(bad.at("param_registers") == "5");
  CHECK(bad.at("param_status") == "true");
  CHECK(bad.at("registers").empty());
  CHECK(bad.at("layout") == "soa");
  CHECK(bad.at("fastest") == "false");
  for (const char* empty : {"median_ns", "rank", "versus_best", "range_low_ns", "n_samples", "gated",
                            "stop", "gflops", "verified", "error_norm"}) {
    CAPTURE(empty);
    CHECK(bad.at(empty).empty());
  }
  CHECK(record(csv, 2).at("reason") == "no room");
}

TEST_CASE("JSON has the same names and values as CSV, and what CSV repeats only once") {
  const StoredRun stored;
  const std::string text = report_json(make_report(stored.store, stored.run), {});
  CHECK_THAT(text, EndsWith("}\n"));
  const json document = json::parse(text);
  const auto csv = parse_csv(report_csv(make_report(stored.store, stored.run)));
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
      REQUIRE(fields.contains(column));
      check_same(fields.at(column), value);
      fields.erase(column);
    }
    for (const std::string& column : fixed_columns()) CHECK_FALSE(fields.contains(column));
  }
  CHECK(document.at("units").at("median_ns") == "ns");
  CHECK(document["units"].at("gflops") == "GFLOP/s");
  CHECK_FALSE(document["units"].contains("n_samples"));
}

TEST_CASE("the JSON document names its schema, run, environment and devices") {
  StoredRun stored;
  stored.store.add_event(stored.run, "resumed");
  const json document = json::parse(report_json(make_report(stored.store, stored.run), {}));
  CHECK(document.at("schema") == "benchctl.report");
  CHECK(document.at("schema_version") == document_version);
  REQUIRE(document.at("runs").size() == 1);
  const json& run = document["runs"][0];
  CHECK(run.at("first_row") == 0);
  CHECK(run.at("row_count") == 3);
  CHECK(run.at("platforms") == json({{"fake:0", 0}}));
  CHECK(run.at("id") == 1);
  CHECK(run.at("name") == "tile_sweep");
  CHECK(run.at("title") == awkward);
  CHECK(run.at("state") == "running");
  CHECK(run.at("finished_at").is_null());
  CHECK(run.at("benchctl") == "1.2.3");
  CHECK(run.at("command") == "benchctl run x");
  CHECK(run.at("seed") == 18446744073709551615ULL);
  CHECK(run.at("config") == "[experiment]");
  CHECK(run.at("config_hash") == "abc");
  CHECK(run.at("events").at(0).at("text") == "resumed");
  CHECK(run.at("environment").at(0).at("value") == "x");
  REQUIRE(run.at("devices").size() == 1);
  CHECK(run["devices"][0].at("device") == "fake:0");
  CHECK(run["devices"][0].at("backend") == "fake");
  CHECK(run["devices"][0].at("name") == "A device");
  CHECK(run["devices"][0].at("limits").at("memory_bytes") == 0);
  CHECK_FALSE(document["rows"][0].contains("samples_ns"));
  CHECK_THROWS_AS(make_report(stored.store, RunId{5}), StoreError);
}

TEST_CASE("raw samples on request: those in use, in order") {
  const StoredRun stored;
  const json document =
      json::parse(report_json(make_report(stored.store, stored.run), {.title = {}, .samples = true}));
  CHECK(document["rows"][0].at("samples_ns") == json({100.0, 0.1, 102.0, 2.1}));
  CHECK(document["rows"][1].at("samples_ns") == json::array());
}

TEST_CASE("a prefixed name never takes another parameter's place") {
  StoredPoint point = measured("gpu:0", "a", 1, 0);
  point.row.point.problem = {
      {"status", std::int64_t{1}}, {"param_status", std::int64_t{2}}, {"host", std::int64_t{3}}};
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card")};
  wanted.points = {point};
  const RunId run = store_run(store, wanted);
  const auto fields = record(parse_csv(report_csv(make_report(store, run))), 0);
  CHECK(fields.at("param_status") == "2");
  CHECK(fields.at("param_param_status") == "1");
  CHECK(fields.at("param_host") == "3");
  CHECK(fields.at("status") == "ok");
}

TEST_CASE("the list of runs as JSON") {
  StoredRun stored;
  stored.store.finish_run(stored.run, RunState::complete);
  const json document = json::parse(runs_json(stored.store));
  CHECK(document.at("schema") == "benchctl.runs");
  REQUIRE(document.at("runs").size() == 1);
  const json& run = document["runs"][0];
  CHECK(run.at("state") == "complete");
  CHECK(run.at("finished_at").get<std::string>().starts_with("20"));
  CHECK(run.at("points") == json{{"ok", 1}, {"compile_error", 1}, {"skipped", 1}});
}

TEST_CASE("a text of CSV is no formula, a number stays one") {
  const auto field = [](const nlohmann::ordered_json& cell) { return csv_line({cell}); };
  CHECK(field(std::string("=1+1")) == "'=1+1\r\n");
  CHECK(field(std::string("+1")) == "'+1\r\n");
  CHECK(field(std::string("-x,y")) == "\"'-x,y\"\r\n");
  CHECK(field(std::string("@SUM(A1)")) == "'@SUM(A1)\r\n");
  CHECK(field(std::string("\t=1")) == "'\t=1\r\n");
  CHECK(field(std::string("\r=1")) == "\"'\r=1\"\r\n");
  CHECK(field(std::string("a=1")) == "a=1\r\n");
  CHECK(field(std::int64_t{-1}) == "-1\r\n");
  CHECK(csv_line({-0.5, nullptr, true}) == "-0.5,,true\r\n");
}
