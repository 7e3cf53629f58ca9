// What people read, character by character.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "report/stored_run.hpp"
#include "report/table.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "support/paths.hpp"

using namespace benchctl;
using namespace benchctl::test;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

std::vector<StoredPoint> a_small_run() {
  StoredPoint unstable = with_tile(measured("gpu:0", "tiled", 40'000, 3'000), 8);
  unstable.row.point.status = Status::unstable;
  const StoredPoint few = of_samples(measured("cpu:0", "naive", 2.5e6, 3e5), 3);
  StoredPoint racy = measured("cpu:0", "racy", 1e3, 10);
  racy.row.point.expect = Expect::wrong;
  return {measured("gpu:0", "naive", 100'000, 500),
          unstable,
          few,
          with_tile(measured("gpu:0", "tiled", 21'000, 100), 16),
          vendor(measured("gpu:0", "vendor", 4'000, 10)),
          racy,
          with_tile(untimed("gpu:0", "tiled", Status::skipped, "tile * tile = 4096 is above 1024"), 64),
          untimed("cpu:0", "tiled", Status::compile_error, "no\nlog line"),
          with_tile(untimed("gpu:0", "tiled", Status::skipped, "tile * tile = 4096 is above 1024"), 65)};
}

}  // namespace

TEST_CASE("the table of a small run") {
  CHECK(problem_tables(rows_of(a_small_run()), {}) ==
        "matmul  dtype=f32 n=64\n"
        "time on the device (basis device); cache hot, launch stream\n"
        "   #  variant          median        range  vs best  GFLOP/s  remarks\n"
        "gpu:0\n"
        "   0  naive          100.0 µs  99.50–100.5    25.0×    5.243\n"
        "   1  tiled tile=8   40.00 µs    37.0–43.0    10.0×    13.11  noisy\n"
        "*  3  tiled tile=16  21.00 µs  20.90–21.10    5.25×    24.97\n"
        "*  4  vendor         4.000 µs  3.990–4.010    1.00×    131.1  vendor\n"
        "cpu:0\n"
        "*  2  naive          2.500 ms      2.2–2.8    1.00×   0.2097  n=3\n"
        "   5  racy           1.000 µs   0.990–1.01    1.00×    524.3  wrong\n"
        "\n"
        "*: the fastest of its device, or the fastest that is not a vendor library.\n"
        "range: the middle nine tenths of the samples.\n"
        "#: `benchctl explain 0:#` says more, `benchctl replay 0:#` runs it again.\n"
        "vendor: a library tuned by others: the yardstick.\n"
        "wrong: expected to be wrong: it shows a mistake.\n"
        "n=…: so few samples; their range is from the smallest to the largest.\n"
        "noisy: half of its samples lie more than 25 % from the median: the time will not repeat.\n");
}

TEST_CASE("rows on different numbers of threads say on how many they ran") {
  StoredPoint own = measured("cpu:0", "avx512", 200, 1);
  StoredPoint library = vendor(measured("cpu:0", "vendor", 100, 1));
  own.notes["threads"] = "1";
  library.notes["threads"] = "16";
  const StoredPoint elsewhere = measured("gpu:0", "naive", 50, 1);
  const std::string table = problem_tables(rows_of({own, library, elsewhere}), {});
  CHECK_THAT(table, !ContainsSubstring("1 thread\n"));
  CHECK_THAT(table, ContainsSubstring("vendor, 16 threads\n"));
  own.notes["threads"] = "16";
  CHECK_THAT(problem_tables(rows_of({own, library, elsewhere}), {}), !ContainsSubstring("thread"));
}

TEST_CASE("a table shows one rate: that of what is counted as cost, else of what threads ask for") {
  StoredPoint point = measured("gpu:0", "rows", 1000, 10);
  point.resources["requested_bytes"] = 65536;
  CHECK_THAT(problem_tables(rows_of({point}), {}), ContainsSubstring("  GFLOP/s"));
  CHECK_THAT(problem_tables(rows_of({point}), {}),
             ContainsSubstring("requested GB") && ContainsSubstring("0.0000655"));
  point.row.cost.flops = 0;
  CHECK_THAT(problem_tables(rows_of({point}), {}),
             ContainsSubstring("   GB/s\n") && !ContainsSubstring("requested GB"));
  point.row.cost = {};
  CHECK_THAT(problem_tables(rows_of({point}), {}),
             ContainsSubstring("requested GB/s") && ContainsSubstring("65.54"));
  point.resources.clear();
  CHECK_THAT(problem_tables(rows_of({point}), {}), !ContainsSubstring("GB/s"));
}

TEST_CASE("points without times are listed by status and reason") {
  CHECK(untimed_points(rows_of(a_small_run()), {}) ==
        "without times\n"
        "  2 points skipped: tile * tile = 4096 is above 1024 (gpu:0)\n"
        "  1 point compile_error: no …\n"
        "    7  matmul/tiled @ cpu:0 dtype=f32 n=64\n"
        "    the compiler's whole log: `benchctl explain 0:7`\n"
        "\n");
  CHECK(untimed_points(rows_of({measured("d:0", "a", 1, 0)}), {}).empty());
  std::vector<StoredPoint> many;
  for (int i = 0; i < 5; ++i) many.push_back(untimed("d:0", "a", Status::crashed, "signal 11"));
  many.push_back(untimed("d:0", "a", Status::timeout, "signal 11"));
  const std::string text = untimed_points(rows_of(many), {});
  CHECK_THAT(text, ContainsSubstring("5 points crashed: signal 11") && ContainsSubstring("and 2 more") &&
                       ContainsSubstring("1 point timeout: signal 11"));
}

TEST_CASE("points left out for one reason with other figures are one line with their number") {
  std::vector<StoredPoint> points;
  for (int tile = 40; tile < 142; ++tile) {
    points.push_back(untimed("gpu:0", "tiled", Status::skipped,
                             "where: tile * tile <= 1024 (tile=" + std::to_string(tile) + ")"));
  }
  points.push_back(untimed("gpu:0", "tiled", Status::skipped, "no fp64 on this device"));
  CHECK(untimed_points(rows_of(points), {}) ==
        "without times\n"
        "  102 points skipped, for example: where: tile * tile <= 1024 (tile=40) "
        "(gpu:0)\n"
        "  1 point skipped: no fp64 on this device (gpu:0)\n"
        "\n");
}

TEST_CASE("kernels that do not compile show the first error, and where the rest is") {
  StoredPoint one = untimed("gpu:0", "mine", Status::compile_error,
                            "the compiler rejects mine.cl:\nmine.cl:3:5: error: no such thing\n 1 error");
  StoredPoint two = one;
  two.row.point.reason += " generated";
  const std::string text = untimed_points(rows_of({one, two}), {});
  CHECK_THAT(text, ContainsSubstring("2 points compile_error: mine.cl:3:5: error: no such thing\n") &&
                       ContainsSubstring("the compiler's whole log: `benchctl explain 0:0`\n"));
}

TEST_CASE("remarks say what a reader must know of a row") {
  StoredPoint late = measured("gpu:0", "late", 101, 1);
  late.row.point.measure.target = 0.001;
  late.measurement->stop = StopReason::max_seconds;
  StoredPoint odd = with_roof(measured("gpu:0", "odd", 100, 2), 1.01);
  odd.resources["mode_low_ns"] = 99;
  odd.resources["mode_high_ns"] = 130;
  odd.resources["mode_high_share"] = 0.25;
  odd.notes = {{"not_audited", "no time"}, {"old_kernel", "Prescott"}};
  StoredPoint above = with_roof(measured("gpu:0", "above", 50, 1), 1.5);
  StoredPoint doubted = measured("gpu:0", "doubted", 50, 1);
  doubted.notes["audit_undecided"] = "so it is";
  StoredPoint apart = measured("gpu:0", "apart", 300, 1);
  apart.row.reused_from = PointId{1};
  std::vector<ResultRow> rows = rows_of({late, odd, above, doubted, apart});
  rows[4].stored.comparisons.clear();
  const std::string text = problem_tables(rows, {});
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("=  0  late") && ContainsSubstring("±0.99 %, asked 0.10 %\n"));
  CHECK_THAT(text, ContainsSubstring("Prescott kernel, bimodal 99.0/130 ns, at roof, not audited\n"));
  CHECK_THAT(text, ContainsSubstring("above roof\n") && ContainsSubstring("audit undecided\n") &&
                       ContainsSubstring("reused, not together\n"));
  for (const char* line : {"\n… kernel: the library's kernel", "\nbimodal a/b: samples lie",
                           "\nabove roof: faster", "\n±…, asked …: half", "\nnot together: not measured"}) {
    CHECK_THAT(text, ContainsSubstring(line));
  }
  CHECK_THAT(text, !ContainsSubstring("\nnoisy:") && !ContainsSubstring("\nclock"));
  // What was shown slower and left had no target.
  rows[0].stored.measurement->stop = StopReason::slower;
  CHECK_THAT(problem_tables(rows, {}), !ContainsSubstring("asked 0.10 %"));
}

TEST_CASE("a clock below half of the highest of its device in the run is remarked") {
  const auto with_clock = [](const std::string& device, const std::string& variant, double clock) {
    StoredPoint point = measured(device, variant, 100, 1);
    point.resources["sm_clock"] = clock;
    return point;
  };
  const std::vector<ResultRow> rows =
      rows_of({with_clock("vulkan:0", "fallen", 345), with_clock("vulkan:0", "half", 990),
               with_clock("vulkan:0", "full", 1980), with_clock("vulkan:1", "alone", 345),
               measured("vulkan:0", "unread", 100, 1)});
  const std::string text = problem_tables(rows, {});
  CHECK_THAT(text, ContainsSubstring("clock 345/1980 MHz"));
  CHECK(text.find("clock 3") == text.rfind("clock 3"));
  CHECK(text.find("fallen") < text.find("clock "));
  CHECK(text.find("clock ") < text.find("half"));
}

TEST_CASE("at 80 columns a row is one line, and the numbers are all there") {
  std::vector<StoredPoint> points = a_small_run();
  for (StoredPoint& point : points) {
    point.resources["predicted_ns"] = 12345;
    point.resources["sector_efficiency"] = 0.5;
    point.resources["conflict_degree"] = 8;
    point.resources["roof_fraction"] = 1.001;
    point.resources["requested_bytes"] = 1e9;
    point.resources["mode_low_ns"] = point.resources["mode_high_ns"] = 1000;
    point.resources["mode_high_share"] = 0.5;
  }
  const std::string text = problem_tables(rows_of(points), {.width = 80});
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("21.00 µs  20.90–21.10    5.25×") &&
                       ContainsSubstring("noisy, bimodal") && ContainsSubstring("(not in 80 columns: "));
  std::size_t lines = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (line.empty()) break;
    INFO(line);
    CHECK(columns_of(line) <= 80);
    ++lines;
  }
  CHECK(lines == 11);  // two of heading, one of titles, two devices, six rows
}

TEST_CASE("an ok point that was never timed is listed, not shown with a time") {
  const auto rows = rows_of({untimed("d:0", "a", Status::ok, "compiled for debugging")});
  CHECK(problem_tables(rows, {}).empty());
  CHECK_THAT(untimed_points(rows, {}), ContainsSubstring("1 point ok: compiled for debugging"));
}

TEST_CASE("times of different bases, caches, launches or problems never share a table") {
  std::vector<StoredPoint> points(5, measured("d:0", "a", 1000, 1));
  points[1].row.point.measure.basis = Basis::end_to_end;
  points[2].row.point.measure.cache = CacheMode::cold;
  points[3].row.point.measure.launch = LaunchMode::graph;
  points[4].row.point.problem.set("n", std::int64_t{128});
  points.push_back(points[0]);
  const std::string text = problem_tables(rows_of(points), {});
  std::size_t headings = 0;
  for (std::size_t at = text.find("matmul  "); at != std::string::npos;
       at = text.find("matmul  ", at + 1)) {
    ++headings;
  }
  CHECK(headings == 5);
  CHECK_THAT(text, ContainsSubstring("basis end_to_end") && ContainsSubstring("cache cold") &&
                       ContainsSubstring("launch graph") && ContainsSubstring("n=128"));
}

TEST_CASE("bytes per second where nothing counts flops") {
  StoredPoint copy = measured("d:0", "copy", 1000, 1);
  copy.row.cost.flops = 0;
  copy.row.point.layout = "soa";
  copy.row.reused_from = PointId{1};
  const std::string text = problem_tables(rows_of({with_tile(copy, 4)}), {});
  CHECK_THAT(text, ContainsSubstring("GB/s") && !ContainsSubstring("GFLOP/s") &&
                       ContainsSubstring("49.15") && ContainsSubstring("copy layout=soa") &&
                       ContainsSubstring("reused"));
}

TEST_CASE("Markdown has the same cells, its own characters escaped") {
  StoredPoint odd = measured("d:0", "a|b", 1000, 1);
  const std::string text = problem_tables(rows_of({odd}), {.markdown = true, .colours = true});
  CHECK(text ==
        "### matmul  dtype=f32 n=64\n\n"
        "time on the device (basis device); cache hot, launch stream\n\n"
        "|  | # | device | variant | median | range | vs best | GFLOP/s |\n"
        "| --- | ---: | --- | --- | ---: | ---: | ---: | ---: |\n"
        "| \\* | 0 | d:0 | a\\|b | 1.000 µs | 0.9990–1.001 | 1.00× | 524.3 |\n"
        "\n"
        "- \\*: the fastest of its device, or the fastest that is not a vendor library.\n"
        "- range: the middle nine tenths of the samples.\n");
}

TEST_CASE("colours mark the head and the fastest, and only when asked for") {
  const auto rows = rows_of({measured("d:0", "a", 100, 1), measured("d:0", "b", 200, 1)});
  const std::string plain = problem_tables(rows, {});
  CHECK(plain.find('\x1b') == std::string::npos);
  std::string coloured = problem_tables(rows, {.colours = true});
  CHECK_THAT(coloured, ContainsSubstring("\x1b[1md:0\x1b[0m\n\x1b[1;32m*  0  a"));
  for (const std::string code : {"\x1b[1;32m", "\x1b[1m", "\x1b[0m"}) {
    for (std::size_t at = coloured.find(code); at != std::string::npos; at = coloured.find(code)) {
      coloured.erase(at, code.size());
    }
  }
  CHECK(coloured == plain);
}

TEST_CASE("a text table wants one cell per column") {
  TextTable table({TextColumn::named("a"), TextColumn::named("b")});
  CHECK_THROWS_AS(table.add({"x"}), std::logic_error);
  CHECK(table.empty());
}

TEST_CASE("a whole run as text: head, tables, reasons, counts, place") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "store.db");
  NewRun run;
  run.name = "tile_sweep";
  run.title = "Which tile size?";
  run.version = "1.2.3";
  run.environment = "[]";
  const RunId id = store.create_run(run);
  std::vector<PointRow> points;
  for (const StoredPoint& stored : a_small_run()) {
    points.push_back(stored.row);
    points.back().ordinal = points.size();
    points.back().point.status = Status::not_run;
    points.back().point.reason.clear();
  }
  const auto ids = store.add_points(id, points);
  std::vector<StoredPoint> compared = a_small_run();
  race(compared);
  for (std::size_t i = 0; i < 5; ++i) {
    PointResult result;
    result.status = compared[i].row.point.status;
    result.measurement = compared[i].measurement;
    store.finish_point(ids[i], result);
    for (Comparison& comparison : compared[i].comparisons) ++comparison.reference;  // numbered from 1 here
    store.set_comparisons(ids[i], compared[i].comparisons);
  }
  store.finish_run(id, RunState::interrupted);
  const std::string text = result_table(store, id, {});
  CHECK_THAT(
      text,
      StartsWith("Which tile size?  matmul f32, n = 64\n"
                 "  gpu:0  tile 16  21.00 µs (20.90–21.10)  1.9× faster than 8, vendor is 5.2× faster\n"
                 "  cpu:0  naive    2.50 ms (2.2–2.8, n=3)\n"));
  CHECK_THAT(text, ContainsSubstring("\nrun 1 (tile_sweep), interrupted: 5 of 9 points measured\n") &&
                       ContainsSubstring("without times\n  4 points not_run\n"));
  CHECK_THAT(text, ContainsSubstring("\n9 points: 4 ok, 1 unstable, 4 not_run; begun 20") &&
                       EndsWith(", benchctl 1.2.3; stored in " + store.path().string() + " as run 1\n"));
  CHECK_THAT(
      result_table(store, id, {.markdown = true}),
      StartsWith("## Which tile size?\n\n- matmul f32, n = 64: which tile?\n  - gpu:0: tile 16, 21.00 µs"));
  CHECK_THROWS_AS(result_table(store, RunId{9}, {}), StoreError);

  CHECK_THAT(runs_table(store), StartsWith("run  name        state        begun") &&
                                    ContainsSubstring("\n  1  tile_sweep  interrupted  20") &&
                                    ContainsSubstring("9 points: 4 ok, 1 unstable, 4 not_run") &&
                                    ContainsSubstring("Which tile size?"));
  const Store empty = Store::open(folder.path() / "empty.db");
  CHECK_THAT(runs_table(empty), StartsWith("no runs in "));
}

TEST_CASE("the table of a long run has the fastest points, and says how many more there are") {
  const TemporaryDirectory folder;
  Store store = Store::open(folder.path() / "s.db");
  RunWanted wanted;
  wanted.lanes = {lane_of("gpu:0", "Card")};
  constexpr std::int64_t more = 3;
  for (std::int64_t tile = 1; tile <= std::int64_t{rows_listed} + more; ++tile) {
    wanted.points.push_back(
        with_tile(measured("gpu:0", "tiled", 1e6 - static_cast<double>(tile), 0.1), tile));
  }
  wanted.points.push_back(measured("gpu:0", "small", 2e6, 0.1));
  wanted.points.back().row.point.problem.set("n", std::int64_t{8});
  wanted.points.push_back(untimed("gpu:0", "broken", Status::crashed, "no"));
  const RunId run = store_run(store, wanted);
  const std::string sentence =
      "\n4 more points with times are not listed; `benchctl show 1 --all` (or `benchctl export 1`, as CSV) "
      "lists them.\n\n";
  const std::string brief = result_table(store, run, {});
  CHECK_THAT(brief, ContainsSubstring(sentence) && ContainsSubstring(" small ") &&
                        ContainsSubstring(" tile=1003 ") && ContainsSubstring(" tile=5 ") &&
                        !ContainsSubstring(" tile=4 ") && ContainsSubstring("1 point crashed"));
  CHECK_THAT(brief, ContainsSubstring("\n1,005 points: 1,004 ok, 1 crashed; begun "));
  CHECK_THAT(result_table(store, run, {.markdown = true}), ContainsSubstring(sentence));
  const std::string whole = result_table(store, run, {.all = true});
  CHECK_THAT(whole, ContainsSubstring(" tile=4 ") && ContainsSubstring(" tile=1 ") &&
                        !ContainsSubstring("not listed"));
  // Published figures stand beside any of the points, where they are wanted.
  Published published;
  published.match = {{"workload", std::string("matmul")}};
  published.axis = "tile";
  published.values = {{std::int64_t{1}, 5.0}, {std::int64_t{2}, 4.0}};
  wanted.published = {published};
  const RunId beside = store_run(store, wanted);
  CHECK_THAT(result_table(store, beside, {.published = true}),
             ContainsSubstring(" tile=1 ") && ContainsSubstring("published: "));
  CHECK_THAT(result_table(store, beside, {}),
             !ContainsSubstring("published: ") && ContainsSubstring("`benchctl show 2 --published`"));
}

TEST_CASE("names from outside do not move the terminal's cursor or begin lines") {
  StoredPoint odd = measured("gpu:\x1b[2J", "a\u009bb", 1000, 1);
  odd.row.point.tunables = {{"word", std::string("x\ry\xff")}};
  StoredPoint failed = untimed("d\x1b:0", "v\nw", Status::crashed, "\x1b[31mwhy");
  StoredPoint plain = odd;
  plain.row.point.tunables = {{"word", std::string("y")}};
  const auto rows = rows_of({odd, plain, failed});
  for (const bool markdown : {false, true}) {
    const std::string text =
        problem_tables(rows, {.markdown = markdown}) + untimed_points(rows, {.markdown = markdown});
    CAPTURE(text);
    CHECK(text.find_first_of("\x1b\r\xff") == std::string::npos);
    const std::string backslash = markdown ? "\\\\" : "\\";
    const std::string bracket = markdown ? "\\[" : "[";
    CHECK_THAT(text, ContainsSubstring("gpu:" + backslash + "x1b" + bracket + "2J"));
    CHECK_THAT(text, ContainsSubstring("a" + backslash + "x9bb word=x" + backslash + "x0dy\uFFFD"));
    CHECK_THAT(text, ContainsSubstring(backslash + "x1b" + bracket + "31mwhy"));
  }
}

TEST_CASE("texts from outside are no marks of Markdown") {
  CHECK(escaped_markdown("<b> |x| `y` *z* [a](b) &lt; ~w~ _v_ a_b") ==
        "\\<b> \\|x\\| \\`y\\` \\*z\\* \\[a](b) \\&lt; \\~w\\~ \\_v\\_ a_b");
  CHECK(escaped_markdown("# a") == "# a");
  const auto line = [](const char* text) { return first_line_in(text, true); };
  CHECK(line("# head") == "\\# head");
  CHECK(line("  - item") == "  \\- item");
  CHECK(line("> said") == "\\> said");
  CHECK(line("+ item") == "\\+ item");
  CHECK(line("=====") == "\\=====");
  CHECK(line("1. item") == "1\\. item");
  CHECK(line("12) item") == "12\\) item");
  CHECK(line("      code") == "code");
  CHECK(line("-0.5 %") == "-0.5 %");
  CHECK(line("12.5 ms") == "12.5 ms");
  CHECK(line("12") == "12");
  CHECK(first_line_in("# head", false) == "# head");
}
