// The answer in a sentence: what is asked, what is answered, and what never is.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/answers.hpp"
#include "report/documents.hpp"
#include "report/headline.hpp"
#include "report/stored_run.hpp"
#include "report/table.hpp"

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

StoredPoint at_size(StoredPoint stored, std::int64_t n) {
  for (const char* name : {"m", "n", "k"}) stored.row.point.problem.set(name, n);
  const auto size = static_cast<double>(n);
  stored.row.cost = {2 * size * size * size, 8 * size * size, 4 * size * size};
  return stored;
}

StoredPoint of_status(StoredPoint stored, Status status) {
  stored.row.point.status = status;
  return stored;
}

StoredPoint from_library(StoredPoint stored, const std::string& note) {
  stored.notes["library"] = note;
  return vendor(std::move(stored));
}

StoredPoint with_parameter(StoredPoint stored, const std::string& name, const Value& value) {
  stored.row.point.problem.set(name, value);
  return stored;
}

/// Headlines of rows that are told apart by the names of their devices, as in the terminal.
std::vector<Headline> told(const std::string& title, const std::vector<ResultRow>& rows) {
  std::vector<std::string> labels;
  std::vector<HeadlineRow> seen;
  for (const ResultRow& row : rows) {
    auto found = std::ranges::find(labels, row.point().device);
    if (found == labels.end()) found = labels.insert(labels.end(), row.point().device);
    seen.push_back({&row, static_cast<std::size_t>(found - labels.begin()), standing_of(row)});
  }
  return headlines_of(title, seen, labels);
}

std::string sentence(const std::string& title, const std::vector<StoredPoint>& points) {
  const std::vector<ResultRow> rows = rows_of(points);
  const std::vector<Headline> headlines = told(title, rows);
  REQUIRE(headlines.size() == 1);
  return headlines.front().text;
}

constexpr double ms = 1e6;

/// A tile sweep on a card with its maker's library, and on a processor with smaller problems.
std::vector<StoredPoint> a_tile_sweep() {
  std::vector<StoredPoint> points;
  for (const std::int64_t n : {1024, 4096}) {
    const double scale = n == 4096 ? 64 : 1;
    points.push_back(at_size(measured("gpu:0", "naive", 0.7 * ms * scale, 10), n));
    points.push_back(at_size(with_tile(measured("gpu:0", "tiled", 0.3 * ms * scale, 10), 8), n));
    points.push_back(at_size(with_tile(measured("gpu:0", "tiled", 0.25 * ms * scale, 10), 32), n));
    points.push_back(from_library(at_size(measured("gpu:0", "vendor", 0.05 * ms * scale, 10), n),
                                  "fastBLAS 12, header 3"));
  }
  points.push_back(at_size(with_tile(measured("cpu:0", "tiled", 40 * ms, 1e5), 16), 512));
  points.push_back(at_size(with_tile(measured("cpu:0", "tiled", 50 * ms, 1e5), 32), 512));
  points.push_back(at_size(measured("cpu:0", "vectors", 4 * ms, 1e5), 512));
  return points;
}

}  // namespace

TEST_CASE("a title that names a tunable is answered by its best value, beside the yardstick") {
  CHECK(sentence("Matrix multiplication: which tile size?", a_tile_sweep()) ==
        "Tile 32 is fastest on gpu:0 at n = 4096: 16.00 ms, 5.0× slower than fastBLAS; on cpu:0 at n = 512 "
        "tile 16: 40.00 ms, 10× slower than vectors.");
  // The largest problem counts, not the order of the points.
  std::vector<StoredPoint> reversed = a_tile_sweep();
  std::ranges::reverse(reversed);
  CHECK_THAT(sentence("which tile size?", reversed),
             ContainsSubstring("on gpu:0 at n = 4096 tile 32: 16.00 ms"));
}

TEST_CASE("a headline's chart has the best of each value, and the yardstick") {
  const std::vector<ResultRow> rows = rows_of(a_tile_sweep());
  const Headline headline = told("tiles", rows).front();
  CHECK(headline.axis == "tile");
  CHECK(headline.quantity == "time");
  CHECK(headline.rows == std::vector<std::size_t>{6, 5, 8, 9});
  CHECK(headline.beside == std::vector<std::size_t>{7, 10});
}

TEST_CASE("ties are told as ties") {
  const auto tile = [](std::int64_t value, double median, double half) {
    return with_tile(measured("gpu:0", "tiled", median, half), value);
  };
  CHECK(sentence("tile", {tile(8, 100, 5), tile(16, 104, 5), tile(32, 200, 5)}) ==
        "Tile 8 and 16 tie as fastest on gpu:0 at n = 64: 100.0 ns.");
  CHECK(sentence("tile", {tile(8, 100, 5), tile(16, 104, 5)}) ==
        "No tile is fastest on gpu:0 at n = 64: 8 and 16 tie, 100.0 ns.");
  CHECK(sentence("tile",
                 {tile(8, 100, 1), vendor(measured("gpu:0", "library", 100.5, 1)), tile(4, 300, 1)}) ==
        "Tile 8 is fastest on gpu:0 at n = 64: 100.0 ns, as fast as library.");
  CHECK(sentence("all ways", {measured("gpu:0", "a", 100, 5), measured("gpu:0", "b", 104, 5),
                              measured("gpu:0", "c", 210, 5)}) ==
        "Fastest on gpu:0 at n = 64: a and b (a tie), 100.0 ns, 2.1× faster than c.");
  // Under six samples there is no interval, and only an equal time is a tie.
  StoredPoint unknown = tile(16, 101, 0);
  unknown.measurement->ci_low_ns = unknown.measurement->ci_high_ns = std::nan("");
  CHECK_THAT(sentence("tile", {tile(8, 100, 5), unknown}), StartsWith("Tile 8 is fastest"));
}

TEST_CASE("what is unstable or above its roof heads nothing") {
  const auto tile = [](std::int64_t value, double median) {
    return with_tile(measured("gpu:0", "tiled", median, 1), value);
  };
  const StoredPoint unstable = of_status(tile(4, 50), Status::unstable);
  const StoredPoint above = with_roof(tile(64, 20), 1.2);
  CHECK(sentence("tile", {unstable, above, tile(8, 200), with_roof(tile(16, 100), 1.004)}) ==
        "Tile 16 is fastest on gpu:0 at n = 64: 100.0 ns.");
  CHECK(sentence("tile", {unstable}) ==
        "On gpu:0 not resolved (the only time is unstable: allow more time).");
  CHECK(sentence("tile", {unstable, of_status(tile(8, 60), Status::unstable)}) ==
        "On gpu:0 not resolved (all 2 times are unstable: allow more time).");
  CHECK(sentence("tile", {unstable, above}) ==
        "On gpu:0 not resolved (1 unstable, 1 above the measured roof: measure roofs again).");
  // What is resolved comes first.
  StoredPoint other = of_status(with_tile(measured("cpu:0", "tiled", 5, 1), 8), Status::unstable);
  CHECK(
      sentence("tile", {other, tile(8, 200), tile(16, 100)}) ==
      "Tile 16 is fastest on gpu:0 at n = 64: 100.0 ns; on cpu:0 not resolved (the only time is unstable: "
      "allow more time).");
  StoredPoint wrong = tile(2, 1);
  wrong.row.point.expect = Expect::wrong;
  CHECK_THAT(sentence("tile", {wrong, tile(8, 200), tile(16, 100)}), StartsWith("Tile 16 "));
}

TEST_CASE("without a word of the title the fastest variant is the answer") {
  CHECK(
      sentence("every way",
               {with_tile(measured("gpu:0", "tiled", 300, 1), 8),
                with_tile(measured("gpu:0", "tiled", 200, 1), 16), measured("gpu:0", "naive", 900, 1),
                from_library(measured("gpu:0", "vendor", 100, 1), "fastBLAS"),
                measured("cpu:0", "naive", 5000, 1), measured("cpu:0", "vectors", 1250, 1)}) ==
      "Fastest on gpu:0 at n = 64: vendor (fastBLAS), 100.0 ns, 2.0× faster than tiled tile=16; on cpu:0: "
      "vectors, 1.250 µs, 4.0× faster than naive.");
  // One variant with one tunable: its value is the answer.
  CHECK(sentence("a kernel of mine", {with_tile(measured("gpu:0", "mine", 300, 1), 8),
                                      with_tile(measured("gpu:0", "mine", 200, 1), 16)}) ==
        "Tile 16 is fastest on gpu:0 at n = 64: 200.0 ns.");
  CHECK(sentence("one", {measured("gpu:0", "mine", 300, 1)}) == "On gpu:0 at n = 64 mine takes 300.0 ns.");
}

TEST_CASE("a yardstick on more threads says so") {
  const auto on = [](StoredPoint stored, const char* threads) {
    stored.notes["threads"] = threads;
    return at_size(std::move(stored), 512);
  };
  const auto told_of = [&](const char* ours) {
    return sentence("Which tile size?",
                    {on(with_tile(measured("cpu:0", "tiled", 40 * ms, 10), 16), ours),
                     on(with_tile(measured("cpu:0", "tiled", 50 * ms, 10), 32), ours),
                     on(from_library(measured("cpu:0", "vendor", 2 * ms, 10), "fastBLAS 12"), "16")});
  };
  CHECK_THAT(told_of("1"), ContainsSubstring("20× slower than fastBLAS (16 threads against 1 thread)"));
  CHECK_THAT(told_of("16"), ContainsSubstring("20× slower than fastBLAS."));
}

TEST_CASE("along a parameter of the problem: the ends of its course") {
  std::vector<StoredPoint> strides;
  for (const std::int64_t stride : {1, 2, 32}) {
    strides.push_back(with_parameter(measured("gpu:0", "walk", 100.0 * static_cast<double>(stride), 1),
                                     "stride", stride));
  }
  CHECK(sentence("What do strides cost?", strides) ==
        "Stride 1 is fastest for walk on gpu:0: 100.0 ns, stride 32 takes 32× as long.");
  // No word names it: many problems with hardly more than a row each.
  CHECK(sentence("What do conflicts cost?", strides) == sentence("What do strides cost?", strides));
  std::vector<StoredPoint> sizes;
  for (const std::int64_t n : {64, 128, 256})
    sizes.push_back(at_size(measured("gpu:0", "naive", 1000, 1), n));
  CHECK(sentence("by size", sizes) == "On gpu:0 naive: 524.3 GFLOP/s at n = 64, 33554 GFLOP/s at 256.");
  for (StoredPoint& point : sizes) point.row.cost.accesses = 10;
  CHECK(sentence("by size", sizes) ==
        "On gpu:0 naive: 100.0 ns per access at n = 64, 100.0 ns per access at 256.");
  StoredPoint cold = measured("gpu:0", "walk", 300, 1);
  cold.row.point.measure.cache = CacheMode::cold;
  CHECK(sentence("Caches: hot and cold", {measured("gpu:0", "walk", 100, 1), cold}) ==
        "Cache hot is fastest for walk on gpu:0 at n = 64: 100.0 ns, cache cold takes 3.0× as long.");
}

TEST_CASE("times of several ways of measuring never meet in a sentence") {
  StoredPoint host = with_tile(measured("gpu:0", "tiled", 10, 1), 4);
  host.row.point.measure.basis = Basis::host_sync;
  CHECK(sentence("tile", {host, with_tile(measured("gpu:0", "tiled", 100, 1), 8),
                          with_tile(measured("gpu:0", "tiled", 200, 1), 16)}) ==
        "Tile 8 is fastest on gpu:0 at n = 64: 100.0 ns.");
  CHECK(sentence("tile", {host}) == "On gpu:0 at n = 64, basis host_sync tiled takes 10.00 ns.");
}

TEST_CASE("each workload has its own sentence; probes of roofs have none beside others") {
  StoredPoint probe = measured("gpu:0", "fma", 10, 1);
  probe.row.point.workload = "peaks";
  StoredPoint copy = measured("gpu:0", "plain", 20, 1);
  copy.row.point.workload = "copy";
  const std::vector<ResultRow> rows = rows_of({probe, measured("gpu:0", "naive", 100, 1), copy});
  const std::vector<Headline> headlines = told("a tour", rows);
  REQUIRE(headlines.size() == 2);
  CHECK(headlines[0].text == "matmul: On gpu:0 at n = 64 naive takes 100.0 ns.");
  CHECK(headlines[1].workload == "copy");
  CHECK(told("roofs", rows_of({probe})).size() == 1);
  CHECK(told("nothing", rows_of({untimed("gpu:0", "a", Status::crashed, "no")})).empty());
}

TEST_CASE("the same point of two runs: the newer one stands for both, and is no tie of itself") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "a.db");
  RunWanted wanted;
  wanted.title = "Which tile?";
  wanted.lanes = {lane_of("gpu:0", "Card")};
  wanted.points = {with_tile(measured("gpu:0", "tiled", 90, 2), 8),
                   with_tile(measured("gpu:0", "tiled", 200, 2), 16)};
  const RunId one = store_run(store, wanted);
  wanted.points[0].measurement->median_ns = 91;
  const RunId two = store_run(store, wanted);
  const std::vector<ReportSource> sources{{&store, one}, {&store, two}};
  const Report report = make_report(sources);
  CHECK(report.places[0].standing == Standing::repeated);
  CHECK(report.places[2].standing == Standing::heads);
  CHECK_FALSE(report.places[0].rank.best);
  const std::vector<Answer> answers = answers_of(report);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].best == std::optional<std::size_t>(2));
  CHECK(answers[0].ties.empty());
  CHECK(answers[0].rivals == 2);
  const std::vector<Headline> headlines = headlines_of(report);
  REQUIRE(headlines.size() == 1);
  CHECK(headlines[0].text == "Tile 8 is fastest on gpu:0 at n = 64: 91.00 ns.");
  // An older run stands for itself where the newer one is unstable.
  wanted.points[0].row.point.status = Status::unstable;
  const std::vector<ReportSource> three{{&store, one}, {&store, store_run(store, wanted)}};
  CHECK(make_report(three).places[0].standing == Standing::heads);
}

TEST_CASE("Markdown, JSON and the terminal begin with the answer") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "a.db");
  RunWanted wanted;
  wanted.title = "Which tile size?";
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = a_tile_sweep();
  const RunId run = store_run(store, wanted);
  const std::vector<ReportSource> sources{{&store, run}};
  const Report report = make_report(sources);
  const std::string text = report_markdown(report, {});
  CHECK_THAT(text,
             StartsWith("# Which tile size?\n\n- Tile 32 is fastest on gpu:0 at n = 4096: 16.00 ms, "));
  CHECK(text.find("Tile 32 is", 40) == std::string::npos);
  // What to know comes after the results, counted.
  CHECK(text.find("## Fastest of each device") < text.find("## 1 note\n\n- No roofs were measured"));
  CHECK_THAT(report_json(report, {}),
             ContainsSubstring(R"("text":"Tile 32 is fastest on gpu:0 at n = 4096)"));
  const std::string terminal = result_table(store, run, {});
  CHECK_THAT(terminal, StartsWith("Which tile size?\nTile 32 is fastest on gpu:0 at n = 4096: 16.00 ms, "
                                  "5.0× slower than fastBLAS; on\n"));
}

TEST_CASE("the fastest of each device says on how many threads it ran, if its rival ran on others") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "a.db");
  RunWanted wanted;
  wanted.lanes = {lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = {measured("cpu:0", "avx512", 200, 1), vendor(measured("cpu:0", "vendor", 100, 1))};
  wanted.points[0].notes["threads"] = "1";
  wanted.points[1].notes["threads"] = "16";
  const auto markdown = [&] {
    const std::vector<ReportSource> sources{{&store, store_run(store, wanted)}};
    return report_markdown(make_report(sources), {});
  };
  CHECK_THAT(markdown(), ContainsSubstring("| vendor, 16 threads | 100.0 ns |"));
  CHECK_THAT(markdown(), ContainsSubstring("| avx512, 200.0 ns, 1 thread |"));
  wanted.points[0].notes["threads"] = "16";
  CHECK_THAT(markdown(), ContainsSubstring("| avx512, 200.0 ns |"));
}

TEST_CASE("names from outside stay on one line of a sentence") {
  StoredPoint odd = measured("gpu:\x1b[2J\n# x", "a\nb", 100, 1);
  odd.row.point.tunables = {{"tile\n", std::string("x\r\n- y")}};
  odd.row.vendor = true;
  odd.notes["library"] = "\x1b[31m\nevil";
  const std::string text = sentence("tile", {odd, measured("gpu:\x1b[2J\n# x", "c", 100, 1)});
  CHECK(text.find_first_of("\x1b\r\n") == std::string::npos);
}
