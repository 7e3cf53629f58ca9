// What people read, character by character.
#include "report/table.hpp"
#include "report/stored_run.hpp"
#include "report/text_table.hpp"
#include "support/catch.hpp"

using namespace benchctl;
using namespace benchctl::test;

namespace {

std::vector<Result> a_small_run() {
  Result unstable = with_tile(measured("gpu:0", "tiled", 40'000, 3'000), 8);
  unstable.row.point.status = Status::unstable;
  const Result few = of_samples(measured("cpu:0", "naive", 2.5e6, 3e5), 3);
  Result racy = measured("cpu:0", "racy", 1e3, 10);
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

TEST_CASE("rows on different numbers of threads say on how many they ran") {
  Result own = measured("cpu:0", "avx512", 200, 1);
  Result library = vendor(measured("cpu:0", "vendor", 100, 1));
  own.notes["threads"] = "1";
  library.notes["threads"] = "16";
  const Result elsewhere = measured("gpu:0", "naive", 50, 1);
  const std::string table = problem_tables(rows_of({own, library, elsewhere}), {});
  CHECK_THAT(table, !ContainsSubstring("1 thread\n"));
  CHECK_THAT(table, ContainsSubstring("vendor, 16 threads\n"));
  own.notes["threads"] = "16";
  CHECK_THAT(problem_tables(rows_of({own, library, elsewhere}), {}), !ContainsSubstring("thread"));
}

TEST_CASE("a table says that its fastest is so by common rounds, if another row has a smaller median") {
  std::vector<Result> points = rows_of(
      {measured("gpu:0", "a", 100, 1), measured("gpu:0", "b", 101, 1), measured("cpu:0", "a", 50, 1)});
  const char* const note = "*: the fastest by common rounds, though another row has a smaller median.\n";
  CHECK_THAT(problem_tables(points, {}), !ContainsSubstring(note));
  for (std::size_t i : {0, 1}) {
    for (Comparison& comparison : points[i].comparisons) comparison.other = 1;
  }
  CHECK_THAT(problem_tables(points, {}), ContainsSubstring(note));
  CHECK_THAT(problem_tables(points, {.markdown = true}),
             ContainsSubstring("\n\n- \\*: the fastest by common rounds, though"));
}

TEST_CASE("a table shows rates of what is counted as cost, else of what threads ask for") {
  Result point = measured("gpu:0", "rows", 1000, 10);
  point.resources["requested_bytes"] = 65536;
  point.row.point.layout = "soa";
  const auto table = [&] { return problem_tables(rows_of({point}), {}); };
  CHECK_THAT(table(), HasAll({"  GFLOP/s", "rows layout=soa"}) && !ContainsSubstring("GB/s"));
  point.row.cost.flops = 9 * (point.row.cost.bytes_read + point.row.cost.bytes_written);
  CHECK_THAT(table(), HasAll({"  GFLOP/s", "  GB/s\n"}));
  point.row.cost.flops = 0;
  CHECK_THAT(table(), ContainsSubstring("   GB/s\n") && !ContainsSubstring("GFLOP/s") &&
                          !ContainsSubstring("requested"));
  point.row.cost = {};
  CHECK_THAT(table(), HasAll({"requested GB/s", "65.54"}));
  point.resources.clear();
  CHECK_THAT(table(), !ContainsSubstring("GB/s"));
}

TEST_CASE("points without times are listed by status and reason, the first labels of many") {
  CHECK(untimed_points(rows_of({measured("d:0", "a", 1, 0)}), {}).empty());
  std::vector<Result> many;
  for (int i = 0; i < 5; ++i) many.push_back(untimed("d:0", "a", Status::crashed, "signal 11"));
  many.push_back(untimed("d:0", "a", Status::timeout, "signal 11"));
  CHECK_THAT(untimed_points(rows_of(many), {}),
             HasAll({"5 points crashed: signal 11", "and 2 more", "1 point timeout: signal 11"}));
}

TEST_CASE("points left out for one reason with other figures are one line with their number") {
  std::vector<Result> points;
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

TEST_CASE("remarks say what a reader must know of a row") {
  Result late = measured("gpu:0", "late", 101, 1);
  late.row.point.measure.target = 0.001;
  late.measurement->stop = StopReason::max_seconds;
  Result odd = with_roof(measured("gpu:0", "odd", 100, 2), 1.01);
  odd.resources["mode_low_ns"] = 99;
  odd.resources["mode_high_ns"] = 130;
  odd.resources["mode_high_share"] = 0.25;
  odd.notes = {{"not_audited", "no time"}, {"old_kernel", "Prescott"}};
  Result above = with_roof(measured("gpu:0", "above", 50, 1), 1.5);
  Result doubted = measured("gpu:0", "doubted", 50, 1);
  doubted.notes["audit_undecided"] = "so it is";
  Result apart = measured("gpu:0", "apart", 300, 1);
  apart.row.reused_from = PointId{1};
  apart.notes["own_reference"] = "it is";
  std::vector<Result> rows = rows_of({late, odd, above, doubted, apart});
  rows[4].comparisons.clear();
  const std::string text = problem_tables(rows, {});
  CAPTURE(text);
  CHECK_THAT(text, HasAll({"=  0  late", "±0.99 %, asked 0.10 %\n",
                           "Prescott kernel, bimodal 99.0/130 ns, at roof, not audited\n", "above roof\n",
                           "audit undecided\n", "own reference, reused, not together\n"}));
  for (const char* line : {"\n… kernel: the library's kernel", "\nbimodal a/b: samples lie",
                           "\nabove roof: faster", "\nown reference: the kernel's own results",
                           "\n±…, asked …: half", "\nnot together: no common round"}) {
    CHECK_THAT(text, ContainsSubstring(line));
  }
  CHECK_THAT(text, !ContainsSubstring("\nnoisy:") && !ContainsSubstring("\nclock"));
  // What was shown slower and left had no target.
  rows[0].measurement->stop = StopReason::slower;
  CHECK_THAT(problem_tables(rows, {}), !ContainsSubstring("asked 0.10 %"));
  CHECK_THAT(
      problem_tables(rows_of(a_small_run()), {}),
      HasAll({"13.11  noisy\n", "524.3  wrong\n", "\nwrong: expected to be wrong: it shows a mistake.\n",
              "\nnoisy: half of its samples lie more than 25 %"}));
}

TEST_CASE("a clock below half of the highest of its device in the run is remarked") {
  const auto with_clock = [](const std::string& device, const std::string& variant, double clock) {
    Result point = measured(device, variant, 100, 1);
    point.resources["sm_clock"] = clock;
    return point;
  };
  const std::vector<Result> rows =
      rows_of({with_clock("vulkan:0", "fallen", 345), with_clock("vulkan:0", "half", 990),
               with_clock("vulkan:0", "full", 1980), with_clock("vulkan:1", "alone", 345),
               measured("vulkan:0", "unread", 100, 1)});
  const std::string text = problem_tables(rows, {});
  CHECK_THAT(text, ContainsSubstring("clock 345/1980 MHz"));
  CHECK(text.find("clock 3") == text.rfind("clock 3"));
  CHECK(text.find("fallen") < text.find("clock "));
  CHECK(text.find("clock ") < text.find("half"));
}

TEST_CASE("an ok point that was never timed is listed, not shown with a time") {
  const auto rows = rows_of({untimed("d:0", "a", Status::ok, "compiled for debugging")});
  CHECK(problem_tables(rows, {}).empty());
  CHECK_THAT(untimed_points(rows, {}), ContainsSubstring("1 point ok: compiled for debugging"));
}

TEST_CASE("times of different bases, caches, launches or problems never share a table") {
  std::vector<Result> points(5, measured("d:0", "a", 1000, 1));
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
  CHECK_THAT(text, HasAll({"basis end_to_end", "cache cold", "launch graph", "n=128"}));
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

TEST_CASE_METHOD(OneStore, "an interrupted run as text, and its line in the list of runs") {
  CHECK_THAT(runs_table(store), StartsWith("no runs in "));
  RunWanted wanted;
  wanted.title = "Which tile size?";
  wanted.points = a_small_run();
  wanted.points[7].row.point.status = Status::not_run;
  wanted.points[7].row.point.reason.clear();
  wanted.state = RunState::interrupted;
  const RunId id = store_run(store, wanted);
  const std::string text = run_table(store, id, {});
  CHECK_THAT(text,
             StartsWith("Which tile size?  matmul f32, n = 64\n  gpu:0  tile 16  21.00 µs ") &&
                 HasAll({"\nrun 1 (name), interrupted: ",
                         "1 point not_run: the run goes on, its budget ran out, or it was interrupted\n",
                         "\n9 points: 5 ok, 2 skipped, 1 unstable, 1 not_run; begun 20"}));
  CHECK_THROWS_AS(run_table(store, RunId{9}, {}), StoreError);
  CHECK_THAT(runs_table(store), HasAll({"\n  1  name  interrupted  20", "Which tile size?"}));
}

TEST_CASE_METHOD(OneStore,
                 "the table of a long run has the fastest points, and says how many more there are") {
  RunWanted wanted;
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
  const std::string brief = run_table(store, run, {});
  CHECK_THAT(brief, HasAll({sentence, " small ", " tile=1003 ", " tile=5 ", "1 point crashed",
                            "\n1,005 points: 1,004 ok, 1 crashed; begun "}) &&
                        !ContainsSubstring(" tile=4 "));
  CHECK_THAT(run_table(store, run, {.markdown = true}), ContainsSubstring(sentence));
  const std::string whole = run_table(store, run, {.all = true});
  CHECK_THAT(whole, HasAll({" tile=4 ", " tile=1 "}) && !ContainsSubstring("not listed"));
  // Published figures stand beside any of the points, where they are wanted.
  Published published;
  published.match = {{"workload", std::string("matmul")}};
  published.axis = "tile";
  published.values = {{std::int64_t{1}, 5.0}, {std::int64_t{2}, 4.0}};
  wanted.published = {published};
  const RunId beside = store_run(store, wanted);
  CHECK_THAT(run_table(store, beside, {.published = true}), HasAll({" tile=1 ", "published: "}));
  CHECK_THAT(run_table(store, beside, {}),
             !ContainsSubstring("published: ") && ContainsSubstring("`benchctl show 2 --published`"));
}

TEST_CASE("names from outside do not move the terminal's cursor or begin lines") {
  Result odd = measured("gpu:\x1b[2J", "a\u009bb", 1000, 1);
  odd.row.point.tunables = {{"word", std::string("x\ry\xff")}};
  Result failed = untimed("d\x1b:0", "v\nw", Status::crashed, "\x1b[31mwhy");
  Result plain = odd;
  plain.row.point.tunables = {{"word", std::string("y")}};
  const auto rows = rows_of({odd, plain, failed});
  for (const bool markdown : {false, true}) {
    const std::string text =
        problem_tables(rows, {.markdown = markdown}) + untimed_points(rows, {.markdown = markdown});
    CAPTURE(text);
    CHECK(text.find_first_of("\x1b\r\xff") == std::string::npos);
    const std::string backslash = markdown ? "\\\\" : "\\";
    const std::string bracket = markdown ? "\\[" : "[";
    CHECK_THAT(text, HasAll({"gpu:" + backslash + "x1b" + bracket + "2J",
                             "a" + backslash + "x9bb word=x" + backslash + "x0dy\uFFFD",
                             backslash + "x1b" + bracket + "31mwhy"}));
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
