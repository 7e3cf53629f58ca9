// What is said of points of every kind.
#include "report/explain.hpp"
#include "report/fixtures.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace benchctl;
using namespace benchctl::test;

namespace {

Lane a_gpu() {
  Lane lane;
  lane.backend = "gpu";
  lane.device.id = "0";
  lane.device.name = "Some GPU";
  lane.device.driver = "driver 1";
  lane.device.architecture = "arch_9";
  lane.device.type = DeviceType::gpu;
  lane.device.compute_units = 132;
  lane.device.limits.memory_bytes = 80ULL << 30;
  lane.device.limits.local_memory_bytes = 48 << 10;
  lane.device.limits.max_block_threads = 1024;
  lane.device.properties = {{"registers_per_sm", "65536"}, {"max_threads_per_sm", "2048"}};
  return lane;
}

/// A run whose points are numbered in their order, and one of them chosen.
FoundPoint a_choice(std::vector<Result> points, std::size_t index = 0) {
  FoundPoint choice;
  choice.run.id = RunId{3};
  choice.lanes = {a_gpu()};
  for (Result& point : points) point.row.run = RunId{3};
  choice.rows = rows_of(std::move(points));
  choice.index = index;
  return choice;
}

Result timed(const std::string& variant, double median) {
  Result stored = measured("gpu:0", variant, median, median / 200);
  Measurement& m = *stored.measurement;
  m.min_ns = 0.9 * median;
  m.p25_ns = 0.99 * median;
  m.p75_ns = 1.01 * median;
  m.max_ns = 2 * median;
  m.gated = true;
  return stored;
}

/// All that is said on a topic, in one line; the figures of its first finding.
struct Said {
  std::string text;
  std::map<std::string, double> figures;
};

Said on(const std::vector<Finding>& findings, const std::string& topic) {
  Said said;
  for (const Finding& finding : findings) {
    if (finding.topic != topic) continue;
    if (said.text.empty()) said.figures = finding.figures;
    said.text += finding.text + ' ';
  }
  return said;
}

std::vector<Finding> findings_of(const FoundPoint& choice, std::vector<RoofRow> roofs = {},
                                 const std::vector<double>& samples = {}) {
  SampleRow row;
  row.block.ns = samples;
  return explain({choice, std::move(roofs), {row}});
}

}  // namespace

TEST_CASE("a ruled-out point: the reason, what the device offers, what to do, and no word of times") {
  const auto findings = findings_of(
      a_choice({untimed("gpu:0", "tiled", Status::skipped,
                        "device limit: 4096 threads per block with tile=64, the device allows 1024")}));
  CHECK_THAT(on(findings, "status").text,
             HasAll({"skipped: Ruled out: a constraint", "Reason: Device limit: 4096 threads",
                     "Change the parameters"}));
  const Said limits = on(findings, "limits");
  CHECK_THAT(limits.text, HasAll({"80 GiB of memory", "48 KiB of shared", "1024 threads per block"}));
  CHECK(limits.figures.at("max_block_threads") == 1024);
  for (const char* topic : {"spread", "roof", "rank", "sampling", "verification"}) {
    CAPTURE(topic);
    CHECK(on(findings, topic).text.empty());
  }
}

TEST_CASE("a failed point: its reason, its verification, and how to run it alone") {
  Result wrong = untimed("gpu:0", "tiled", Status::wrong, "C[3, 7] is 2, expected 1");
  Verification check;
  check.error_norm = 0.5;
  check.tolerance_norm = 1e-6;
  check.worst_error = 1;
  check.worst_tolerance = 1e-5;
  check.worst_element = "C[3, 7]";
  check.checked = 4096;
  check.not_a_number = 2;
  check.guard_bytes_changed = 8;
  wrong.verifications[VerificationPhase::before] = check;
  const auto findings = findings_of(a_choice({timed("naive", 100), wrong}, 1));
  CHECK_THAT(on(findings, "status").text, HasAll({"C[3, 7] is 2, expected 1", "benchctl replay 3:1"}));
  const Said said = on(findings, "verification");
  CHECK_THAT(said.text, HasAll({"Before timing: wrong", "0.5 where 1e-06", "C[3, 7]", "4,096 elements",
                                "2 of them no number", "8 bytes past"}));
  CHECK(said.figures.at("error_norm") == 0.5);
}

TEST_CASE("every status has something to say") {
  for (const StatusInfo& status : status_table) {
    CAPTURE(status.id);
    const auto findings = findings_of(a_choice({untimed("gpu:0", "a", status.status, "because")}));
    CHECK_THAT(on(findings, "status").text,
               HasAll({std::string(status.id) + ": ", "Because."}) && !ContainsSubstring("{"));
  }
}

TEST_CASE("a noisy point: stop reason, range, outliers and drift") {
  Result unstable = timed("naive", 100'000);
  unstable.row.point.status = Status::unstable;
  unstable.row.point.measure.max_seconds = 0.5;
  unstable.measurement->stop = StopReason::max_seconds;
  unstable.measurement->batch = 4;
  unstable.measurement->gated = false;
  std::vector<double> samples(10, 99'000);
  samples.insert(samples.end(), 10, 100'000);
  samples.insert(samples.end(), 10, 104'000);
  samples.push_back(200'000);
  const auto findings = findings_of(a_choice({unstable}), {}, samples);
  CHECK_THAT(on(findings, "status").text, ContainsSubstring("A quieter machine makes it `ok`"));
  CHECK_THAT(on(findings, "sampling").text, HasAll({"30 samples of 4 executions each",
                                                    "max_seconds = 0.5, was used up", "launch latency"}));
  const Said spread = on(findings, "spread");
  CHECK_THAT(spread.text, HasAll({"nine tenths of the samples lie between 99.50 µs and 100.5 µs",
                                  "This process knows it to ±0.50 %", "One sample lies far out",
                                  "2.00× the median", "It drifted", "1.051×"}));
  CHECK(spread.figures.at("outliers") == 1);
  CHECK(spread.figures.at("drift") == Approx(104.0 / 99.0));
  // Steady samples neither drift nor lie far out.
  const auto calm = findings_of(a_choice({timed("naive", 100'000)}), {}, std::vector<double>(30, 100'000));
  CHECK_THAT(on(calm, "spread").text, !ContainsSubstring("drifted") && !ContainsSubstring("far out"));
  CHECK_THAT(on(calm, "sampling").text, HasAll({"one execution each", "within the target of ±1.0 %"}) &&
                                            !ContainsSubstring("launch latency"));
}

TEST_CASE("one sample has no precision") {
  Result few = timed("naive", 100);
  few.measurement->n_samples = 1;
  few.measurement->ci_low_ns = few.measurement->ci_high_ns = std::nan("");
  const auto findings = findings_of(a_choice({few}), {}, {100});
  CHECK_THAT(on(findings, "sampling").text, ContainsSubstring("1 sample of"));
  const Said spread = on(findings, "spread");
  CHECK_THAT(spread.text, !ContainsSubstring("±") && !ContainsSubstring("lie between"));
  CHECK_FALSE(spread.figures.contains("drift"));
  CHECK_FALSE(spread.figures.contains("precision"));
}

TEST_CASE("resources against what the device has") {
  Result stored = timed("tiled", 1e6);
  stored.resources = {{"registers", 64},
                      {"spill_bytes", 16},
                      {"occupancy", 0.25},
                      {"static_shared_bytes", 0},
                      {"dynamic_shared_bytes", 8192}};
  const auto findings = findings_of(a_choice({stored}));
  const Said said = on(findings, "resources");
  CHECK_THAT(
      said.text,
      HasAll({"64 registers per thread", "at most 1024 of 2048 threads", "16 bytes per thread are spilled",
              "8192 bytes of shared (local) memory per block of 49152", "Occupancy 25 %", "few threads"}));
  CHECK(said.figures.at("registers") == 64);
  stored.resources = {{"registers", 32}, {"spill_bytes", 0}, {"occupancy", 1}};
  CHECK_THAT(on(findings_of(a_choice({stored})), "resources").text, !ContainsSubstring("at most") &&
                                                                        !ContainsSubstring("spilled") &&
                                                                        !ContainsSubstring("few threads"));
}

TEST_CASE("a kernel that loads values again asks for more than the workload has to move") {
  Result stored = timed("naive", 1e6);
  stored.row.cost.bytes_read = 6e6;
  stored.row.cost.bytes_written = 2e6;
  stored.resources = {{"requested_bytes", 4e8}};
  const Said said = on(findings_of(a_choice({stored})), "accesses");
  CHECK_THAT(said.text, ContainsSubstring("request 0.400 GB, 50.0 times what the workload has to move"));
  CHECK(said.figures.at("requested_bytes") == 4e8);
}

TEST_CASE("roof and prediction, slower, as and faster than predicted") {
  Result stored = timed("tiled", 1e6);
  stored.resources = {{"roof_fraction", 0.25}, {"predicted_ns", 4e5}, {"occupancy", 0.25}};
  stored.notes = {{"predicted_by", "dram_copy"}};
  const std::vector<RoofRow> roofs = {{"gpu:0", "dram_copy", 3e12, {}}};
  auto findings = findings_of(a_choice({stored}), roofs);
  CHECK_THAT(on(findings, "roof").text, HasAll({"reaches 25 %", "dram_copy 3000"}));
  const Said slow = on(findings, "prediction");
  CHECK_THAT(slow.text, HasAll({"Predicted 400.0 µs", "bounded by dram_copy", "measured 2.50× that",
                                "too few resident threads"}));
  CHECK(slow.figures.at("versus_predicted") == 2.5);
  stored.resources["predicted_ns"] = 9e5;
  CHECK_THAT(on(findings_of(a_choice({stored}), roofs), "prediction").text,
             ContainsSubstring("The bound explains the time"));
  stored.resources["predicted_ns"] = 2e6;
  CHECK_THAT(on(findings_of(a_choice({stored}), roofs), "prediction").text,
             ContainsSubstring("Faster than counted"));
  stored.resources = {};
  stored.notes = {};
  CHECK_THAT(on(findings_of(a_choice({stored})), "roof").text, ContainsSubstring("No roofs of its device"));
  stored.notes = {{"roof_missing", "fma_f32"}};
  findings = findings_of(a_choice({stored}), roofs);
  CHECK_THAT(on(findings, "prediction").text,
             ContainsSubstring("no share of the roof and no prediction, since fma_f32 was not measured"));
}

TEST_CASE("rank among the points of the same problem, and what sets the fastest apart") {
  Result slow = timed("naive", 1e6);
  slow.resources = {{"registers", 20}, {"occupancy", 1}, {"roof_fraction", 0.1}};
  Result fast = timed("tiled", 2e5);
  fast.resources = {{"registers", 40}, {"occupancy", 0.95}, {"roof_fraction", 0.5}};
  Result tied = timed("close", 2.005e5);
  Result other_problem = timed("tiled", 10);
  other_problem.row.point.problem.set("n", std::int64_t{8});
  Result other_basis = timed("tiled", 10);
  other_basis.row.point.measure.basis = Basis::end_to_end;
  Result elsewhere = measured("cpu:0", "plain", 5e6, 10);
  const std::vector<Result> points{slow, fast, tied, other_problem, other_basis, elsewhere};
  Said said = on(findings_of(a_choice(points, 0)), "rank");
  CHECK_THAT(said.text,
             HasAll({"Number 3 of 3", "5.00× the time of the fastest", "3:1", "registers 20 against 40",
                     "fastest on other devices: matmul/plain @ cpu:0"}) &&
                 !ContainsSubstring("occupancy") && !ContainsSubstring("of roof"));
  CHECK(said.figures.at("versus_best") == 5);
  said = on(findings_of(a_choice(points, 1)), "rank");
  CHECK_THAT(said.text, HasAll({"Fastest of 3 points", "Not shown slower: matmul/close",
                                "The next, at 5.00× its time, is matmul/naive"}));
  CHECK_THAT(on(findings_of(a_choice(points, 2)), "rank").text,
             ContainsSubstring("It ties with the fastest of 3 points"));
  CHECK_THAT(on(findings_of(a_choice(points, 3)), "rank").text,
             ContainsSubstring("only point of this problem"));
}

TEST_CASE("throttling is told where it was recorded, and its absence said where not") {
  Result stored = timed("tiled", 1e6);
  stored.resources = {{"throttled_samples", 3}, {"registers", 8}, {"sm_clock", 1980}, {"power", 250.5}};
  stored.notes = {{"throttle_reasons", "power cap"}, {"library", "Some 1.2"}};
  auto findings = findings_of(a_choice({stored}));
  CHECK_THAT(on(findings, "throttling").text,
             HasAll({"throttled 3", "power cap", "power 250.5 W", "SM clock 1980 MHz"}) &&
                 !ContainsSubstring("registers"));
  CHECK_THAT(on(findings, "notes").text, ContainsSubstring("library: Some 1.2"));
  CHECK_THAT(on(findings_of(a_choice({timed("tiled", 1e6)})), "throttling").text,
             ContainsSubstring("Nothing was recorded"));
}

TEST_CASE("where all times are noisy the load of the machine is named") {
  std::vector<Result> points;
  for (int i = 0; i < 3; ++i) {
    points.push_back(timed("noisy", 1000));
    points.back().row.point.status = Status::unstable;
    points.back().resources["context_switches"] = 12;
  }
  const FoundPoint choice = a_choice(points);
  const Said said = on(findings_of(choice), "machine");
  CHECK_THAT(said.text, HasAll({"All 3 times of the run are noisy", "interrupted 12 times", "`top`"}));
  PointStory story{choice, {}, {}};
  story.events = {{"", "resumed"},
                  {"", "other processes used 113 s of processor time in 60 s, most of all cc1plus (65 s)"}};
  CHECK_THAT(on(explain(story), "machine").text,
             ContainsSubstring(
                 " Other processes used 113 s of processor time in 60 s, most of all cc1plus (65 s).") &&
                 !ContainsSubstring("esumed"));
  points[1].row.point.status = Status::ok;
  CHECK(on(findings_of(a_choice(points)), "machine").text.empty());
  points.resize(2);
  points[1].row.point.status = Status::unstable;
  CHECK(on(findings_of(a_choice(points)), "machine").text.empty());
}

TEST_CASE("a quota that held the run back is named, noisy or not") {
  const FoundPoint choice = a_choice({timed("naive", 100)});
  PointStory story{choice, {}, {}};
  CHECK(on(explain(story), "machine").text.empty());
  story.events = {{"", "a control group's quota held processes back 12 times, for 0.6 s of 2 s"}};
  CHECK_THAT(
      on(explain(story), "machine").text,
      HasAll({"A control group's quota held processes back 12 times, for 0.6 s of 2 s.", "cpu.max"}));
}

TEST_CASE("the text is wrapped, each topic named once") {
  const FoundPoint choice = a_choice({timed("naive", 100)});
  const std::string text = explanation_text(
      choice, {{"one", "aaaa bbbb cccc dddd eeee ffff gggg hhhh"}, {"one", "µµµµ"}, {"two", "a\nb"}}, 40);
  CHECK(text ==
        "point 3:0  matmul/naive @ gpu:0\n"
        "  dtype=f32 n=64\n"
        "one           aaaa bbbb cccc dddd eeee\n"
        "              ffff gggg hhhh\n"
        "              µµµµ\n"
        "two           a\n"
        "              b\n");
}

TEST_CASE("the JSON has every finding with its figures") {
  const FoundPoint choice = a_choice({timed("naive", 100'000)});
  const auto findings = findings_of(choice, {}, std::vector<double>(30, 100'000));
  const auto document = nlohmann::json::parse(explanation_json(choice, findings));
  CHECK(document.at("schema") == "benchctl.explain");
  CHECK(document.at("point") == "3:0");
  CHECK(document.at("run") == 3);
  CHECK(document.at("number") == 0);
  CHECK(document.at("status") == "ok");
  REQUIRE(document.at("findings").size() == findings.size());
  bool found = false;
  for (const auto& finding : document.at("findings")) {
    CHECK_FALSE(finding.at("text").get<std::string>().empty());
    if (finding.at("topic") != "spread") continue;
    found = true;
    CHECK(finding.at("figures").at("median_ns") == 100'000);
  }
  CHECK(found);
}
