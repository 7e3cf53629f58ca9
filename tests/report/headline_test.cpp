// The answer in a sentence: what is asked, what is answered, and what never is.
#include "report/headline.hpp"
#include "report/export.hpp"
#include "report/stored_run.hpp"
#include "report/table.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

Result at_size(Result stored, std::int64_t n) {
  for (const char* name : {"m", "n", "k"}) stored.row.point.problem.set(name, n);
  const auto size = static_cast<double>(n);
  stored.row.cost = {2 * size * size * size, 8 * size * size, 4 * size * size};
  return stored;
}

Result of_status(Result stored, Status status) {
  stored.row.point.status = status;
  return stored;
}

Result from_library(Result stored, const std::string& note) {
  stored.notes["library"] = note;
  return vendor(std::move(stored));
}

Result with_parameter(Result stored, const std::string& name, const Value& value) {
  stored.row.point.problem.set(name, value);
  return stored;
}

/// A report of one run of these points, of which nothing is stored.
Report report_on(std::vector<Result> points, const std::string& question = {}) {
  race(points, question);
  Report report;
  report.runs.emplace_back().row.title = "a title";
  report.runs.front().row.question = question;
  report.places.resize(points.size());
  report.rows = std::move(points);
  arrange(report);
  return report;
}

Headline headline_of(const std::vector<Result>& points, const std::string& question = {}) {
  std::vector<Headline> headlines = headlines_of(report_on(points, question));
  REQUIRE(headlines.size() == 1);
  return headlines.front();
}

std::string sentence(const std::vector<Result>& points, const std::string& question = {}) {
  return headline_of(points, question).text();
}

constexpr double ms = 1e6;

/// A tile sweep on a card with its maker's library, and on a processor with smaller problems.
std::vector<Result> a_tile_sweep() {
  std::vector<Result> points;
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

TEST_CASE("each device names its best tile, its runner-up and its yardstick") {
  const Headline headline = headline_of(a_tile_sweep());
  CHECK(headline.asked() == "matmul: which tile?");
  REQUIRE(headline.lines.size() == 2);
  CHECK(headline.lines[0].device == "gpu:0");
  CHECK(headline.lines[0].answer == "tile 32 at n = 4096");
  CHECK(headline.lines[0].time == "16.00 ms (16.00–16.00)");
  CHECK(headline.lines[0].factors == "1.2× faster than 8, fastBLAS is 5.0× faster");
  CHECK(headline.lines[1].answer == "tile 16 at n = 512");
  CHECK(headline.lines[1].factors == "1.2× faster than 32, vectors is 10× faster");
  // The other problems in a line each.
  CHECK(headline.more == std::vector<std::string>{"n = 1024: gpu:0 tile 32, 250 µs"});
  // A chart has the best of each value, and the yardstick.
  CHECK(headline.axis == "tile");
  CHECK(headline.rows == std::vector<std::size_t>{6, 5, 8, 9});
  CHECK(headline.beside == std::vector<std::size_t>{7, 10});
  // Neither the order of the points nor a word of the title matters.
  std::vector<Result> reversed = a_tile_sweep();
  std::ranges::reverse(reversed);
  CHECK(headline_of(reversed).lines[1].answer == "tile 32 at n = 4096");
}

TEST_CASE(
    "devices speak of the largest problem on which all have a winner; of a larger one a line says so") {
  const auto tile = [](const std::string& device, std::int64_t n, std::int64_t value, double median,
                       double half) {
    return at_size(with_tile(measured(device, "tiled", median, half), value), n);
  };
  std::vector<Result> points;
  for (const char* device : {"gpu:0", "cpu:0"}) {
    points.push_back(tile(device, 64, 8, 100, 1));
    points.push_back(tile(device, 64, 16, 200, 1));
    points.push_back(tile(device, 128, 8, 1000, device[0] == 'c' ? 900 : 1));
    points.push_back(tile(device, 128, 16, 1100, device[0] == 'c' ? 900 : 1));
  }
  const Headline headline = headline_of(points);
  CHECK(headline.asked() == "matmul f32, n = 64: which tile?");
  CHECK(headline.lines[1].answer == "tile 8");
  CHECK(headline.more ==
        std::vector<std::string>{"n = 128: gpu:0 tile 8, 1.00 µs; cpu:0 tile 8, 16 tie, 1.00 µs"});
}

TEST_CASE("ties are told as ties") {
  const auto tile = [](std::int64_t value, double median, double half) {
    return with_tile(measured("gpu:0", "tiled", median, half), value);
  };
  CHECK(sentence({tile(8, 100, 5), tile(16, 104, 5), tile(32, 200, 5)}) ==
        "matmul f32, n = 64: which tile? gpu:0: tile 8, 16 tie, 100 ns (95.0–105), 2.0× faster than 32.");
  CHECK(headline_of({tile(8, 100, 5), tile(16, 104, 5)}).lines[0].answer == "tile 8, 16 tie");
  CHECK(headline_of({tile(8, 100, 5), tile(16, 104, 5), tile(32, 105, 5)}).lines[0].answer ==
        "tile 8, all 3 tie");
  CHECK(headline_of({tile(8, 100, 1), vendor(measured("gpu:0", "library", 100.5, 1)), tile(4, 300, 1)})
            .lines[0]
            .factors == "3.0× faster than 4, ties with library");
  const Headline variants = headline_of(
      {measured("gpu:0", "a", 100, 5), measured("gpu:0", "b", 104, 5), measured("gpu:0", "c", 210, 5)});
  CHECK(variants.asked() == "matmul f32, n = 64: which variant?");
  CHECK(variants.lines[0].answer == "a, b tie");
  CHECK(variants.lines[0].factors == "2.1× faster than c");
}

TEST_CASE("who is not shown slower ties, even if it seems slower than one who is") {
  const auto tile = [](std::int64_t value, double median, double half) {
    return with_tile(measured("gpu:0", "tiled", median, half), value);
  };
  const Headline headline =
      headline_of({tile(8, 114, 40), tile(16, 105, 1), tile(32, 100, 1), tile(64, 101, 2)});
  CHECK(headline.lines[0].answer == "tile 32, 64, 8 tie");
  CHECK(headline.lines[0].factors == "5 % faster than 16");
  CHECK(headline_of({tile(8, 114, 40), tile(16, 105, 1), tile(32, 100, 1)}).lines[0].answer ==
        "tile 32, 8 tie");
}

TEST_CASE("where a table's medians have another next, the line names the rounds") {
  const auto tile = [](std::int64_t value, double median) {
    return with_tile(measured("gpu:0", "tiled", median, 1), value);
  };
  std::vector<Result> points{tile(8, 150), tile(16, 200), tile(32, 100)};
  race(points, "");
  for (Comparison& one : points[0].comparisons) one.time_ratio = 3;
  Report report;
  report.runs.emplace_back().row.title = "a title";
  report.places.resize(points.size());
  report.rows = points;
  arrange(report);
  CHECK(headlines_of(report).front().lines[0].factors == "2.0× faster than 16 by common rounds");
}

TEST_CASE("what is noisy may win; where no time may, the line says why") {
  const auto tile = [](std::int64_t value, double median) {
    return with_tile(measured("gpu:0", "tiled", median, 1), value);
  };
  const Result noisy = of_status(tile(4, 50), Status::unstable);
  const Result above = with_roof(tile(64, 20), 1.2);
  CHECK(headline_of({noisy, above, tile(8, 200)}).lines[0].answer == "tile 4");
  CHECK(headline_of({above}).lines[0].answer == "no winner: 1 above the measured roof");
  Result wrong = tile(2, 1);
  wrong.row.point.expect = Expect::wrong;
  CHECK(headline_of({above, wrong}).lines[0].answer ==
        "no winner: 1 expected to be wrong, 1 above the measured roof");
  // A device without a tile that may win says which variant does.
  CHECK(headline_of({above, tile(8, 100), measured("cpu:0", "naive", 100, 1)}).lines[1].answer == "naive");
}

TEST_CASE("where no single tunable varies, the fastest variant is the answer, or what the run asks") {
  const std::vector<Result> points{
      with_tile(measured("gpu:0", "tiled", 300, 1), 8), measured("gpu:0", "naive", 900, 1),
      from_library(measured("gpu:0", "vendor", 100, 1), "fastBLAS 3"), measured("cpu:0", "naive", 5000, 1),
      measured("cpu:0", "vectors", 1250, 1)};
  const Headline headline = headline_of(points);
  CHECK(headline.asked() == "matmul f32, n = 64: which variant?");
  CHECK(headline.lines[0].answer == "vendor (fastBLAS)");
  CHECK(headline.lines[0].factors == "3.0× faster than tiled");
  CHECK(headline.lines[1].factors == "4.0× faster than naive");
  const Headline asked = headline_of(points, "tile");
  CHECK(asked.asked() == "matmul f32, n = 64: which tile?");
  CHECK(asked.lines[0].answer == "tile 8");
  CHECK(asked.lines[0].factors == "fastBLAS is 3.0× faster");
  CHECK(asked.lines[1].answer == "vectors");
  CHECK(sentence({measured("gpu:0", "mine", 300, 1)}) ==
        "matmul f32, n = 64: gpu:0: mine, 300.0 ns (299.0–301.0).");
  // Ours behind which a vendor library stays.
  CHECK(headline_of({measured("gpu:0", "a", 100, 1), measured("gpu:0", "b", 103, 1),
                     from_library(measured("gpu:0", "vendor", 150, 1), "fastBLAS")})
            .lines[0]
            .factors == "3 % faster than b, 1.5× faster than fastBLAS");
}

TEST_CASE("a yardstick on more threads says so") {
  const auto on = [](Result stored, const char* threads) {
    stored.notes["threads"] = threads;
    return at_size(std::move(stored), 512);
  };
  const auto factors = [&](const char* ours) {
    return headline_of({on(with_tile(measured("cpu:0", "tiled", 40 * ms, 10), 16), ours),
                        on(with_tile(measured("cpu:0", "tiled", 50 * ms, 10), 32), ours),
                        on(from_library(measured("cpu:0", "vendor", 2 * ms, 10), "fastBLAS 12"), "16")})
        .lines[0]
        .factors;
  };
  CHECK_THAT(factors("1"), ContainsSubstring("fastBLAS (16 threads) is 20× faster"));
  CHECK_THAT(factors("16"), ContainsSubstring("fastBLAS is 20× faster"));
}

TEST_CASE("along a parameter of the problem: the ends of its course") {
  std::vector<Result> strides;
  for (const std::int64_t stride : {1, 2, 32}) {
    strides.push_back(with_parameter(measured("gpu:0", "walk", 100.0 * static_cast<double>(stride), 1),
                                     "stride", stride));
  }
  CHECK(sentence(strides) == "matmul along stride: gpu:0: walk, 100 ns at stride = 1, 3.20 µs at 32.");
  std::vector<Result> sizes;
  for (const std::int64_t n : {64, 128, 256})
    sizes.push_back(at_size(measured("gpu:0", "naive", 1000, 1), n));
  CHECK(sentence(sizes) == "matmul along n: gpu:0: naive, 524 GFLOP/s at n = 64, 33554 GFLOP/s at 256.");
  for (Result& point : sizes) point.row.cost.accesses = 10;
  CHECK_THAT(sentence(sizes), ContainsSubstring("100 ns per access at n = 64"));
  Result cold = measured("gpu:0", "walk", 300, 1);
  cold.row.point.measure.cache = CacheMode::cold;
  CHECK(sentence({measured("gpu:0", "walk", 100, 1), cold}) ==
        "matmul along cache: gpu:0: walk, 300 ns at cache = cold, 100 ns at hot.");
}

TEST_CASE("times of several ways of measuring never meet in a sentence") {
  Result host = with_tile(measured("gpu:0", "tiled", 10, 1), 4);
  host.row.point.measure.basis = Basis::host_sync;
  CHECK(headline_of({host, with_tile(measured("gpu:0", "tiled", 100, 1), 8),
                     with_tile(measured("gpu:0", "tiled", 200, 1), 16)})
            .lines[0]
            .answer == "tile 8");
  CHECK(headline_of({host}).asked() == "matmul f32, n = 64, basis host_sync");
}

TEST_CASE("each workload has its own headline; probes of roofs have none beside others") {
  Result probe = measured("gpu:0", "fma", 10, 1);
  probe.row.point.workload = "peaks";
  Result copy = measured("gpu:0", "plain", 20, 1);
  copy.row.point.workload = "copy";
  const std::vector<Headline> headlines =
      headlines_of(report_on({probe, measured("gpu:0", "naive", 100, 1), copy}));
  REQUIRE(headlines.size() == 2);
  CHECK(headlines[0].workload == "matmul");
  CHECK(headlines[1].workload == "copy");
  CHECK(headlines_of(report_on({probe})).size() == 1);
  CHECK(headlines_of(report_on({untimed("gpu:0", "a", Status::crashed, "no")})).empty());
}

TEST_CASE_METHOD(OneStore,
                 "the same point of two runs: the newer one stands for both, and is no tie of itself") {
  RunWanted wanted;
  wanted.title = "Which tile?";
  wanted.points = {with_tile(measured("gpu:0", "tiled", 90, 2), 8),
                   with_tile(measured("gpu:0", "tiled", 200, 2), 16)};
  const RunId one = store_run(store, wanted);
  wanted.points[0].measurement->median_ns = 91;
  const RunId two = store_run(store, wanted);
  const std::vector<ReportSource> sources{{&store, one}, {&store, two}};
  const Report report = make_report(sources);
  CHECK(report.places[0].older);
  CHECK_FALSE(report.places[2].older);
  const std::vector<Answer> answers = answers_of(report);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].best == std::optional<std::size_t>(2));
  CHECK(answers[0].ties.empty());
  const std::vector<Headline> headlines = headlines_of(report);
  REQUIRE(headlines.size() == 1);
  CHECK(headlines[0].lines[0].winner == std::optional<std::size_t>(2));
}

TEST_CASE_METHOD(OneStore,
                 "a report says the answer first, notes after its results, and that the machine was busy") {
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = a_tile_sweep();
  const RunId run = store_run(store, wanted);
  store.add_event(run, "other processes used 84 s of processor time in 60 s, most of all cc1plus (65 s)");
  const std::string text = report_markdown(make_report(store, run));
  CHECK_THAT(text,
             StartsWith("# a title\n\n- matmul: which tile?\n  - gpu:0: tile 32 at n = 4096, 16.00 ms "));
  CHECK(text.find("## Fastest of each device") < text.find("## 1 note\n\n- No roofs were measured"));
  CHECK_THAT(
      run_table(store, run, {.width = 80}),
      ContainsSubstring("The machine was busy: other processes used 84 s of processor time in 60 s,"));
}

TEST_CASE_METHOD(OneStore, "devices stand side by side on the problem of the answer") {
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card"), lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = {measured("gpu:0", "naive", 200, 1),
                   from_library(measured("gpu:0", "vendor", 100, 1), "fastBLAS"),
                   measured("cpu:0", "avx", 1000, 1), measured("cpu:0", "naive", 4000, 1)};
  CHECK_THAT(run_table(store, store_run(store, wanted), {}),
             ContainsSubstring("\nDevices, matmul f32, n = 64\n"
                               "device  fastest   time (range)             vs best device\n"
                               "gpu:0   fastBLAS  100 ns (99.0–101)                 1.00×\n"
                               "        naive     200.0 ns (199.0–201.0)            2.00×\n"
                               "cpu:0   avx       1.000 µs (0.9990–1.001)           10.0×\n"));
}

TEST_CASE_METHOD(OneStore,
                 "the fastest of each device says on how many threads it ran, if its rival ran on others") {
  RunWanted wanted;
  wanted.lanes = {lane_of("cpu:0", "Processor", DeviceType::cpu)};
  wanted.points = {measured("cpu:0", "avx512", 200, 1), vendor(measured("cpu:0", "vendor", 100, 1))};
  wanted.points[0].notes["threads"] = "1";
  wanted.points[1].notes["threads"] = "16";
  const auto markdown = [&] { return report_markdown(make_report(store, store_run(store, wanted))); };
  CHECK_THAT(markdown(), ContainsSubstring("| vendor, 16 threads | 100 ns (99.0–101) |"));
  CHECK_THAT(markdown(), ContainsSubstring("| avx512, 200.0 ns, 1 thread |"));
  wanted.points[0].notes["threads"] = "16";
  CHECK_THAT(markdown(), ContainsSubstring("| avx512, 200.0 ns |"));
}

TEST_CASE("names from outside stay on one line of a sentence") {
  Result odd = measured("gpu:\x1b[2J\n# x", "a\nb", 100, 1);
  odd.row.point.tunables = {{"tile\n", std::string("x\r\n- y")}};
  odd.row.vendor = true;
  odd.notes["library"] = "\x1b[31m\nevil";
  const std::string text = sentence({odd, measured("gpu:\x1b[2J\n# x", "c", 100, 1)});
  CHECK(text.find_first_of("\x1b\r\n") == std::string::npos);
}
